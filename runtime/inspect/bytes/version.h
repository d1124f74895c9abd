/* The version of jitscope that this library was built from. Its callers refuse another version's. */
#ifndef JS_BYTES_VERSION_H
#define JS_BYTES_VERSION_H

#include "bytes/status.h"

/* "0.1.0", as in meson.build; static storage. */
JS_API const char *js_version(void);

#endif
