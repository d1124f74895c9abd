/* One function that the JIT compiled, with the code that was inlined into it. read/ creates functions;
 * session/truths.c has the analyses fill the rest. */
#ifndef JS_PROGRAM_MODEL_FUNCTION_H
#define JS_PROGRAM_MODEL_FUNCTION_H

#include "program/model/level.h"
#include "program/model/row.h"
#include "program/model/variable.h"
#include "program/names/names.h"
#include "program/source/flow.h"

typedef struct js_object js_object;

/* Whether a parallel kernel never overwrites the schedule that it was passed (queries/loop_chunk.c). */
typedef enum js_schedule { JS_SCHEDULE_UNSEEN, JS_SCHEDULE_KEPT, JS_SCHEDULE_LOST } js_schedule;

/* Code of another function that the compiler inlined here. */
typedef struct js_inline {
    const char *name;
    const char *qualified; /* as js_function.qualified */
    uint32_t parent;       /* 1 + index in the function's inlines; 0: the function itself */
    uint32_t call_file, call_line;
    uint32_t file, line; /* where it is defined */
    uint64_t *ranges;    /* pairs of lo and hi; a debugger stops at the begin of the first */
    size_t nranges;      /* number of pairs */
    js_level level;
    js_chooser chosen_by;
    const struct js_flow *flow; /* flow of its source; NULL: not known */
    uint64_t first;             /* with the hook: address of its first marker; 0: it has none */
    js_variable *variables;     /* only for code compiled with the hook; stock variables are not reliable */
    size_t nvariables;
    js_local *locals;
    size_t nlocals;
} js_inline;

/* A function that another one calls and may have inlined. */
typedef struct js_callee {
    const char *name, *path; /* name and path of its definition */
    uint32_t line;
} js_callee;

/* The rows of a function's line table, in order of addresses. read/ fills them; validity/statements/ and
 * validity/moved/ move rows to where the code of their statement begins. */
typedef struct js_function_lines {
    js_row *rows; /* rows of [lo, hi); line 0 also where the code is another file's */
    size_t nrows;
    js_row *all; /* these rows with the lines of all files, for the debugger */
    size_t nall;
} js_function_lines;

/* Where the statements of a function begin, and where they raise. validity/statements/ or hook/ fills it. */
typedef struct js_function_statements {
    js_row *rows;   /* lines.all as the debugger gets it, lines.nall rows; NULL: use lines.all */
    js_row *jumped; /* rows to add between these, for code that only jumps lead to; by address */
    size_t njumped;
    uint64_t *merged; /* addresses of the last bytes of calls of no line (merged_calls.c), in order */
    size_t nmerged;
    js_raise *raises; /* only for stock functions; in order of addresses */
    size_t nraises;
    bool hides_raises; /* a stock function for which it is not known where it raises */
} js_function_statements;

/* What the Python source says of a function. */
typedef struct js_function_source {
    const struct js_flow *flow; /* a kernel has that of its parent; NULL: not known */
    uint32_t first_line;        /* first line of the function; 0: unknown */
    const js_flow_lines *own;   /* lines that the function's code in its file may have; none: any */
    size_t nown;
    bool returns_none; /* no value is ever returned */
} js_function_source;

/* How a function was compiled. */
typedef struct js_function_build {
    js_level level;
    js_chooser chosen_by;
    bool is_fast;             /* the compiler hook says that LLVM may reorder its arithmetic */
    bool has_homes;           /* each variable has one place in the frame, and the program reads it there */
    const js_callee *callees; /* callees at level exact, and their callees */
    size_t ncallees;
    const uint32_t *removed; /* lines of removed stores: js_hook_removed() */
    size_t nremoved;
} js_function_build;

/* The parallel region whose body a kernel is. All members are 0 in other functions. */
typedef struct js_function_region {
    struct js_function *parent; /* the function that starts the region; NULL while unknown */
    uint32_t line;              /* line of the loop's header in the parent's file; 0: unknown */
    bool has_no_header;         /* the compiler made the loop, which is on no line of the source */
    js_schedule schedule;       /* JS_SCHEDULE_UNSEEN: not looked at yet */
} js_function_region;

/* A parallel loop that a function starts. */
typedef struct js_started {
    uint32_t line; /* line of the loop's header, or of an expression above it that Numba has fused with it */
    const struct js_started *next;
} js_started;

typedef struct js_function {
    const char *linkage_name;
    const char *source_name;   /* what the user wrote: "foo", "Point.norm"; kernels: "foo.prange" */
    const char *qualified;     /* with its module: "mod.Point.norm"; NULL: none, or not looked for yet */
    js_name name;              /* decoded linkage name; owned by the object */
    uint32_t file;             /* index into js_object.files */
    uint32_t line;             /* line of the definition; 0: unknown */
    uint64_t lo, hi;           /* addresses [lo, hi) in the target */
    const uint8_t *code;       /* hi - lo bytes of machine code; NULL: it could not be read */
    const uint8_t *frame_base; /* DWARF expression */
    size_t frame_base_size;
    const js_type *result;  /* NULL: not known, or none */
    js_variable *variables; /* as the compiler describes them, and variables that validity/variables/ adds */
    size_t nvariables;
    unsigned nformals; /* number of arguments that the compiler describes, its own among them */
    js_local *locals;  /* the variables of the source, with their states */
    size_t nlocals;
    js_inline *inlines; /* parents before children */
    size_t ninlines;
    bool has_debug_info; /* false: the function is known from the symbol table only */
    bool is_maker;       /* it only makes the generator that has its name; false: not looked at yet, too */
    const js_started *starts_region; /* the parallel loops that it starts; NULL: none */
    js_function_lines lines;
    js_function_statements statements;
    js_function_source source;
    js_function_build build;
    js_function_region region;
    struct js_object *object;
} js_function;

#endif
