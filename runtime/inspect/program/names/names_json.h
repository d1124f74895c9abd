/* Names as JSON, for the shell command `jitscope filt`, which calls the library by ctypes. */
#ifndef JS_PROGRAM_NAMES_NAMES_JSON_H
#define JS_PROGRAM_NAMES_NAMES_JSON_H

#include "program/names/names.h"

/* Append {"kind": …, "module": …, "qualname": …, "arguments": …, "uid": …, "flags": …, "object_mode": …,
   "signature": …}. JS_ENOMEM, or the status of `out`. */
JS_API int js_name_json(const js_name *name, js_text *out);
/* Like js_name_json(), for a symbol that ends with a NUL; the caller frees *out by js_free(). */
JS_API int js_api_name_json(const char *symbol, char **out);
/* Like js_names_filter(), into new memory that ends with a NUL and that the caller frees by js_free(); *count
 * receives the length in bytes without the NUL. */
JS_API int js_api_names_filter(const char *text, size_t length, char **out, size_t *count);

#endif
