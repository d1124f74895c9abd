/* Reads dates and times. Source: Include/datetime.h. All but timedelta begin with {hash @16, has tzinfo @24,
 * data @25}. */
#include "layouts/cpython/internal.h"

#include <string.h>

static int64_t number_at(const uint8_t *at, unsigned size)
{
    int64_t value = 0;
    for (unsigned i = 0; i < size; i++) {
        value = value << 8 | at[i];
    }
    return value;
}

static int date_part(const js_form_search *self, unsigned date_bytes, bool has_time)
{
    uint8_t data[16];
    int64_t *numbers = self->out->numbers;
    unsigned size = date_bytes + (has_time ? 7 : 0);
    int status = js_bytes_read(self->bytes, js_object_member(self->object, 24), data, 1 + (size_t)size);
    if (status) {
        return status;
    }
    const uint8_t *at = data + 1;
    if (date_bytes) {
        numbers[0] = number_at(at, 2);
        numbers[1] = at[2];
        numbers[2] = at[3];
        numbers += 3;
        at += 4;
    }
    if (has_time) {
        numbers[0] = at[0];
        numbers[1] = at[1];
        numbers[2] = at[2];
        numbers[3] = number_at(at + 3, 3);
        numbers[4] = at[6];
    }
    return has_time && data[0] ? js_know_word(self, date_bytes ? 40 : 32, &self->out->fields[0]) : JS_OK;
}

int js_know_date(const js_form_search *self)
{
    self->out->form = JS_FORM_DATE;
    return date_part(self, 4, false);
}

int js_know_time(const js_form_search *self)
{
    self->out->form = JS_FORM_TIME;
    return date_part(self, 0, true);
}

int js_know_datetime(const js_form_search *self)
{
    self->out->form = JS_FORM_DATETIME;
    return date_part(self, 4, true);
}

int js_know_timedelta(const js_form_search *self)
{
    int32_t parts[3];
    self->out->form = JS_FORM_TIMEDELTA;
    int status = js_bytes_read(self->bytes, js_object_member(self->object, 24), parts, sizeof parts);
    for (unsigned i = 0; status == JS_OK && i < 3; i++) {
        self->out->numbers[i] = parts[i];
    }
    return status;
}

int js_know_timezone(const js_form_search *self)
{
    js_python_object offset;
    js_object_known known = {0};
    int status = js_know_words(self, JS_FORM_TIMEZONE, 16, 2);
    status = status ? status : js_object_read(self->bytes, self->out->fields[0], &offset);
    if (status == JS_OK && strcmp(offset.class_name, "datetime.timedelta") == 0) {
        const js_form_search of_offset = {self->bytes, &offset, &known};
        status = js_know_timedelta(&of_offset);
    }
    if (status == JS_OK && known.form == JS_FORM_TIMEDELTA && !self->out->fields[1] && !known.numbers[0] &&
        !known.numbers[1] && !known.numbers[2]) {
        self->out->fields[0] = 0;
    }
    return status;
}
