/* Makes and frees values. */

#include <stdlib.h>
#include <string.h>

#include "bytes/watch.h"

#include "values/base/rendering.h"
#include "values/base/value.h"

void js_render_options_init(js_render_options *options)
{
    *options = (js_render_options){.elements = 200, .repeats = 10, .depth = 20, .max_bytes = 64 << 10};
}

static int allocate(js_value *value, const js_type *type)
{
    *value = (js_value){.type = type};
    if (!type) {
        return JS_EARG;
    }
    if (type->size > JS_VALUE_SIZE) {
        return JS_ELIMIT;
    }
    value->contents = malloc(type->size ? type->size : 1);
    return value->contents ? JS_OK : JS_ENOMEM;
}

int js_value_init(js_value *value, const js_type *type, const void *contents, size_t size)
{
    *value = (js_value){.type = type};
    if (!type || size < type->size || (!contents && type->size)) {
        return JS_EARG;
    }
    int status = allocate(value, type);
    if (status == JS_OK && type->size) {
        memcpy(value->contents, contents, type->size);
    }
    return status;
}

int js_value_init_at(js_value *value, const js_type *type, js_bytes *bytes, uint64_t address)
{
    int status = allocate(value, type);
    if (status) {
        return status;
    }
    status = bytes ? js_bytes_read_elements(bytes, address, value->contents, type->size) : JS_EFAULT;
    if (status) {
        js_value_deinit(value);
        return status;
    }
    value->has_address = true;
    value->address = address;
    return JS_OK;
}

void js_value_deinit(js_value *value)
{
    free(value->contents);
    *value = (js_value){0};
}
