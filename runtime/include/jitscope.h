/* A program calls what this header declares. A debugger reads the structures of jitscope_descriptor.h in the
 * program's memory. Structures start with `version` and `size`, and fields are only ever added at their end;
 * a reader of another version takes as many bytes as both know.
 *
 * A program links with libjitscope.so, or loads it. Every function may be called from any thread. */
#ifndef JITSCOPE_H
#define JITSCOPE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define JITSCOPE_API __attribute__((visibility("default")))

/* ---- stops ---- */

/* A debugger with jitscope's extension stops here, on the line of the caller. Does nothing without one. */
JITSCOPE_API void jitscope_breakpoint(void);

/* What jitscope_attach and jitscope_attach_on return. */
enum {
    JITSCOPE_ATTACHED = 0,   /* a debugger is attached, and its breakpoint on jitscope_breakpoint is set */
    JITSCOPE_ALREADY = 1,    /* one was attached before */
    JITSCOPE_EGDB = -1,      /* no GDB was found, or it could not be started */
    JITSCOPE_EREFUSED = -2,  /* the debugger could not attach */
    JITSCOPE_EDIED = -3,     /* it ended, or said nothing, before it had attached */
    JITSCOPE_ETERMINAL = -4, /* no terminal, and nothing to do without one */
    JITSCOPE_EBUSY = -5,     /* called in the midst of itself: from a signal handler, another thread */
    JITSCOPE_ESYSTEM = -6,   /* no memory, no descriptors, or a bad argument */
};

/* Flags of jitscope_attach. */
enum {
    JITSCOPE_BANNER = 1, /* GDB says its version and licence, as in numba.gdb() */
};

/* Starts GDB, lets it attach to this process and returns when its breakpoint on jitscope_breakpoint is set,
 * or with the reason why not; the process runs on in any case. It does not stop: call jitscope_breakpoint
 * next.
 *
 * `arguments` are GDB's, ended by NULL (NULL itself: none); commands among them run at the first stop. GDB is
 * JITSCOPE_GDB or NUMBA_GDB_BINARY of the environment, or gdb on PATH. It gets the terminal when standard
 * input is one and this process is in its foreground. Otherwise, with commands it runs them without input;
 * without commands it is not started, one line says how to attach from elsewhere, and for `wait_ms`
 * (negative: without limit) this waits for somebody to do so.
 *
 * What went wrong is one line without its line end in `message`, of `size` bytes; with NULL, on standard
 * error. */
JITSCOPE_API int jitscope_attach(const char *const *arguments, int32_t wait_ms, uint32_t flags, char *message,
                                 size_t size);

/* From now on `signal_number` does jitscope_attach and jitscope_breakpoint, in whichever thread gets it and
 * whatever it is in the midst of: the handler calls only async-signal-safe functions. `arguments` are copied.
 * A NULL `arguments` with a negative `wait_ms` is as in jitscope_attach. Errors: JITSCOPE_EGDB,
 * JITSCOPE_ESYSTEM. */
JITSCOPE_API int jitscope_attach_on(int signal_number, const char *const *arguments, int32_t wait_ms,
                                    char *message, size_t size);

/* Where GDB finds its side of this: the path of gdbext/jitscope_gdb/app/handshake.py. Copied. */
JITSCOPE_API int jitscope_set_script(const char *path);

/* Another function that does nothing and is to be stopped in as jitscope_breakpoint is; 0 takes it back. */
JITSCOPE_API void jitscope_set_other_stop(uintptr_t address);

/* From now on a debugger that is killed does not take this process with it: breakpoint instructions that it
 * has left in libraries, and in code that was registered with GDB's JIT interface, are taken out when they
 * are run into. Does nothing where the process has a SIGTRAP handler of its own, and on other processors than
 * x86-64. jitscope_attach does this, too. Async-signal-safe. */
JITSCOPE_API void jitscope_survive_debugger(void);

/* Process id of the debugger (or other tracer) of this process; 0 none. Async-signal-safe. */
JITSCOPE_API int jitscope_tracer(void);

/* The instruction on which a debugger has its breakpoint as long as it is there and sees compiled code: that
 * of LLVM's __jit_debug_register_code, or this library's where no LLVM is loaded. Compiled code that looks at
 * it knows in one load. Reads symbol tables: some milliseconds. */
JITSCOPE_API void *jitscope_watched_code(void);

/* True if a debugger is there now: one that has a breakpoint on that instruction, or the one that
 * jitscope_attach or `jitscope run` has started; another tracer (strace) is no debugger. Some nanoseconds;
 * the first call reads symbol tables. */
JITSCOPE_API int jitscope_is_debugged(void);

/* ---- profilers ---- */

/* What jitscope_registered_functions calls for each function, with the `context` that it was given. */
typedef void (*jitscope_function_fn)(void *context, const char *name, uint64_t address, uint64_t size);

/* Each function of the objects that JITs of this process have registered with GDB's JIT interface since the
 * last call (`all`: of all that are registered), by its linkage name; which JITs there are is found out once.
 * JITSCOPE_EBUSY: another thread is at it. JITSCOPE_ESYSTEM: no memory, or no /proc. */
JITSCOPE_API int jitscope_registered_functions(int all, jitscope_function_fn tell, void *context);

/* ---- descriptors: what a JIT says of its code ----
 *
 * A JIT registers what it compiles, and a debugger with jitscope's extension shows it as it shows Numba's
 * code: breakpoints by name and by line, variables, arrays, stacks, parallel regions. docs/descriptor.md has
 * an example. Everything that is passed is copied before the call returns, texts too (UTF-8; NULL: empty).
 *
 * Structures that are passed start with `size`: a program that was compiled with an older header passes
 * shorter ones, and what they lack is 0. Clear them, and set the sizes, with the _init functions. */

/* What the functions below return: 0, or one of these. */
enum {
    JITSCOPE_OK = 0,
    JITSCOPE_EARG = -1,      /* an argument contradicts itself, or names a layout that is not registered */
    JITSCOPE_ENOMEM = -2,    /* no memory left; nothing was registered */
    JITSCOPE_ELIMIT = -3,    /* a text or a list is longer than the bounds below */
    JITSCOPE_ENOTFOUND = -4, /* nothing is registered under this handle (any more) */
};

enum {
    JITSCOPE_TEXT_MAX = 4096,      /* bytes of one text, its NUL included */
    JITSCOPE_LIST_MAX = 1 << 20,   /* entries of one list */
    JITSCOPE_BLOCK_MAX = 64 << 20, /* bytes of one record */
    JITSCOPE_DIMENSIONS_MAX = 32,  /* axes of an array */
};

/* What a value of the type is to the programmer. */
enum {
    JITSCOPE_OPAQUE,   /* bytes without a known meaning */
    JITSCOPE_INT,      /* two's complement, little-endian, 1 to 8 bytes */
    JITSCOPE_BOOL,     /* any byte that is not 0 is true */
    JITSCOPE_FLOAT,    /* IEEE 754, 2, 4 or 8 bytes */
    JITSCOPE_COMPLEX,  /* two floats: members of the roles REAL and IMAG */
    JITSCOPE_POINTER,  /* the address of an `element`; of anything when that is not given */
    JITSCOPE_STRUCT,   /* members, shown by name */
    JITSCOPE_TUPLE,    /* members of the role ELEMENT, shown as (a, b) */
    JITSCOPE_OPTIONAL, /* members of the roles VALID and VALUE */
    JITSCOPE_ARRAY,    /* a descriptor of elements that lie elsewhere: DATA, SHAPE or LENGTH, STRIDES … */
    JITSCOPE_VECTOR,   /* `count` elements one after the other, in the value itself */
};

/* Which part a member plays. Members may come in any order; integers may have any width. */
enum {
    JITSCOPE_ROLE_NONE,
    JITSCOPE_ROLE_DATA,     /* a pointer: address of the element whose indices are all 0 */
    JITSCOPE_ROLE_SHAPE,    /* elements of each axis, outermost first: a vector of integers, or one integer */
    JITSCOPE_ROLE_STRIDES,  /* bytes between neighbours on each axis; absent: contiguous, as `order` says */
    JITSCOPE_ROLE_LENGTH,   /* elements in all, of an array of one axis that has no SHAPE */
    JITSCOPE_ROLE_NITEMS,   /* elements in all; compared with the shape */
    JITSCOPE_ROLE_ITEMSIZE, /* bytes of an element; compared with its layout */
    JITSCOPE_ROLE_REFCOUNT,
    JITSCOPE_ROLE_OWNER, /* what keeps the data alive */
    JITSCOPE_ROLE_VALID, /* one byte: 1 there is a value, 0 there is none */
    JITSCOPE_ROLE_VALUE,
    JITSCOPE_ROLE_REAL,
    JITSCOPE_ROLE_IMAG,
    JITSCOPE_ROLE_ELEMENT,
};

enum { JITSCOPE_SIGNED = 1, JITSCOPE_READONLY = 2 }; /* flags of a layout */

/* A part of a structure, a tuple, an array's descriptor and the like. */
typedef struct jitscope_member {
    const char *name;
    const char *type; /* name of a registered layout */
    uint64_t offset;  /* bytes from the start of the whole */
    uint32_t role;
    uint32_t reserved; /* 0 */
} jitscope_member;

/* How a type lies in memory. Registered from the start: int8 … int64, uint8 … uint64, bool, float32, float64,
 * complex64, complex128, void*. */
typedef struct jitscope_layout {
    uint32_t size; /* size of this structure */
    uint32_t kind;
    const char *name;    /* as the debugger shall call it: `whatis x`. Registered twice: the newest counts */
    const char *element; /* name of the layout of an array's or vector's elements, or of what a pointer points
                            to; a pointer's may be NULL */
    uint64_t bytes;      /* size of a value */
    uint64_t count;      /* JITSCOPE_VECTOR: elements */
    uint32_t align;      /* bytes; 0: 1 */
    uint32_t ndim;       /* JITSCOPE_ARRAY: axes, at least 1 */
    uint32_t flags;
    uint32_t order; /* JITSCOPE_ARRAY: 'C' or 'F', contiguous in that order; 'A' or 0: see strides */
    const jitscope_member *members;
    uint32_t nmembers;
    uint32_t member_size; /* sizeof(jitscope_member) of the program */
} jitscope_layout;

/* Where a variable is. */
enum {
    JITSCOPE_IN_REGISTER = 1, /* in `reg` */
    JITSCOPE_AT_REGISTER,     /* in memory, at `reg` + offset */
    JITSCOPE_AT_FRAME,   /* in memory, at the canonical frame address (the caller's stack pointer before the
                            call) + offset */
    JITSCOPE_AT_ADDRESS, /* in memory, at the address `offset` */
    JITSCOPE_BEHIND_REGISTER, /* in memory, at the address that is stored at `reg` + offset */
    JITSCOPE_BEHIND_FRAME, /* in memory, at the address that is stored at the canonical frame address + offset
                            */
    JITSCOPE_CONSTANT,     /* nowhere: it is `offset`; for integers and booleans */
    JITSCOPE_UNASSIGNED,   /* nowhere: no path has assigned it yet */
};

/* While the program counter is in [low, high); both 0: in the whole function. Where no location holds, the
 * variable is shown as <optimized out>. */
typedef struct jitscope_location {
    uint64_t low, high;
    uint32_t kind;
    uint32_t reg; /* DWARF number (System V ABI x86-64 psABI 1.0, figure 3.36: 0 rax, 1 rdx, 2 rcx, 3 rbx, 4
                     rsi, 5 rdi, 6 rbp, 7 rsp, 8-15 r8-r15, 17-32 xmm0-xmm15) */
    int64_t offset;
} jitscope_location;

enum { JITSCOPE_ARGUMENT = 1 }; /* flag of a variable */

/* A variable of a function, with the places where its value is. */
typedef struct jitscope_variable {
    const char *name; /* as in the source */
    const char *type; /* name of a registered layout */
    uint32_t line;    /* line of its first assignment; 0: not known */
    uint32_t flags;
    const jitscope_location *locations; /* disjoint */
    uint32_t nlocations;
    uint32_t location_size; /* sizeof(jitscope_location) of the program; 0: this header's first */
} jitscope_variable;

/* Flags of a line: a breakpoint may lie here; the function's own statements begin here. */
enum { JITSCOPE_STATEMENT = 1, JITSCOPE_BODY = 2 };

/* From `address` on, until the next one's, the code is of this line. In order of addresses. */
typedef struct jitscope_line {
    uint64_t address;
    const char *file; /* NULL: the function's */
    uint32_t line;
    uint32_t flags;
} jitscope_line;

/* How a debugger finds the caller of a function. */
enum {
    JITSCOPE_UNWIND_NONE,          /* not given: the debugger guesses */
    JITSCOPE_UNWIND_FRAME_POINTER, /* x86-64: the code begins with push %rbp; mov %rsp,%rbp (an endbr64 may
                                      come first), and each ret follows a pop %rbp or leave */
    JITSCOPE_UNWIND_EH_FRAME,      /* by the .eh_frame section that is passed */
};

enum { JITSCOPE_FUNCTION, JITSCOPE_WRAPPER }; /* kinds of functions: the source's; the compiler's own */

/* A compiled function: its code, its source, its variables, and how a debugger finds its caller. */
typedef struct jitscope_function {
    uint32_t size; /* size of this structure */
    uint32_t kind;
    uint64_t low, high;       /* the code lies at [low, high) when it is registered */
    const char *name;         /* as in the source: `break NAME` */
    const char *linkage_name; /* the JIT's own; NULL: the same */
    const char *signature;    /* what follows the name where it is shown in full: "(int64, Array)" */
    const char *file;         /* absolute, or relative to `directory`; NULL: no source */
    const char *directory;
    const char *result; /* name of a registered layout; NULL: none, or not known */
    uint32_t line;      /* line of the definition; 0: not known */
    uint32_t unwind;
    const void *eh_frame; /* the section's bytes, addresses in it relative to here or absolute */
    uint64_t eh_frame_size;
    const jitscope_variable *variables;
    uint32_t nvariables;
    uint32_t variable_size; /* sizeof(jitscope_variable) of the program */
    const jitscope_line *lines;
    uint32_t nlines;
    uint32_t line_size; /* sizeof(jitscope_line) of the program */
} jitscope_function;

/* How the iterations of a parallel region are dealt out. */
enum { JITSCOPE_STATIC, JITSCOPE_DYNAMIC, JITSCOPE_GUIDED, JITSCOPE_STEALING };

/* A parallel loop. */
typedef struct jitscope_region {
    uint32_t size; /* size of this structure */
    uint32_t schedule;
    const char *name;
    uint64_t function;  /* handle of the function that the loop is in; 0: none */
    uint32_t line;      /* line of the loop's header, in that function's file */
    uint32_t nworkers;  /* threads that take part; 0: not known */
    int64_t begin, end; /* the iterations: [begin, end) */
    uint64_t chunk;     /* iterations of a chunk; 0: they differ */
} jitscope_region;

/* Clear a layout, and set size and member_size. */
static inline void jitscope_layout_init(jitscope_layout *layout)
{
    memset(layout, 0, sizeof *layout);
    layout->size = sizeof *layout;
    layout->member_size = sizeof(jitscope_member);
}

/* Clear a function, and set size, variable_size and line_size. */
static inline void jitscope_function_init(jitscope_function *function)
{
    memset(function, 0, sizeof *function);
    function->size = sizeof *function;
    function->variable_size = sizeof(jitscope_variable);
    function->line_size = sizeof(jitscope_line);
}

/* Clear a region, and set size. */
static inline void jitscope_region_init(jitscope_region *region)
{
    memset(region, 0, sizeof *region);
    region->size = sizeof *region;
}

/* Each _register gives a handle, never 0, for _unregister. A debugger that is attached sees the function
 * before the call returns, so that breakpoints are set in it before it first runs. Take a function back
 * before its code is freed. */
JITSCOPE_API int jitscope_layout_register(const jitscope_layout *layout, uint64_t *handle);
JITSCOPE_API int jitscope_layout_unregister(uint64_t handle);
JITSCOPE_API int jitscope_function_register(const jitscope_function *function, uint64_t *handle);
JITSCOPE_API int jitscope_function_unregister(uint64_t handle);
JITSCOPE_API int jitscope_region_register(const jitscope_region *region, uint64_t *handle);
JITSCOPE_API int jitscope_region_unregister(uint64_t handle);

/* Each worker says what it runs: no lock, no system call but at a thread's first. Regions nest; deeper than
 * JITSCOPE_NESTING_MAX they are only counted. */
enum { JITSCOPE_NESTING_MAX = 4 };
JITSCOPE_API void jitscope_region_enter(uint64_t region);
JITSCOPE_API void jitscope_region_chunk(int64_t begin, int64_t end); /* the innermost runs [begin, end) */
JITSCOPE_API void jitscope_region_leave(void);

/* ---- pools: parallel loops as a thread pool runs them ----
 *
 * A pool is one function, which calls `kernel` for all rows of a schedule, in as many threads as it is asked
 * for, and returns when all have run. Numba's threading layers are such pools (numba/np/ufunc/workqueue.h,
 * 0.57-0.68; the kernels are NumPy's generalised ufuncs). Between a program and its pool, this library
 * records what each thread runs, and runs the rows in another order when it is asked to. */

/* dimensions[0] rows from args on: row k's arguments are args[i] + k * steps[i]. */
typedef void (*jitscope_kernel_fn)(char **args, size_t *dimensions, size_t *steps, void *data);
typedef void (*jitscope_pool_fn)(void *kernel, char **args, size_t *dimensions, size_t *steps, void *data,
                                 size_t inner, size_t nargs, int nthreads);
typedef int (*jitscope_thread_id_fn)(void); /* number of the calling thread in its pool: below nthreads */

/* How a pool deals rows out that its threads cannot have alike: as one more for each of the first threads
 * (OpenMP's static schedule), or all to the last. Where threads steal from each other, the first is what the
 * orders below take. */
enum { JITSCOPE_LEFT_TO_FIRST, JITSCOPE_LEFT_TO_LAST, JITSCOPE_LEFT_TO_THIEVES };

/* Set the pool that the two functions below pass their calls to. Call this before the first call of either.
 * The two function pointers are copied. NULL: no pool's launches come here, and a debugger finds no
 * jitscope_gather. */
JITSCOPE_API void jitscope_pool_set(jitscope_pool_fn pool, jitscope_thread_id_fn thread_id, uint32_t left);
/* Called in place of the pool's own. */
JITSCOPE_API void jitscope_pool_run(void *kernel, char **args, size_t *dimensions, size_t *steps, void *data,
                                    size_t inner, size_t nargs, int nthreads);
JITSCOPE_API int jitscope_pool_thread_id(void);

/* In which order the shares of the pool's threads run. */
enum {
    JITSCOPE_PARALLEL, /* at once, as the pool does it */
    JITSCOPE_DEALT,    /* at once, each thread's share by one thread, with that thread's number */
    JITSCOPE_SERIAL,   /* one after the other, in the thread that called, with the numbers of the threads */
    JITSCOPE_REVERSE,  /* the last one first */
    JITSCOPE_SHUFFLE,  /* each time another order, which follows from the seed */
};
/* For all launches from now on. Which rows are whose, and in which order one thread's rows run, stays as it
 * is: sums that each thread has of its own are the same to the bit. JITSCOPE_EARG: there is no such order. */
JITSCOPE_API int jitscope_pool_order(uint32_t order, uint64_t seed);

/* ---- accesses: do the shares of a parallel loop get in each other's way? ----
 *
 * Code that was compiled for it reports each of its reads and writes. While somebody asks, and launches run
 * in one of the orders above that are not parallel, this library records which share has accessed which byte.
 */

enum {
    JITSCOPE_ACCESS_WRITES = 1,
    JITSCOPE_ACCESS_INNER =
        2, /* the access is in code that the last jitscope_access_statement has called: that site counts */
};
/* `site`: a number below 2^20 of the program's own. */
JITSCOPE_API void jitscope_access(const void *address, uint64_t size, uint32_t site, uint32_t flags);
JITSCOPE_API void jitscope_access_statement(uint32_t site);
/* Register an array that the shares have in common. Conflicts outside of such arrays are not reported. */
JITSCOPE_API void jitscope_access_array(uint32_t name, const void *data, uint64_t itemsize, uint32_t ndim,
                                        const int64_t *shape, const int64_t *strides);

enum { JITSCOPE_PLACES_MAX = 64 }; /* places of one conflict that are remembered */

/* One address that two shares of a loop have accessed. */
typedef struct jitscope_place {
    uint64_t address;
    uint32_t shares[2]; /* numbers of the threads */
} jitscope_place;

/* Two sites that had the same bytes in different shares; at least one of them writes. */
typedef struct jitscope_conflict {
    uint32_t sites[2], writes[2];
    uint64_t launch; /* 1 is the first since jitscope_accesses_begin */
    uint64_t bytes;
    uint64_t nplaces; /* the first ones */
    jitscope_place places[JITSCOPE_PLACES_MAX];
} jitscope_conflict;

/* An array that was registered by jitscope_access_array in one launch. */
typedef struct jitscope_array {
    uint64_t data, itemsize, launch;
    uint32_t name, ndim;
    int64_t shape[JITSCOPE_DIMENSIONS_MAX], strides[JITSCOPE_DIMENSIONS_MAX];
} jitscope_array;

/* What was recorded between jitscope_accesses_begin and jitscope_accesses_end. */
typedef struct jitscope_accesses {
    uint64_t size; /* size of this structure */
    uint64_t launches, count;
    uint64_t lost; /* what could not be remembered, for want of memory or places */
    uint64_t nconflicts, narrays;
    const jitscope_conflict *conflicts;
    const jitscope_array *arrays;
} jitscope_accesses;

/* Record the launches of the calling thread; for one thread at a time. The result is valid until the next
 * _begin. */
JITSCOPE_API void jitscope_accesses_begin(void);
JITSCOPE_API const jitscope_accesses *jitscope_accesses_end(void);

/* ---- records: which worker of a parallel loop has accessed what? ----
 *
 * Code that was compiled for it reports each read and write of elements while the word at
 * jitscope_recording() is not 0; a debugger may write it, too. Each worker keeps its own record of the last
 * launch: exact, without locks, in bounded memory. The program's results do not depend on it. */
JITSCOPE_API uint32_t *jitscope_recording(void);

enum { JITSCOPE_RECORD_WRITE = 1 }; /* flag of jitscope_record_access: a write; without it, a read */
/* The calling thread begins iterations of a loop, whose arrays follow, then its reads and writes. What is not
 * in one of the arrays is not recorded: it may be any thread's own. Texts are copied. */
JITSCOPE_API void jitscope_record_loop(const char *name, const char *file, uint32_t line);
JITSCOPE_API void jitscope_record_array(const char *name, const void *data, uint64_t itemsize, uint32_t ndim,
                                        const int64_t *shape, const int64_t *strides);
JITSCOPE_API void jitscope_record_access(const void *address, uint64_t size, const char *file, uint32_t line,
                                         uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif
