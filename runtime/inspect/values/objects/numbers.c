/* Writes dates, times and decimal numbers of the interpreter as repr() does. */
#include <inttypes.h>

#include "values/base/rendering.h"
#include "values/objects/pyobject.h"

/* ---- times ---- */

static void put_numbers(const js_writing *self, const int64_t *numbers, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        js_text_printf(self->render->out, "%s%" PRId64, i ? ", " : "", numbers[i]);
    }
}

/* Write seconds and microseconds, if there are any. */
static void put_clock(const js_writing *self, const int64_t *clock)
{
    put_numbers(self, clock, clock[3] ? 4 : clock[2] ? 3 : 2);
    if (clock[4]) {
        js_text_put(self->render->out, ", fold=1");
    }
    if (self->known->fields[0]) {
        js_text_put(self->render->out, ", tzinfo=");
        js_write(self, self->known->fields[0]);
    }
}

void js_write_time(const js_writing *self)
{
    static const char *const names[] = {"days", "seconds", "microseconds"};
    js_text *out = self->render->out;
    const int64_t *numbers = self->known->numbers;
    bool is_first = true;
    js_text_printf(out, "%s(", self->object->class_name);
    switch (self->known->form) {
    case JS_FORM_DATE:
        put_numbers(self, numbers, 3);
        break;
    case JS_FORM_DATETIME:
        put_numbers(self, numbers, 3);
        js_text_put(out, ", ");
        put_clock(self, numbers + 3);
        break;
    case JS_FORM_TIME:
        put_clock(self, numbers);
        break;
    default:
        for (unsigned i = 0; i < 3; i++) {
            if (numbers[i]) {
                js_text_printf(out, "%s%s=%" PRId64, is_first ? "" : ", ", names[i], numbers[i]);
                is_first = false;
            }
        }
        js_text_put(out, is_first ? "0" : "");
        break;
    }
    js_text_put(out, ")");
}

void js_write_zone(const js_writing *self)
{
    js_text *out = self->render->out;
    js_text_put(out, self->known->fields[0] ? "datetime.timezone(" : "datetime.timezone.utc");
    if (self->known->fields[0]) {
        js_write(self, self->known->fields[0]);
        if (self->known->fields[1]) {
            js_text_put(out, ", ");
            js_write(self, self->known->fields[1]);
        }
        js_text_put(out, ")");
    }
}

/* ---- numbers ---- */

/* Write a Decimal as Decimal.__str__ does: to-scientific-string of the General Decimal Arithmetic. */
bool js_write_decimal(const js_writing *self)
{
    enum { WORDS = 16, DIGITS = 19, NEGATIVE = 1, INFINITE = 2, QUIET = 4, SIGNALING = 8 };
    const int64_t *numbers = self->known->numbers;
    int64_t exponent = numbers[1], count = numbers[2];
    uint64_t words[WORDS], nwords = (uint64_t)numbers[3];
    char digits[WORDS * DIGITS + 1];
    js_text *out = self->render->out;
    const char *sign = numbers[0] & NEGATIVE ? "-" : "";
    if (numbers[0] & INFINITE) {
        js_text_printf(out, "Decimal('%sInfinity')", sign);
        return true;
    }
    if (count < 0 || nwords > WORDS || (uint64_t)count > nwords * DIGITS ||
        js_render_read(self->render, self->known->data, words, nwords * 8)) {
        return false;
    }
    for (uint64_t i = 0; i < (uint64_t)count; i++) {
        digits[(uint64_t)count - 1 - i] = (char)('0' + words[i / DIGITS] % 10);
        words[i / DIGITS] /= 10;
    }
    digits[count] = '\0';
    if (numbers[0] & (QUIET | SIGNALING)) {
        js_text_printf(out, "Decimal('%s%sNaN%s')", sign, numbers[0] & SIGNALING ? "s" : "", digits);
        return true;
    }
    int64_t point = exponent + count; /* number of digits before the point */
    bool is_plain = exponent <= 0 && point > -6;
    if (!is_plain) {
        int64_t adjusted = point - 1;
        js_text_printf(out, "Decimal('%s%.1s%s%sE%+" PRId64 "')", sign, digits, count > 1 ? "." : "",
                       digits + 1, adjusted);
        return true;
    }
    js_text_printf(out, "Decimal('%s", sign);
    if (point <= 0) {
        js_text_put(out, "0.");
        for (int64_t i = point; i < 0; i++) {
            js_text_put(out, "0");
        }
        js_text_put(out, digits);
    } else {
        js_text_printf(out, "%.*s%s%s", (int)point, digits, point < count ? "." : "", digits + point);
    }
    js_text_put(out, "')");
    return true;
}
