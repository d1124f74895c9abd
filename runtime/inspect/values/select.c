#include "values/render.h"
int js_value_select(js_types *types, const js_value *value, js_bytes *bytes, const char *path, js_value *out,
                    js_text *why)
{
    (void)types;
    (void)value;
    (void)bytes;
    (void)path;
    (void)out;
    (void)why;
    return JS_EUNSUP;
}
