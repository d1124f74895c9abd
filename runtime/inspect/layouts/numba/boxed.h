/* Reads Numba's typed containers and jitclass instances from the interpreter's objects, and Numba's table of
 * types. */
#ifndef JS_LAYOUTS_NUMBA_BOXED_H
#define JS_LAYOUTS_NUMBA_BOXED_H

#include "bytes/text.h"
#include "layouts/cpython/object.h"

/* Give the type's text, and the two words that a variable of compiled code would hold. JS_ENOTFOUND: the
 * object is neither a typed container nor an instance. */
int js_boxed_read(js_bytes *bytes, const js_python_object *object, char *type, size_t room,
                  uint64_t contents[2]);
/* Give the address of the MemInfo that a typed container, an instance, or the owner of an array's memory
 * holds. JS_ENOTFOUND: the object is none of them. */
int js_boxed_meminfo(js_bytes *bytes, const js_python_object *object, uint64_t *out);
/* The head of counted memory (numba/core/runtime/nrt.cpp, struct MemInfo, 0.57-0.68). */
typedef struct js_boxed_memory {
    uint64_t count, destructor, data;
    uint64_t block; /* what malloc has given for the head and the data together; 0: they are apart */
} js_boxed_memory;

/* Read the head at the address `meminfo`. Return JS_OK, or the status of a read that failed. */
JS_API int js_boxed_memory_read(js_bytes *bytes, uint64_t meminfo, js_boxed_memory *out);
/* True for the names of the functions of Numba's runtime that free counted memory. */
JS_API bool js_boxed_is_freeing(const char *function);
/* Give the text of the type that a DeferredType object defers to (numba/core/types/misc.py). JS_ENOTFOUND:
 * that is no type of an instance. */
int js_boxed_deferred(js_bytes *bytes, uint64_t address, char *type, size_t room);
/* Give the text of the record type that has this number in Numba's table of all types. JS_ENOTFOUND. */
JS_API int js_boxed_coded(js_bytes *bytes, uint64_t table, uint64_t code, char *text, size_t room);
/* The place in the table where the last reading ended; zeros: its start. */
typedef struct js_boxed_cursor {
    uint64_t entries, slots, last;
} js_boxed_cursor;

/* Append the classes of the named tuples and enums that were added to the table since the last call: a line
 * "ADDRESS NAME" for each. Some may be reported again. */
JS_API int js_boxed_classes(js_bytes *bytes, uint64_t table, js_boxed_cursor *cursor, js_text *out);
#endif
