/* Finds how many digits the elements of an array have in common, as NumPy does, and writes one element. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "values/base/numbers.h"
#include "values/text/digits.h"
#include "values/text/scalars.h"

enum {
    PLACES = 8,             /* numpy.get_printoptions()["precision"] */
    MOST_COLUMNS = 1024,    /* most members of a record, with those of records in it */
    MOST_NUMBERS = 1 << 18, /* most numbers of one array that are shown */
    MOST_CHARACTERS = 64,   /* most characters of one number */
    MOST_AXES = 8,          /* most axes of arrays within records within arrays */
};

/* ---- one number ---- */

static long double load(const uint8_t *contents, uint64_t size)
{
    return size == 16 ? js_load_long(contents) : (long double)js_load_float(contents, size);
}

static bool is_finite(const uint8_t *contents, uint64_t size)
{
    return isfinite(load(contents, size));
}

/* Count the places after the point, without the zeros at their end. */
static int places_of(const char *number, size_t end)
{
    const char *point = memchr(number, '.', end);
    size_t last = end;
    while (point && last && number[last - 1] == '0') {
        last--;
    }
    return point ? (int)(number + last - point - 1) : 0;
}

/* Write what printf writes, with a point in any locale. */
static void put_number(char *text, size_t room, bool has_exponent, int places, const uint8_t *contents,
                       uint64_t size)
{
    if (size == 16) {
        snprintf(text, room, has_exponent ? "%.*Le" : "%.*Lf", places, js_load_long(contents));
    } else {
        snprintf(text, room, has_exponent ? "%.*e" : "%.*f", places, js_load_float(contents, size));
    }
    char *comma = strchr(text, ',');
    if (comma) {
        *comma = '.';
    }
}

/* Write a number as its own repr() does. False: it does not fit. */
static bool put_repr(char *text, size_t room, const uint8_t *contents, uint64_t size)
{
    js_text number;
    js_text_init(&number, 64);
    js_put_float(&number, contents, size, false);
    bool fits = number.status == JS_OK && number.length && number.length < room;
    if (fits) {
        memcpy(text, number.data, number.length + 1);
    }
    js_text_deinit(&number);
    return fits;
}

/* Count the digits of a repr() without zeros at the front and the end: 2 for "-0.0012" and "1.2e+05". */
static int figures_of(const char *number)
{
    int figures = 0, zeros = 0;
    for (; *number && *number != 'e'; number++) {
        if (*number >= '1' && *number <= '9') {
            figures += zeros + 1;
            zeros = 0;
        } else if (*number == '0') {
            zeros += figures > 0;
        }
    }
    return figures ? figures : 1;
}

/* Write the fewest digits that read back as this number: "-1.25e-07". */
static void put_shortest(char *text, size_t room, const uint8_t *contents, uint64_t size)
{
    double value = js_load_float(contents, size);
    char whole[MOST_CHARACTERS];
    int places = PLACES;
    bool is_distinct =
        size == 8 && fabs(value) > 1e-300; /* two numbers of so many digits are never both nearest */
    if (!is_distinct && put_repr(whole, sizeof whole, contents, size)) {
        int figures = figures_of(whole);
        places = figures - 1 < PLACES ? figures - 1 : PLACES;
    }
    put_number(text, room, true, places, contents, size);
}

/* Write a float in fixed notation. */
static void put_fixed(char *text, size_t room, const uint8_t *contents, uint64_t size)
{
    double value = js_load_float(contents, size);
    bool is_distinct = size == 8 && fabs(value) < 0x1p26; /* neighbours differ within the places */
    if (!is_distinct && put_repr(text, room, contents, size) && !strchr(text, 'e') &&
        places_of(text, strlen(text)) <= PLACES) {
        return;
    }
    put_number(text, room, false, PLACES, contents, size);
}

/* Write a float with an exponent. If it needs fewer digits than others, it is filled up with its real digits,
 * not with zeros. */
static void put_with_exponent(js_text *out, const uint8_t *contents, uint64_t size, const js_digits *digits)
{
    char text[MOST_CHARACTERS];
    bool has_all = digits->places == PLACES; /* then no other form is shorter */
    if (!has_all) {
        put_shortest(text, sizeof text, contents, size);
    }
    if (has_all || places_of(text, strcspn(text, "e")) < digits->places) {
        put_number(text, sizeof text, true, digits->places, contents, size);
    }
    size_t end = strcspn(text, "e");
    const char *point = memchr(text, '.', end);
    int power = text[end] ? atoi(text + end + 1) : 0;
    js_text_putn(out, text, point ? (size_t)(point - text) + 1 + (size_t)digits->places : end);
    js_text_put(out, point ? "" : ".");
    js_text_printf(out, "e%c%0*d", power < 0 ? '-' : '+', digits->exponent, abs(power));
}

void js_put_float_in_array(js_text *out, const uint8_t *contents, uint64_t size, const js_digits *digits)
{
    char text[MOST_CHARACTERS];
    if (!digits || !is_finite(contents, size)) {
        js_put_float(out, contents, size, true);
    } else if (digits->has_exponent) {
        put_with_exponent(out, contents, size, digits);
    } else {
        put_fixed(text, sizeof text, contents, size);
        const char *point = strchr(text, '.');
        js_text_putn(out, text, (size_t)(point ? point - text + 1 + places_of(text, strlen(text)) : 0));
    }
}

/* ---- columns of an array ---- */

typedef struct extent {
    long double least, most; /* among the numbers that are neither zero nor infinite */
} extent;

/* Called for all numbers of one column, one after the other. */
typedef void visit_fn(js_digits *digits, extent *found, const uint8_t *contents, uint64_t size);

static void measure(js_digits *digits, extent *found, const uint8_t *contents, uint64_t size)
{
    (void)digits;
    long double value = fabsl(load(contents, size));
    if (isfinite(value) && value != 0.0L) {
        found->least = found->most == 0.0L || value < found->least ? value : found->least;
        found->most = value > found->most ? value : found->most;
    }
}

static void widen(js_digits *digits, extent *found, const uint8_t *contents, uint64_t size)
{
    (void)found;
    char text[MOST_CHARACTERS];
    if (!is_finite(contents, size)) {
        return;
    }
    if (digits->places == PLACES) { /* no number can have more places: only its exponent counts */
        put_number(text, sizeof text, true, PLACES, contents, size);
    } else {
        put_shortest(text, sizeof text, contents, size);
    }
    char *exponent = strchr(text, 'e');
    int places = places_of(text, (size_t)(exponent - text));
    int figures = (int)strlen(exponent + 2);
    digits->places = places > digits->places ? places : digits->places;
    digits->exponent = figures > digits->exponent ? figures : digits->exponent;
}

/* True if the column is written with exponents. NumPy compares in the elements' own precision; from 2.3 on
 * its upper limit is that of the type. */
static bool needs_exponent(const extent *found, uint64_t size)
{
    if (found->most == 0.0L) {
        return false;
    }
    if (size == 2) { /* 0.0001 and 1000 as they are rounded to halves */
        double least = (double)found->least, most = (double)found->most;
        return most >= 1e3 || least < 0x1.a38p-14 || most / least > 1000.25;
    }
    if (size == 4) {
        float least = (float)found->least, most = (float)found->most;
        return most >= 1e6F || least < 0.0001F || most / least > 1000.0F;
    }
    if (size == 16) {
        return found->most >= 1e8L || found->least < 0.0001L || found->most / found->least > 1000.0L;
    }
    double least = (double)found->least, most = (double)found->most;
    return most >= 1e8 || least < 0.0001 || most / least > 1000.0;
}

/* Where the numbers of a column are: in the array's elements, or in those of each array within them. */
typedef struct axes {
    uint64_t counts[MOST_AXES], strides[MOST_AXES];
    unsigned count;
} axes;

typedef struct visit {
    visit_fn *number;
    js_digits *digits;
    extent found;
} visit;

static void visit_axis(visit *each, const axes *all, unsigned axis, const uint8_t *contents, uint64_t size)
{
    if (axis == all->count) {
        each->number(each->digits, &each->found, contents, size);
        return;
    }
    for (uint64_t i = 0; i < all->counts[axis]; i++) {
        visit_axis(each, all, axis + 1, contents + i * all->strides[axis], size);
    }
}

static void init_digits(js_digits *digits, const axes *all, const uint8_t *raw, uint64_t size)
{
    visit each = {.number = measure, .digits = digits};
    visit_axis(&each, all, 0, raw, size);
    digits->has_exponent = needs_exponent(&each.found, size);
    if (digits->has_exponent) {
        each.number = widen;
        visit_axis(&each, all, 0, raw, size);
    }
}

typedef struct budget {
    uint64_t limit, numbers, columns;
} budget;

static int init(js_columns *columns, const js_type *type, const uint8_t *raw, const axes *outer, budget *left)
{
    axes all = *outer;
    size_t ninner = 0;
    switch (type->kind) {
    case JS_KIND_FLOAT:
    case JS_KIND_COMPLEX: {
        uint64_t parts = type->kind == JS_KIND_COMPLEX ? 2 : 1, numbers = parts;
        for (unsigned i = 0; i < all.count && numbers <= left->numbers; i++) {
            numbers *= all.counts[i];
        }
        if (numbers > left->numbers) {
            return JS_ELIMIT;
        }
        left->numbers -= numbers;
        for (uint64_t i = 0, size = type->size / parts; i < parts; i++) {
            init_digits(&columns->parts[i], &all, raw + i * size, size);
        }
        return JS_OK;
    }
    case JS_KIND_ARRAY:
        if (!type->dims || all.count == MOST_AXES) {
            return type->dims ? JS_ELIMIT : JS_OK;
        }
        all.strides[all.count] = type->target->size;
        all.counts[all.count++] = type->count < left->limit ? type->count : left->limit;
        ninner = 1;
        break;
    case JS_KIND_RECORD:
        ninner = type->nmembers;
        break;
    default:
        return JS_OK;
    }
    if (ninner > left->columns) {
        return JS_ELIMIT;
    }
    left->columns -= ninner;
    columns->inner = ninner ? calloc(ninner, sizeof *columns->inner) : NULL;
    if (ninner && !columns->inner) {
        return JS_ENOMEM;
    }
    columns->ninner = ninner;
    int status = JS_OK;
    for (size_t i = 0; i < ninner && status == JS_OK; i++) {
        bool is_array = type->kind == JS_KIND_ARRAY;
        status = init(&columns->inner[i], is_array ? type->target : type->members[i].type,
                      raw + (is_array ? 0 : type->members[i].offset), &all, left);
    }
    return status;
}

int js_columns_init(js_columns *columns, const js_type *type, const uint8_t *raw, uint64_t count,
                    uint64_t limit)
{
    *columns = (js_columns){0};
    axes all = {.counts = {count}, .strides = {type->size}, .count = 1};
    budget left = {.limit = limit, .numbers = MOST_NUMBERS, .columns = MOST_COLUMNS};
    int status = init(columns, type, raw, &all, &left);
    if (status) {
        js_columns_deinit(columns);
    }
    return status;
}

void js_columns_deinit(js_columns *columns)
{
    for (size_t i = 0; i < columns->ninner; i++) {
        js_columns_deinit(&columns->inner[i]);
    }
    free(columns->inner);
    *columns = (js_columns){0};
}
