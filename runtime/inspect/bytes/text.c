/* Appends strings, numbers and JSON to a growing text. */
#include "bytes/text.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/plain.h"
#include "bytes/utf8.h"

static const size_t DEFAULT_LIMIT = (size_t)64 << 20;

void js_text_init(js_text *text, size_t limit)
{
    *text = (js_text){.limit = limit ? limit : DEFAULT_LIMIT};
}

void js_text_deinit(js_text *text)
{
    free(text->data);
    *text = (js_text){.limit = text->limit};
}

/* Make room for `count` more bytes and the NUL. */
static bool reserve(js_text *text, size_t count)
{
    if (text->status) {
        return false;
    }
    if (count > text->limit - text->length) {
        text->status = JS_ELIMIT;
        return false;
    }
    size_t need = text->length + count + 1;
    if (need > text->capacity) {
        size_t capacity = text->capacity ? text->capacity : 64;
        while (capacity < need) {
            capacity *= 2;
        }
        char *data = realloc(text->data, capacity);
        if (!data) {
            text->status = JS_ENOMEM;
            return false;
        }
        text->data = data;
        text->capacity = capacity;
    }
    return true;
}

void js_text_putn(js_text *text, const char *bytes, size_t count)
{
    if (!reserve(text, count)) {
        return;
    }
    if (count) {
        memcpy(text->data + text->length, bytes, count);
    }
    text->length += count;
    text->data[text->length] = '\0';
}

void js_text_put(js_text *text, const char *string)
{
    js_text_putn(text, string, strlen(string));
}

void js_text_plain(js_text *text, const char *string)
{
    size_t size = strlen(string), plain = js_plain(string, size, NULL);
    char *escaped = plain > size ? malloc(plain) : NULL;
    if (escaped) {
        js_plain(string, size, escaped);
        js_text_putn(text, escaped, plain);
    } else if (plain > size) {
        text->status = text->status ? text->status : JS_ENOMEM;
    } else {
        js_text_putn(text, string, size);
    }
    free(escaped);
}

void js_text_printf(js_text *text, const char *format, ...)
{
    char small[256];
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    if (length < 0) {
        text->status = text->status ? text->status : JS_EBAD;
    } else if ((size_t)length < sizeof small) {
        js_text_putn(text, small, (size_t)length);
    } else if (reserve(text, (size_t)length)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void js_text_json_escape(js_text *text, uint16_t code)
{
    static const char hex[] = "0123456789abcdef";
    const char escape[] = {'\\',          'u', hex[code >> 12], hex[code >> 8 & 15], hex[code >> 4 & 15],
                           hex[code & 15]};
    js_text_putn(text, escape, sizeof escape);
}

static void put_json_character(js_text *text, uint32_t code, const char *bytes, size_t count)
{
    static const char *const named[] = {['\b'] = "\\b", ['\t'] = "\\t", ['\n'] = "\\n", ['\f'] = "\\f",
                                        ['\r'] = "\\r", ['"'] = "\\\"", ['\\'] = "\\\\"};
    if (code < sizeof named / sizeof named[0] && named[code]) {
        js_text_put(text, named[code]);
    } else if (code < 0x20 || code == 0x7f) {
        js_text_json_escape(text, (uint16_t)code);
    } else {
        js_text_putn(text, bytes, count);
    }
}

static bool is_plain(char c)
{
    return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
}

void js_text_json_string(js_text *text, const char *bytes, size_t count)
{
    js_text_putn(text, "\"", 1);
    for (size_t at = 0; at < count && !text->status;) {
        uint32_t code;
        size_t used = 0;
        while (at + used < count && is_plain(bytes[at + used])) {
            used++;
        }
        if (used) { /* most texts consist of one such run */
            js_text_putn(text, bytes + at, used);
            at += used;
            continue;
        }
        used = js_utf8_decode(bytes + at, count - at, &code);
        if (used) {
            put_json_character(text, code, bytes + at, used);
            at += used;
        } else {
            js_text_put(text, "\xef\xbf\xbd"); /* U+FFFD */
            at++;
        }
    }
    js_text_putn(text, "\"", 1);
}

void js_decimal_next(char *scientific)
{
    char *exponent = strchr(scientific, 'e');
    if (!exponent) {
        return;
    }
    for (char *at = exponent; at-- > scientific;) {
        if (*at == '9') {
            *at = '0';
        } else if (*at >= '0' && *at < '9') {
            ++*at;
            return;
        }
    }
    /* All digits were nines: the next number is 1 and zeros, with the exponent increased by 1. */
    scientific[*scientific == '-'] = '1';
    sprintf(exponent, "e%+03d", atoi(exponent + 1) + 1);
}

/* True if DBL_DIG digits read back as the value. Then these, without the zeros at their end, are the shortest
 * digits that do: no other number of so few digits is as near (C11, 5.2.4.2.2; for normal values). */
static bool is_short(double value, char digits[40])
{
    snprintf(digits, 40, "%.*e", DBL_DIG - 1, value);
    if (fabs(value) < DBL_MIN || strtod(digits, NULL) != value) {
        return false;
    }
    char *exponent = strchr(digits, 'e'), *end = exponent;
    while (end[-1] == '0') {
        end--;
    }
    end -= end[-1] == '.';
    memmove(end, exponent, strlen(exponent) + 1);
    return true;
}

void js_text_double(js_text *text, double value)
{
    if (isnan(value)) {
        js_text_put(text, "nan");
        return;
    }
    if (isinf(value)) {
        js_text_put(text, value < 0 ? "-inf" : "inf");
        return;
    }
    char digits[40];
    if (is_short(value, digits)) {
        js_text_shortest(text, digits);
        return;
    }
    /* 17 digits always read back the same */
    for (int precision = fabs(value) < DBL_MIN ? 0 : DBL_DIG; precision < 17; precision++) {
        snprintf(digits, sizeof digits, "%.*e", precision, value);
        if (strtod(digits, NULL) == value) {
            break;
        }
        js_decimal_next(digits);
        if (strtod(digits, NULL) == value) {
            break;
        }
    }
    js_text_shortest(text, digits);
}

void js_text_float(js_text *text, float value)
{
    if (isnan(value) || isinf(value)) {
        js_text_double(text, (double)value);
        return;
    }
    char digits[40];
    for (int precision = 0; precision < 9; precision++) {
        snprintf(digits, sizeof digits, "%.*e", precision, (double)value);
        if (strtof(digits, NULL) == value) {
            break;
        }
        js_decimal_next(digits);
        if (strtof(digits, NULL) == value) {
            break;
        }
    }
    js_text_shortest(text, digits);
}

void js_text_long(js_text *text, long double value)
{
    if (isnan(value) || isinf(value)) {
        js_text_double(text, (double)value);
        return;
    }
    char digits[48];
    for (int precision = 0; precision < LDBL_DECIMAL_DIG; precision++) {
        snprintf(digits, sizeof digits, "%.*Le", precision, value);
        if (strtold(digits, NULL) == value) {
            break;
        }
        js_decimal_next(digits);
        if (strtold(digits, NULL) == value) {
            break;
        }
    }
    js_text_shortest(text, digits);
}

/* Write "-d.ddde±xx" like Python's repr: fixed for 1e-4 <= |x| < 1e16, else with an exponent of at least two
 * digits. */
void js_text_shortest(js_text *text, const char *scientific)
{
    char digits[40];
    size_t count = 0;
    const char *at = scientific;
    if (*at == '-') {
        js_text_put(text, "-");
        at++;
    }
    for (; *at && *at != 'e'; at++) {
        if (*at >= '0' && *at <= '9' && count < sizeof digits - 1) { /* the separator may be a locale's */
            digits[count++] = *at;
        }
    }
    int exponent = *at ? atoi(at + 1) : 0;
    while (count > 1 && digits[count - 1] == '0') {
        count--;
    }
    digits[count] = '\0';
    if (exponent < -4 || exponent >= 16) {
        js_text_printf(text, count > 1 ? "%c.%se%+03d" : "%c%se%+03d", digits[0], digits + 1, exponent);
        return;
    }
    if (exponent < 0) {
        js_text_put(text, "0.");
        for (int zero = -1; zero > exponent; zero--) {
            js_text_put(text, "0");
        }
        js_text_put(text, digits);
        return;
    }
    size_t whole = (size_t)exponent + 1;
    for (size_t place = 0; place < whole || place < count; place++) {
        if (place == whole) {
            js_text_put(text, ".");
        }
        js_text_putn(text, place < count ? digits + place : "0", 1);
    }
    if (count <= whole) {
        js_text_put(text, ".0");
    }
}

void js_text_json_double(js_text *text, double value)
{
    bool finite = isfinite(value);
    js_text_put(text, finite ? "" : "\"");
    js_text_double(text, value);
    js_text_put(text, finite ? "" : "\"");
}

char *js_text_take(js_text *text)
{
    js_text_putn(text, "", 0);
    char *data = text->data;
    if (text->status) {
        free(data);
        data = NULL;
    }
    *text = (js_text){.limit = text->limit, .status = text->status};
    return data;
}

int js_text_give(js_text *text, int status, char **out)
{
    if (!status) {
        status = text->status;
    }
    *out = status ? NULL : js_text_take(text);
    if (!*out) {
        js_text_deinit(text);
    }
    return status;
}

void js_text_json_pair(js_text *text, const char *key, const char *value)
{
    js_text_printf(text, "\"%s\": ", key);
    js_text_json_string(text, value, strlen(value));
}

void js_free(void *pointer)
{
    free(pointer);
}
