/* Gives the result of a step of a path: a value, or the reason why there is none. */
#include <stdarg.h>
#include <stdio.h>

#include "values/base/value.h"
#include "values/select/select.h"

int js_select_fail(const js_selection *selection, int status, const char *format, ...)
{
    if (selection->why) {
        char line[512];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(line, sizeof line, format, arguments);
        va_end(arguments);
        js_text_put(selection->why, line);
    }
    return status;
}

int js_select_part(const js_value *value, const js_type *type, uint64_t offset, js_value *out)
{
    if (offset > value->type->size || type->size > value->type->size - offset) {
        return JS_EBAD;
    }
    int status = js_value_init(out, type, value->contents + offset, type->size);
    if (status == JS_OK && value->has_address) {
        out->has_address = true;
        out->address = value->address + offset;
    }
    return status;
}

int js_select_int(const js_selection *selection, uint64_t number, js_value *out)
{
    const js_type *type;
    int status = js_types_get(selection->types, "int64", NULL, &type);
    return status ? status : js_value_init(out, type, &number, sizeof number);
}

int js_select_memory(const js_selection *selection, const js_type *type, uint64_t address, js_value *out)
{
    int status = js_value_init_at(out, type, selection->bytes, address);
    if (status == JS_EFAULT || status == JS_ELIMIT) {
        return js_select_fail(selection, status, "<unreadable: 0x%llx (%llu bytes)>",
                              (unsigned long long)address, (unsigned long long)type->size);
    }
    return status;
}

int js_select_wrap(int64_t index, int64_t length, int64_t *out)
{
    if (index < -length || index >= length) {
        return JS_ELIMIT;
    }
    *out = index < 0 ? index + length : index;
    return JS_OK;
}
