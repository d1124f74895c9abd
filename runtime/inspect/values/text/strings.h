/* Writes texts as repr(), str() and JSON do. Internal to values/. */
#ifndef JS_VALUES_TEXT_STRINGS_H
#define JS_VALUES_TEXT_STRINGS_H

#include "values/base/rendering.h"

/* Write `count` characters with quotes and escapes, as a str or as bytes. */
void js_put_repr(js_text *out, const uint32_t *codes, uint64_t count, bool is_bytes);
/* Write b'…' as repr() of a bytearray does. */
void js_put_repr_mutable(js_text *out, const uint32_t *codes, uint64_t count);
/* Write `count` characters as UTF-8. */
void js_put_utf8(js_text *out, const uint32_t *codes, uint64_t count);
/* Write `count` characters as a JSON string. Half of a surrogate pair, which has no UTF-8, is written as \u.
 */
void js_put_json(js_text *out, const uint32_t *codes, uint64_t count);
/* Write a text as repr() does, or as str() does; as JSON; the text of a literal. */
void js_render_string(js_render *render, const js_type *type, const uint8_t *contents, bool as_str);
void js_json_string(js_render *render, const js_type *type, const uint8_t *contents);
void js_render_literal(js_render *render, const js_type *type);
void js_json_literal(js_render *render, const js_type *type);

#endif
