/* Writes values as text and as JSON: one function for each kind. Internal to values/. */
#ifndef JS_VALUES_RENDER_RENDER_H
#define JS_VALUES_RENDER_RENDER_H

#include "values/base/rendering.h"

/* The writers of the values of a js_render (value.c). */
extern const js_writers js_value_writers;
/* Write any value as text; as JSON. */
void js_write_text(js_render *render, const js_type *type, const uint8_t *contents);
void js_write_json(js_render *render, const js_type *type, const uint8_t *contents);

/* Write an array as repr() does. */
void js_render_array(js_render *render, const js_type *type, const uint8_t *contents);
/* Write the array as str() does: [0. 1. 2.] */
void js_render_array_str(js_render *render, const js_type *type, const uint8_t *contents);
void js_render_items(js_render *render, const js_type *type, const uint8_t *contents, bool as_str);
void js_render_object(js_render *render, const js_type *type, const uint8_t *contents);
void js_render_iterator(js_render *render, const js_type *type, const uint8_t *contents);
void js_render_range(js_render *render, const js_type *type, const uint8_t *contents);
void js_render_generator(js_render *render, const js_type *type, const uint8_t *contents);
void js_render_managed(js_render *render, const js_type *type, const uint8_t *contents);
void js_render_function(js_render *render, const js_type *type, const uint8_t *contents);
void js_json_items(js_render *render, const js_type *type, const uint8_t *contents);
void js_json_object(js_render *render, const js_type *type, const uint8_t *contents);

#endif
