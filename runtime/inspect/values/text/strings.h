/* Texts as repr(), str() and JSON have them. Internal to values/. */
#ifndef JS_VALUES_TEXT_STRINGS_H
#define JS_VALUES_TEXT_STRINGS_H

#include "values/base/rendering.h"

void js_put_repr(js_text *out, const uint32_t *codes, uint64_t count, bool is_bytes);
/* b'…' as a bytearray has it. */
void js_put_repr_mutable(js_text *out, const uint32_t *codes, uint64_t count);
void js_put_utf8(js_text *out, const uint32_t *codes, uint64_t count);
void js_render_string(js_render *render, const js_type *type, const uint8_t *contents, bool as_str);
void js_json_string(js_render *render, const js_type *type, const uint8_t *contents);
void js_render_literal(js_render *render, const js_type *type);
void js_json_literal(js_render *render, const js_type *type);

#endif
