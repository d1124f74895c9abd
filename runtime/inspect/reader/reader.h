/* The debugger's entry: GDB's `jit-reader-load` finds gdb_init_reader here, and every in-memory object that
 * the JIT registers passes through the callback before GDB sees it. */
#ifndef JS_READER_READER_H
#define JS_READER_READER_H

#include <stddef.h>
#include <stdint.h>

#include "bytes/status.h"

/* `image`: the in-memory object's bytes, borrowed for the call. Return 1 when the object was taken (GDB then
 * skips it), 0 to hand it to GDB untouched. Runs inside GDB, on its main thread, while the target is stopped.
 */
typedef int (*js_reader_fn)(const void *image, size_t size);

/* One mapping of this library serves GDB and ctypes, so what is set here is seen there. NULL: untouched.
 */
JS_API void js_reader_set_callback(js_reader_fn callback);

#endif
