/* The offsets of the fields of CPython that this library reads: one row for each minor version, and for each
 * that has a free-threaded build another, or what the target itself declares (_Py_DebugOffsets, CPython
 * >= 3.13). */
#ifndef JS_STACKS_CPYTHON_OFFSETS_H
#define JS_STACKS_CPYTHON_OFFSETS_H

#include <stdbool.h>

#include "bytes/reader.h"

/* In bytes from the start of the structure; 0 if a version lacks the field.
 * tests/oracle/python_stacks/offsets_print.c has the name of each field's member in CPython. */
#define JS_PYTHON_OFFSETS(X)                                                                                 \
    X(version)       /* PY_VERSION_HEX >> 16 */                                                              \
    X(free_threaded) /* 1: a build without a GIL, where only an extension may make one */                    \
    X(interpreters_head)                                                                                     \
    X(interp_next)                                                                                           \
    X(interp_id)                                                                                             \
    X(interp_threads)                                                                                        \
    X(interp_runtime)                                                                                        \
    X(interp_gil)  /* >= 3.12: pointer in the interpreter */                                                 \
    X(runtime_gil) /* <= 3.11: in the runtime */                                                             \
    X(gil_enabled) /* free-threaded: 0, the first member of the lock; other than 0: there is a GIL */        \
    X(gil_locked)                                                                                            \
    X(gil_holder)                                                                                            \
    X(thread_prev)                                                                                           \
    X(thread_next)                                                                                           \
    X(thread_interp)                                                                                         \
    X(thread_id)                                                                                             \
    X(thread_pthread)                                                                                        \
    X(thread_native)                                                                                         \
    X(thread_frame) /* 3.11, 3.12: offset of cframe */                                                       \
    X(thread_root_cframe)                                                                                    \
    X(cframe_current)                                                                                        \
    X(cframe_previous)                                                                                       \
    X(frame_size)                                                                                            \
    X(frame_previous)                                                                                        \
    X(frame_code)                                                                                            \
    X(frame_instruction) /* <= 3.10: f_lasti */                                                              \
    X(frame_owner)                                                                                           \
    X(frame_copy) /* free-threaded, >= 3.14: index of the copy of the bytecode that it runs */               \
    X(frame_is_entry)                                                                                        \
    X(code_size)                                                                                             \
    X(code_filename)                                                                                         \
    X(code_name)                                                                                             \
    X(code_firstlineno)                                                                                      \
    X(code_linetable)                                                                                        \
    X(code_qualname)                                                                                         \
    X(code_code)   /* <= 3.10: pointer to bytes */                                                           \
    X(code_copies) /* free-threaded, >= 3.14: the copies of the bytecode, one for a thread */                \
    X(object_type)                                                                                           \
    X(object_size)                                                                                           \
    X(type_name)                                                                                             \
    X(type_members)                                                                                          \
    X(bytes_data)                                                                                            \
    X(str_length)                                                                                            \
    X(str_state)                                                                                             \
    X(str_ascii)                                                                                             \
    X(str_compact)                                                                                           \
    X(str_kind_bit)                                                                                          \
    X(str_compact_bit)                                                                                       \
    X(str_ascii_bit)                                                                                         \
    X(member_size)                                                                                           \
    X(member_offset)                                                                                         \
    X(gil_wait)     /* the condition variable that threads wait for */                                       \
    X(frame_locals) /* for code that is no function: the dict of its names */                                \
    X(frame_globals)                                                                                         \
    X(frame_slots)                                                                                           \
    X(code_flags)                                                                                            \
    X(code_arguments)                                                                                        \
    X(code_keywords)                                                                                         \
    X(code_slot_names) /* <= 3.10: names of variables without a cell */                                      \
    X(code_slot_kinds)                                                                                       \
    X(code_cell_names)                                                                                       \
    X(code_free_names)                                                                                       \
    X(code_first_traced) /* index of the instruction before which a frame is being set up */                 \
    X(code_names)        /* names of globals and attributes */                                               \
    X(code_exceptions)   /* >= 3.11: the exception table */                                                  \
    X(frame_stack)       /* <= 3.10: pointer to the value stack */                                           \
    X(frame_block_count) /* <= 3.10: number of blocks, and the blocks */                                     \
    X(frame_blocks)                                                                                          \
    X(frame_top)       /* end of the value stack of a suspended frame: an index; 3.9, >= 3.14: an address */ \
    X(frame_state)     /* 3.10 */                                                                            \
    X(generator_frame) /* <= 3.10: pointer to it */                                                          \
    X(generator_state) /* 3.9: whether it runs */                                                            \
    X(generator_name)  /* its qualified name */                                                              \
    X(interp_modules)  /* pointer to sys.modules */                                                          \
    X(interp_gc)       /* the garbage collector's state */

typedef struct js_python_offsets {
#define JS_PYTHON_OFFSET_FIELD(name) uint32_t name;
    JS_PYTHON_OFFSETS(JS_PYTHON_OFFSET_FIELD)
#undef JS_PYTHON_OFFSET_FIELD
} js_python_offsets;

enum {
    JS_PYTHON_3_9 = 0x0309,
    JS_PYTHON_3_10 = 0x030a,
    JS_PYTHON_3_11 = 0x030b,
    JS_PYTHON_3_12 = 0x030c,
    JS_PYTHON_3_13 = 0x030d,
    JS_PYTHON_3_14 = 0x030e,
    JS_PYTHON_3_15 = 0x030f,
};

/* Return the row of a minor version (0x030b: 3.11), of its free-threaded build or of the one with a GIL;
 * NULL: there is none. */
const js_python_offsets *js_python_offsets_of(uint32_t minor, bool is_free_threaded);

/* Read what the target declares at `runtime`. JS_ENOTFOUND: there is no declaration, so that the version is
 * older than 3.13; JS_EUNSUP: a version whose declaration is not known; JS_EBAD: offsets that are impossible.
 */
int js_python_offsets_declared(js_bytes *bytes, uint64_t runtime, uint32_t *version, js_python_offsets *out);

#endif
