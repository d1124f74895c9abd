/* The entry for GDB: `jit-reader-load` finds gdb_init_reader here, and every in-memory object that a JIT
 * registers passes through the callback before GDB sees it. */
#ifndef JS_READER_READER_H
#define JS_READER_READER_H

#include <stddef.h>
#include <stdint.h>

#include "bytes/status.h"

/* Receives an in-memory object: `size` bytes at `image`, borrowed for the call. Returns 1 if it has taken the
 * object, which GDB then skips; 0 to leave the object to GDB. Runs inside GDB, on its main thread, while the
 * target is stopped. */
typedef int (*js_reader_fn)(const void *image, size_t size);

/* Set the callback; NULL: GDB sees every object. GDB and ctypes share one mapping of this library, so that a
 * callback which is set by Python is called for GDB. */
JS_API void js_reader_set_callback(js_reader_fn callback);

#endif
