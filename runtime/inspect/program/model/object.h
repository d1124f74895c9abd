/* One in-memory object, decoded into a model that is the same for every JIT. read/ creates it; write/ writes
 * it back as ELF and DWARF. */
#ifndef JS_PROGRAM_MODEL_OBJECT_H
#define JS_PROGRAM_MODEL_OBJECT_H

#include "program/model/function.h"

typedef struct js_object_symbol {
    const char *name; /* linkage name */
    uint64_t address, size;
    bool is_function;
} js_object_symbol;

/* An address in the code that the loader fills with a symbol's address. */
typedef struct js_reference {
    uint64_t pc; /* address of the bytes that are filled in */
    const char *name;
} js_reference;

typedef struct js_file {
    const char *directory; /* compilation directory */
    const char *path;      /* as in the object; absolute, or relative to directory */
    const char *absolute;  /* directory and path joined */
} js_file;

/* Call frame information, relocated. */
typedef struct js_frames {
    const uint8_t *data; /* NULL when absent */
    size_t size;
    uint64_t address;
} js_frames;

/* One entry of it (an FDE with its CIE): the code [low, low + length), and DWARF's instructions for its rows.
 */
typedef struct js_frame_entry {
    uint64_t low, length;
    const uint8_t *initial, *rows; /* the instructions before the rows, and those of the rows */
    size_t initial_size, size;
    uint64_t code_alignment;
    int64_t data_alignment;
    unsigned return_register;
} js_frame_entry;

/* One in-memory object, decoded. All it points to lives in the arena. */
struct js_object {
    js_arena arena;
    unsigned id;
    uint16_t machine; /* EM_X86_64, EM_AARCH64 */
    js_function *functions;
    size_t nfunctions;
    js_object_symbol *symbols;
    size_t nsymbols;
    js_reference *references; /* from code to functions of the compiler and its runtime, and to stops */
    size_t nreferences;
    uint64_t *entries; /* addresses of code that the object's data holds, such as jump tables; in order */
    size_t nentries;
    js_file *files;
    size_t nfiles;
    uint64_t lo, hi;    /* addresses of executable code */
    js_frames eh_frame; /* for functions that an exception may leave; debug_frame has the others */
    js_frames debug_frame;
    bool asks_to_stop;                /* its code calls the compiler's own function to stop in */
    bool has_kernels, has_generators; /* among its functions; most objects have none and are passed over */
    bool is_judged;                   /* js_program_find_truths() has nothing more to find in it */
    bool was_there;      /* it came before the debugger: its loops may run in their form without markers */
    unsigned newer_hook; /* format of the compiler hook that made it, if too new for this library; else 0 */
    bool returns_status; /* its functions are called as program/names/numba/return_convention.h says */
    const char *advice;  /* the setting that keeps every variable; NULL: none is known */
};

/* Read the next entry of `from` that describes code of the object. *offset: where to go on; 0 at first.
 * is_eh: `from` is the object's eh_frame. Return false after the last one. */
bool js_frames_next(const js_object *object, const js_frames *from, bool is_eh, uint64_t *offset,
                    js_frame_entry *entry);

#endif
