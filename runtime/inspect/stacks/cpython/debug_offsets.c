/* Reads _Py_DebugOffsets at the start of _PyRuntime: CPython 3.13 Include/internal/pycore_runtime.h, 3.14
 * Include/internal/pycore_debug_offsets.h. It consists of 64-bit words after an 8-byte cookie; 3.14 and 3.15
 * have inserted more of them. */
#include "stacks/cpython/offsets.h"

#include <stddef.h>
#include <string.h>

enum {
    COOKIE_SIZE = 8,
    WORD_COUNT = 90,
    WORD_VERSION = 0,
    WORD_FREE_THREADED = 1,
    MAX_SIZE = 16 << 20, /* PyInterpreterState, the largest structure, has 0.3 MB in 3.14 */
};

/* A field: the word that declares it, and the word with the size of the structure that it must be in, for
 * 3.13, 3.14 and 3.15. Word 0: it is not declared. */
typedef struct debug_field {
    uint16_t at;
    uint8_t word[3];
    uint8_t size_word[3];
    uint8_t width;
} debug_field;

#define RUNTIME                                                                                              \
    {                                                                                                        \
        2, 2, 2                                                                                              \
    }
#define INTERPRETER                                                                                          \
    {                                                                                                        \
        5, 5, 5                                                                                              \
    }
#define THREAD                                                                                               \
    {                                                                                                        \
        18, 21, 21                                                                                           \
    }
#define FRAME                                                                                                \
    {                                                                                                        \
        27, 30, 38                                                                                           \
    }
#define CODE                                                                                                 \
    {                                                                                                        \
        33, 38, 46                                                                                           \
    }
#define OBJECT                                                                                               \
    {                                                                                                        \
        43, 49, 57                                                                                           \
    }
#define TYPE                                                                                                 \
    {                                                                                                        \
        45, 51, 59                                                                                           \
    }
#define GENERATOR                                                                                            \
    {                                                                                                        \
        0, 82, 0                                                                                             \
    }
#define FIELD(name, w13, w14, w15, owner, bytes)                                                             \
    {                                                                                                        \
        offsetof(js_python_offsets, name), {w13, w14, w15}, owner, bytes                                     \
    }

static const debug_field fields[] = {
    FIELD(interpreters_head, 4, 4, 4, RUNTIME, 8),  FIELD(interp_id, 6, 6, 6, INTERPRETER, 8),
    FIELD(interp_next, 7, 7, 7, INTERPRETER, 8),    FIELD(interp_threads, 8, 8, 8, INTERPRETER, 8),
    FIELD(interp_gil, 13, 14, 14, INTERPRETER, 8),  FIELD(thread_prev, 19, 22, 22, THREAD, 8),
    FIELD(thread_next, 20, 23, 23, THREAD, 8),      FIELD(thread_interp, 21, 24, 24, THREAD, 8),
    FIELD(thread_frame, 22, 25, 25, THREAD, 8),     FIELD(thread_pthread, 23, 26, 29, THREAD, 8),
    FIELD(thread_native, 24, 27, 30, THREAD, 8),    FIELD(frame_previous, 28, 31, 39, FRAME, 8),
    FIELD(frame_code, 29, 32, 40, FRAME, 8),        FIELD(frame_instruction, 30, 33, 41, FRAME, 8),
    FIELD(frame_size, 31, 34, 42, FRAME, 8), /* localsplus, where the fixed part ends */
    FIELD(frame_owner, 32, 35, 43, FRAME, 1),       FIELD(code_filename, 34, 39, 47, CODE, 8),
    FIELD(code_name, 35, 40, 48, CODE, 8),          FIELD(code_qualname, 36, 41, 49, CODE, 8),
    FIELD(code_linetable, 37, 42, 50, CODE, 8),     FIELD(code_firstlineno, 38, 43, 51, CODE, 4),
    FIELD(code_code, 42, 47, 55, CODE, 1),          FIELD(object_type, 44, 50, 58, OBJECT, 8),
    FIELD(type_name, 46, 52, 60, TYPE, 8),          FIELD(frame_slots, 31, 34, 42, FRAME, 8),
    FIELD(code_arguments, 39, 44, 52, CODE, 4),     FIELD(code_slot_names, 40, 45, 53, CODE, 8),
    FIELD(code_slot_kinds, 41, 46, 54, CODE, 8),    FIELD(frame_copy, 0, 37, 45, FRAME, 4),
    FIELD(code_copies, 0, 48, 56, CODE, 8),         FIELD(interp_modules, 10, 11, 11, INTERPRETER, 8),
    FIELD(interp_gc, 9, 10, 10, INTERPRETER, 8),    FIELD(frame_top, 0, 36, 44, FRAME, 8),
    FIELD(generator_frame, 0, 84, 0, GENERATOR, 1), FIELD(generator_state, 0, 85, 0, GENERATOR, 1),
};

int js_python_offsets_declared(js_bytes *bytes, uint64_t runtime, uint32_t *version, js_python_offsets *out)
{
    struct {
        char cookie[COOKIE_SIZE];
        uint64_t words[WORD_COUNT];
    } declared;
    int status = js_bytes_read(bytes, runtime, &declared, sizeof declared);
    if (status < 0) {
        return status;
    }
    if (memcmp(declared.cookie, "xdebugpy", COOKIE_SIZE) != 0) {
        return JS_ENOTFOUND;
    }
    const uint64_t *words = declared.words;
    if (words[WORD_VERSION] > UINT32_MAX || words[WORD_FREE_THREADED] > 1) {
        return JS_EUNSUP;
    }
    *version = (uint32_t)words[WORD_VERSION];
    uint32_t minor = *version >> 16;
    unsigned release_level = *version >> 4 & 0xf; /* patchlevel.h: 0xC is a release candidate, 0xF final */
    if (minor < JS_PYTHON_3_13 || minor > JS_PYTHON_3_15 || release_level < 0xc) {
        return JS_EUNSUP;
    }
    unsigned column = minor - JS_PYTHON_3_13;
    /* What the target does not declare (types, strings) has the offsets of the headers. */
    const js_python_offsets *row = js_python_offsets_of(minor, words[WORD_FREE_THREADED] == 1);
    if (!row) {
        return JS_EUNSUP;
    }
    *out = *row;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        uint64_t size = words[fields[i].size_word[column]];
        uint64_t offset = words[fields[i].word[column]];
        if (fields[i].word[column] == 0) {
            continue;
        }
        if (size > MAX_SIZE || fields[i].width > size || offset > size - fields[i].width) {
            return JS_EBAD;
        }
        memcpy((char *)out + fields[i].at, &(uint32_t){(uint32_t)offset}, sizeof(uint32_t));
    }
    /* A frame is read as a whole, up to localsplus. The head of an object tells a free-threaded build. */
    if (out->object_type != row->object_type || out->frame_previous + 8 > out->frame_size ||
        out->frame_code + 8 > out->frame_size || out->frame_instruction + 8 > out->frame_size ||
        out->frame_owner >= out->frame_size || out->frame_copy + 4 > out->frame_size) {
        return JS_EBAD;
    }
    return JS_OK;
}
