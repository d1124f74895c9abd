/* Numba's typed containers and jitclass instances, as the interpreter holds them. */
#ifndef JS_LAYOUTS_NUMBA_BOXED_H
#define JS_LAYOUTS_NUMBA_BOXED_H

#include "bytes/text.h"
#include "layouts/cpython/object.h"

/* The type's text, and what a variable of compiled code would hold; JS_ENOTFOUND: the object is none. */
int js_boxed_read(js_bytes *bytes, const js_python_object *object, char *type, size_t room,
                  uint64_t contents[2]);
/* Read the text of the type that a DeferredType object defers to (numba/core/types/misc.py); JS_ENOTFOUND:
 * that is no instance's. */
int js_boxed_deferred(js_bytes *bytes, uint64_t address, char *type, size_t room);
/* The text of the record type that has this number in Numba's table of all types; JS_ENOTFOUND. */
JS_API int js_boxed_coded(js_bytes *bytes, uint64_t table, uint64_t code, char *text, size_t room);
/* Where the last look at the table ended; zeros: nowhere. */
typedef struct js_boxed_cursor {
    uint64_t entries, slots, last;
} js_boxed_cursor;

/* The classes that named tuples and enums which have come into the table since are of: a line "ADDRESS NAME"
 * each. Some may be reported again. */
JS_API int js_boxed_classes(js_bytes *bytes, uint64_t table, js_boxed_cursor *cursor, js_text *out);
#endif
