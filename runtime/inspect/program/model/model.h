/* What did the JIT compile? One model for every producer; the corrector writes it back as ELF and DWARF. */
#ifndef JS_PROGRAM_MODEL_MODEL_H
#define JS_PROGRAM_MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes/arena.h"
#include "layouts/type.h"
#include "program/model/area.h"
#include "program/names/names.h"
#include "program/source/flow.h"

typedef struct js_object js_object;

/* How was a function's debug information made? */
typedef enum js_level {
    JS_LEVEL_NONE,  /* not by a compiler that is known here, or not at all */
    JS_LEVEL_STOCK, /* by Numba alone */
    JS_LEVEL_EXACT, /* by the compiler hook: innermost loops are left alone */
    JS_LEVEL_STEPS, /* by the compiler hook: every line is a stop, every assigned variable is there */
} js_level;

/* Who has chosen the level, when the function was compiled. */
typedef enum js_chooser {
    JS_BY_NOBODY,   /* the compiler hook did not say, or had no part in it */
    JS_BY_DEFAULT,  /* no debugger was there */
    JS_BY_DEBUGGER, /* one was there */
    JS_BY_FASTMATH, /* nobody may choose steps for it unasked: steps would change what it computes */
    JS_BY_ENVIRONMENT,
    JS_BY_DECORATOR,
    JS_BY_COMMAND_LINE,
} js_chooser;

/* [lo, hi): absolute addresses in the target. */
typedef struct js_location {
    uint64_t lo, hi;
    const uint8_t *expr; /* DWARF 4 expression; addresses in it are absolute */
    size_t size;         /* bytes of expr */
} js_location;

/* One variable as the compiler described it: `x`, `x$1` … are several. */
typedef struct js_variable {
    const char *name; /* as in the object: "x$1" */
    const char *base; /* what the user wrote: "x" */
    unsigned version; /* 0 for "x", 1 for "x$1" … */
    bool is_argument;
    uint32_t line; /* of the first store, 1-based; 0 unknown */
    const js_type *type;
    js_location *locations; /* as read: false ones included; in address order */
    size_t nlocations;
    bool is_fresh;     /* arrays: made by its statement, of memory that it fills */
    unsigned position; /* of an argument: among all that are passed, from 1; the compiler's own count */
    bool is_within;    /* of a function in the function, which the compiler has put in line */
    bool is_index;  /* of a loop that numbers its turns, or nothing reads it: the compiler has no variable */
    bool is_absent; /* the source assigns it, and the compiler describes nothing of it (absent.h) */
    bool is_whole;  /* one expression for the whole function (an alloca that stayed in memory) */
    const js_area_slot *slot; /* where the compiler hook keeps it; NULL: it does not */
} js_variable;

/* Does a parallel kernel leave the schedule that it was passed as it is? */
typedef enum js_schedule { JS_SCHEDULE_UNSEEN, JS_SCHEDULE_KEPT, JS_SCHEDULE_LOST } js_schedule;

/* What is known of a variable at a range of addresses. */
typedef enum js_state {
    JS_STATE_EXACT,         /* expr gives the value that Python would hold at the start of this line */
    JS_STATE_OPTIMIZED_OUT, /* it has a value, which is nowhere to be had */
    JS_STATE_UNASSIGNED,    /* no path has assigned it yet */
    JS_STATE_UNKNOWN,       /* can't be told; reason says why */
} js_state;

typedef struct js_span {
    uint64_t lo, hi;
    js_state state;
    const js_variable *version; /* the current one, when it is known */
    const uint8_t *expr;        /* JS_STATE_EXACT: where it is */
    size_t size;
    const char *reason;   /* one short phrase, or NULL; static or arena storage */
    const char *computed; /* exact by what the source makes it of (js_flow_at.computed); NULL: in its place */
} js_span;

/* One variable of the source: all versions of one name. */
typedef struct js_local {
    const char *name;
    bool is_argument;
    js_variable **versions; /* in order of version; at least one */
    size_t nversions;
    js_span *spans; /* disjoint, in address order, covering the whole function */
    size_t nspans;
} js_local;

/* Columns of the compiler hook's rows. */
enum {
    JS_COLUMN_OTHER = 0,
    JS_COLUMN_MARKER = 1,
    JS_COLUMN_LOOP = 2,
    JS_COLUMN_RAISE = 3,
    JS_COLUMN_ENTRY = 4, /* a marker that goes_on */
    JS_COLUMN_PLAIN = 5  /* in a loop's form without markers, where another has them */
};

typedef struct js_row {
    uint64_t address;
    uint32_t line;  /* 0: the compiler merged several */
    uint32_t file;  /* index into js_object.files */
    uint32_t turns; /* of its loop that the code stands for, as the compiler says; 0 and 1: one */
    uint8_t column; /* hooked functions: JS_COLUMN_…; else 0 */
    bool goes_on;   /* a marker, of a line that runs again in a loop without markers */
    bool is_stmt;
    bool prologue_end;
    bool end_sequence;
} js_row;

/* Code of another function that the compiler put in line here. */
typedef struct js_inline {
    const char *name;
    const char *qualified; /* as the function's */
    uint32_t parent;       /* 1 + index in the function's inlines; 0: the function itself */
    uint32_t call_file, call_line;
    uint32_t file, line; /* of its definition */
    uint64_t *ranges;    /* lo, hi pairs; the first begins where a debugger shall stop in it */
    size_t nranges;
    js_level level;
    js_chooser chosen_by;
    const struct js_flow *flow; /* as the function's */
    uint64_t first;             /* hooked: its first marker; 0: it has none */
    js_variable *variables;     /* hooked ones; others' are not to be trusted */
    size_t nvariables;
    js_local *locals;
    size_t nlocals;
} js_inline;

/* Where code without the hook tells its caller of an exception. */
typedef struct js_raise {
    uint64_t address; /* of the store to *excinfo */
    unsigned reg;     /* DWARF's number: it holds the exception's structure there */
    bool is_made;     /* the structure is one of the function's own: raised here */
    bool is_called;   /* a call has said it */
    bool has_line;    /* the compiler says of which line it is */
} js_raise;

/* What a function calls and may have put in line. */
typedef struct js_callee {
    const char *name, *path; /* of its definition */
    uint32_t line;
} js_callee;

typedef struct js_function {
    const char *linkage_name;
    const char *source_name; /* what the user wrote: "foo", "Point.norm"; kernels: "foo.prange" */
    const char *qualified;   /* with its module: "mod.Point.norm"; NULL: none, or not asked for yet */
    js_name name;            /* decoded linkage name; owned by the object */
    uint32_t file;           /* index into js_object.files */
    uint32_t line;           /* of the definition, 0 unknown */
    uint64_t lo, hi;
    const uint8_t *frame_base; /* DWARF expression */
    size_t frame_base_size;
    const js_type *result; /* NULL: not known or none */
    bool returns_none;     /* as the source says: no value is ever returned */
    js_variable *variables;
    size_t nvariables;
    unsigned nformals; /* arguments that the compiler describes, its own among them */
    js_local *locals;
    size_t nlocals;
    js_row *rows; /* of [lo, hi), in address order; line 0 also where the code is another file's */
    size_t nrows;
    js_row *all_rows; /* the same with the other files' lines, for the debugger */
    size_t nall_rows;
    js_raise *raises; /* stock functions, in order of addresses */
    size_t nraises;
    bool hides_raises;  /* stock, and its code could not be followed to where it raises */
    js_row *statements; /* nall_rows: all_rows as the debugger is told them; NULL: not cleaned */
    js_inline *inlines; /* parents before children */
    size_t ninlines;
    const js_callee *callees; /* of level exact; also those of its callees */
    size_t ncallees;
    const uint8_t *code; /* hi - lo bytes of machine code, or NULL when it could not be read */
    js_level level;
    js_chooser chosen_by;
    const struct js_flow *flow; /* of its source, of a kernel its parent's; NULL: not at hand */
    bool is_fast;               /* the compiler hook says that LLVM may reorder its arithmetic */
    bool has_debug_info;        /* false: known from the symbol table only */
    bool is_maker;              /* it only makes the generator that has its name; not asked for yet: false */
    bool has_homes; /* each variable lives in one place of the frame: what is written there is read */
    struct js_function *parent; /* kernels: the function that starts the region; NULL while unknown */
    uint32_t region_line;       /* kernels: line of the loop's header in the parent's file; 0 unknown */
    uint32_t first_line;        /* of the function in its source; 0 unknown */
    const js_flow_lines *own;   /* lines that code of its file may be of; none: any */
    size_t nown;
    bool has_no_header;   /* kernels: the region is a loop of the compiler's own, on no line of the source */
    js_schedule schedule; /* kernels; JS_SCHEDULE_UNSEEN: not asked for yet */
    bool has_region;      /* does it start a parallel region? */
    struct js_object *object;
} js_function;

typedef struct js_symbol {
    const char *name; /* linkage name */
    uint64_t address, size;
    bool is_function;
} js_symbol;

/* A place in the code that the loader fills with a symbol's address. */
typedef struct js_reference {
    uint64_t pc;
    const char *name;
} js_reference;

typedef struct js_file {
    const char *directory; /* compilation directory */
    const char *path;      /* as in the object; absolute, or relative to directory */
    const char *absolute;  /* the two joined */
} js_file;

/* Call frame information, relocated. */
typedef struct js_frames {
    const uint8_t *data; /* NULL when absent */
    size_t size;
    uint64_t address;
} js_frames;

/* One in-memory object, decoded. Everything lives in the arena. */
struct js_object {
    js_arena arena;
    unsigned id;
    uint16_t machine; /* EM_X86_64, EM_AARCH64 */
    js_function *functions;
    size_t nfunctions;
    js_symbol *symbols;
    size_t nsymbols;
    js_reference *references; /* from code to functions of this compiler, and to stops */
    size_t nreferences;
    js_file *files;
    size_t nfiles;
    uint64_t lo, hi;    /* addresses of executable code */
    js_frames eh_frame; /* of functions that an exception may leave; the others' are in */
    js_frames debug_frame;
    bool asks_to_stop;   /* its code calls the compiler's own function to stop in */
    bool was_there;      /* before the debugger: loops of it may be running in their form without markers */
    unsigned newer_hook; /* a compiler hook of this format made it, which is not known here; 0: none */
    bool returns_status; /* its functions are called as program/numba/convention.h says */
    const char *advice;  /* which setting keeps every variable; NULL: none is known */
};

#endif
