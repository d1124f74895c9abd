/* The version of jitscope that this library was built from. gdbext refuses a library of another version. */
#ifndef JS_BYTES_VERSION_H
#define JS_BYTES_VERSION_H

#include "bytes/status.h"

/* Return the version of meson.build, such as "0.1.0"; static storage. */
JS_API const char *js_version(void);

#endif
