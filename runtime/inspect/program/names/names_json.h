/* Names for callers without a C compiler: ctypes in GDB and in the shell commands. */
#ifndef JS_PROGRAM_NAMES_NAMES_JSON_H
#define JS_PROGRAM_NAMES_NAMES_JSON_H

#include "program/names/names.h"

/* {"kind": …, "module": …, "qualname": …, "arguments": …, "uid": …, "flags": …, "object_mode": …,
   "signature": …} */
JS_API int js_name_json(const js_name *name, js_text *out);
/* Like js_name_json, for a NUL-terminated symbol; `out` is freed with js_free. */
JS_API int js_api_name_json(const char *symbol, char **out);
/* js_names_filter into fresh memory, NUL-terminated, freed with js_free; `length` of the result goes to
 * `count`. */
JS_API int js_api_names_filter(const char *text, size_t length, char **out, size_t *count);

#endif
