/* Writes numbers, truth values and times as Python and NumPy do. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "values/base/numbers.h"
#include "values/base/rendering.h"
#include "values/text/digits.h"
#include "values/text/scalars.h"

static void put_complex(js_render *render, const js_type *type, const uint8_t *contents)
{
    uint64_t half = type->size / 2;
    double wide[2];
    if (render->in_boxed && !render->in_array && half < sizeof *wide) {
        wide[0] = js_load_float(contents, half);
        wide[1] = js_load_float(contents + half, half);
        contents = (const uint8_t *)wide;
        half = sizeof *wide;
    }
    double real = js_load_float(contents, half);
    js_text parts[2];
    js_columns own;
    const js_columns *columns = render->in_array ? render->columns : NULL;
    if (render->in_record && !columns && !render->options->digits &&
        js_columns_init(&own, type, contents, 1, 1) == JS_OK) {
        columns = &own; /* a record outside of arrays rounds these, and no other values */
    }
    for (unsigned i = 0; i < 2; i++) {
        js_text_init(&parts[i], 64);
        js_put_float_in_array(&parts[i], contents + i * half, half, columns ? &columns->parts[i] : NULL);
        if (!render->in_array && parts[i].length && parts[i].data[parts[i].length - 1] == '.') {
            parts[i].data[--parts[i].length] = '\0';
        }
    }
    bool is_pure = !render->in_array && real == 0.0 && !signbit(real);
    bool has_sign = parts[1].length && *parts[1].data == '-';
    if (parts[0].status == JS_OK && parts[1].status == JS_OK) {
        js_text_printf(render->out, "%s%s%s%sj%s", is_pure || render->in_array ? "" : "(",
                       is_pure ? "" : parts[0].data, has_sign || is_pure ? "" : "+", parts[1].data,
                       is_pure || render->in_array ? "" : ")");
    }
    js_text_deinit(&parts[0]);
    js_text_deinit(&parts[1]);
}

static __int128 floor_div(__int128 a, __int128 b)
{
    return a / b - (a % b < 0);
}

/* Write a date by its days since 1970-01-01, in the proleptic Gregorian calendar; H. Hinnant,
 * "chrono-compatible low-level date algorithms", civil_from_days. */
static void put_date(js_text *out, __int128 days)
{
    days += 719468;
    __int128 era = floor_div(days, 146097);
    int64_t day_of_era = (int64_t)(days - era * 146097);
    int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month = (5 * day_of_year + 2) / 153;
    int64_t day = day_of_year - (153 * month + 2) / 5 + 1;
    month = month < 10 ? month + 3 : month - 9;
    int64_t year = (int64_t)(era * 400) + year_of_era + (month <= 2);
    js_text_printf(out, "%04lld-%02d-%02d", (long long)year, (int)month, (int)day);
}

static void put_clock(js_text *out, __int128 value, const char *unit)
{
    static const struct {
        const char *unit;
        int64_t per_second;
        int digits;
    } fine[] = {
        {"s", 1, 0},
        {"ms", 1000, 3},
        {"us", 1000000, 6},
        {"ns", 1000000000, 9},
        {"ps", 1000000000000, 12},
        {"fs", 1000000000000000, 15},
        {"as", 1000000000000000000, 18},
    };
    __int128 seconds = value;
    int64_t fraction = 0;
    int digits = 0;
    if (*unit == 'h') {
        seconds = value * 3600;
    } else if (strcmp(unit, "m") == 0) {
        seconds = value * 60;
    }
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        if (strcmp(unit, fine[i].unit) == 0) {
            seconds = floor_div(value, fine[i].per_second);
            fraction = (int64_t)(value - seconds * fine[i].per_second);
            digits = fine[i].digits;
        }
    }
    __int128 days = floor_div(seconds, 86400);
    int rest = (int)(seconds - days * 86400);
    put_date(out, days);
    js_text_printf(out, "T%02d", rest / 3600);
    if (*unit != 'h') {
        js_text_printf(out, ":%02d", rest / 60 % 60);
    }
    if (*unit != 'h' && strcmp(unit, "m") != 0) {
        js_text_printf(out, ":%02d", rest % 60);
    }
    if (digits) {
        js_text_printf(out, ".%0*lld", digits, (long long)fraction);
    }
}

bool js_put_datetime(js_text *out, int64_t value, const char *unit)
{
    static const char *const clock[] = {"h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"};
    char *rest;
    long multiple = strtol(unit, &rest, 10);
    __int128 total = (__int128)value * (rest == unit ? 1 : multiple);
    if (rest != unit && (multiple <= 0 || multiple > INT32_MAX)) {
        return false;
    }
    if (strcmp(rest, "Y") == 0) {
        js_text_printf(out, "%04lld", (long long)(1970 + total));
        return true;
    }
    if (strcmp(rest, "M") == 0) {
        __int128 year = floor_div(total, 12);
        js_text_printf(out, "%04lld-%02d", (long long)(1970 + year), (int)(total - year * 12) + 1);
        return true;
    }
    if (strcmp(rest, "W") == 0 || strcmp(rest, "D") == 0) {
        put_date(out, *rest == 'W' ? total * 7 : total);
        return true;
    }
    for (size_t i = 0; i < sizeof clock / sizeof clock[0]; i++) {
        if (strcmp(rest, clock[i]) == 0) {
            put_clock(out, total, rest);
            return true;
        }
    }
    return false;
}

static void put_time(js_render *render, const js_type *type, const uint8_t *contents)
{
    js_text *out = render->out;
    int64_t value = js_load_int(contents, 8);
    bool is_date = type->kind == JS_KIND_DATETIME, is_nat = value == INT64_MIN;
    const char *unit = type->unit ? type->unit : "";
    if (render->in_array && !is_date && !is_nat) {
        js_text_printf(out, "%lld", (long long)value);
        return;
    }
    if (!render->in_array) {
        js_text_put(out, is_date ? "np.datetime64(" : "np.timedelta64(");
    }
    /* NumPy names the unit if the digits do not show it (datetimetype_repr,
     * numpy/_core/src/multiarray/scalartypes.c.src). */
    const char *said = is_date && is_nat && !*unit ? "generic" : unit;
    bool says_unit = *said != '\0';
    if (is_nat) {
        js_text_put(out, "'NaT'");
    } else if (!is_date) {
        js_text_printf(out, "%lld", (long long)value);
    } else {
        size_t start = out->length;
        js_text_put(out, "'");
        if (js_put_datetime(out, value, unit)) {
            js_text_put(out, "'");
            says_unit = strcmp(unit, "h") == 0 || (*unit >= '0' && *unit <= '9');
        } else if (out->status == JS_OK) {
            out->length = start;
            js_text_printf(out, "%lld", (long long)value);
        }
    }
    if (!render->in_array) {
        if (says_unit) {
            js_text_printf(out, ",'%s'", said);
        }
        js_text_put(out, ")");
    }
}

void js_render_time_str(js_render *render, const js_type *type, const uint8_t *contents)
{
    static const struct {
        const char *unit, *word;
    } words[] = {
        {"Y", "years"},         {"M", "months"},           {"W", "weeks"},        {"D", "days"},
        {"h", "hours"},         {"m", "minutes"},          {"s", "seconds"},      {"ms", "milliseconds"},
        {"us", "microseconds"}, {"ns", "nanoseconds"},     {"ps", "picoseconds"}, {"fs", "femtoseconds"},
        {"as", "attoseconds"},  {"", "generic time units"}};
    int64_t value = js_load_int(contents, 8);
    const char *unit = type->unit ? type->unit : "";
    if (value == INT64_MIN) {
        js_text_put(render->out, "NaT");
        return;
    }
    for (size_t i = 0; type->kind == JS_KIND_TIMEDELTA && i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(unit, words[i].unit) == 0) {
            js_text_printf(render->out, "%lld %s", (long long)value, words[i].word);
            return;
        }
    }
    if (type->kind == JS_KIND_TIMEDELTA || !js_put_datetime(render->out, value, unit)) {
        put_time(render, type, contents);
    }
}

void js_render_scalar(js_render *render, const js_type *type, const uint8_t *contents)
{
    js_text *out = render->out;
    switch (type->kind) {
    case JS_KIND_BOOL:
        js_text_put(out, *contents ? "True" : "False");
        break;
    case JS_KIND_FLOAT:
        if (render->in_array && !render->in_record) {
            js_put_float_in_array(out, contents, type->size,
                                  render->columns ? &render->columns->parts[0] : NULL);
        } else if (render->in_boxed) {
            double wide = js_load_float(contents, type->size);
            js_put_float(out, (const uint8_t *)&wide, sizeof wide, false);
        } else {
            js_put_float(out, contents, type->size, false);
        }
        break;
    case JS_KIND_COMPLEX:
        put_complex(render, type, contents);
        break;
    case JS_KIND_DATETIME:
    case JS_KIND_TIMEDELTA:
        put_time(render, type, contents);
        break;
    default:
        if (type->is_signed) {
            js_text_printf(out, "%lld", (long long)js_load_int(contents, type->size));
        } else {
            js_text_printf(out, "%llu", (unsigned long long)js_load_uint(contents, type->size));
        }
    }
}
