/* A program calls the functions of this header so that a debugger with jitscope's extension shows its
 * compiled code: JIT compilers do, the package jitscope, and programs that stop in a debugger. The structures
 * that a debugger reads in the program's memory are in jitscope_descriptor.h. A program links with
 * libjitscope.so, or loads it. Every function may be called from any thread, unless its comment restricts
 * that. Sizes are in bytes; texts are UTF-8 with a NUL. Structures start with `size`, and fields are only
 * ever added at their end: readers take the bytes that both sides know. */
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

/* Stop in the debugger, on the line of the call; without a debugger, do nothing. Async-signal-safe. */
JITSCOPE_API void jitscope_breakpoint(void);

/* Results of the functions below and of jitscope_registered_functions; errors are negative. */
enum {
    JITSCOPE_ATTACHED = 0,   /* a debugger has attached; if it was started here, its breakpoint is set */
    JITSCOPE_ALREADY = 1,    /* a debugger was attached before the call */
    JITSCOPE_EGDB = -1,      /* no GDB was found, or it could not be started */
    JITSCOPE_EREFUSED = -2,  /* the debugger could not attach */
    JITSCOPE_EDIED = -3,     /* the debugger ended before it had attached, or did not answer in time */
    JITSCOPE_ETERMINAL = -4, /* there is no terminal, no command for GDB, and nobody attached in time */
    JITSCOPE_EBUSY = -5,     /* called in the midst of itself: by a signal handler, or another thread */
    JITSCOPE_ESYSTEM = -6,   /* no memory, no file descriptor, or an invalid argument */
};

/* Flags of jitscope_attach; 0: none. */
enum {
    JITSCOPE_BANNER = 1, /* GDB prints its version and licence, as with numba.gdb() */
};

/* Start GDB and let it attach to this process. Return when its breakpoint on jitscope_breakpoint is set, or
 * when that has failed. The program runs on in both cases: call jitscope_breakpoint next to stop.
 *
 * `arguments`: GDB's arguments, with NULL after the last; NULL: none. GDB runs the commands among them at the
 * first stop. The program is JITSCOPE_GDB or NUMBA_GDB_BINARY of the environment, or gdb on PATH. GDB gets
 * the terminal if standard input is one and this process is in its foreground. Without a terminal GDB runs
 * the commands and reads no input; without commands too, GDB is not started: this prints a line that says how
 * to attach from elsewhere, and waits `wait_ms` milliseconds until somebody does (negative: without limit; 0:
 * not at all). `flags`: 0 or JITSCOPE_BANNER. `message` gets one line without a line end that says what went
 * wrong, or "", cut to `size` bytes; NULL: the line is written to standard error. Returns JITSCOPE_ATTACHED,
 * JITSCOPE_ALREADY or an error of these. Call jitscope_set_script first. */
JITSCOPE_API int jitscope_attach(const char *const *arguments, int32_t wait_ms, uint32_t flags, char *message,
                                 size_t size);

/* Install a handler of `signal_number` that calls jitscope_attach and jitscope_breakpoint in the thread that
 * gets the signal, whatever it is doing: it calls only async-signal-safe functions. It writes errors to
 * standard error. `arguments` and `wait_ms` are those of jitscope_attach; the texts are copied. `message`
 * gets what went wrong here, or "", cut to `size` bytes; NULL: nothing. Returns 0, JITSCOPE_EGDB, or
 * JITSCOPE_ESYSTEM (no such signal, no script set, no memory). */
JITSCOPE_API int jitscope_attach_on(int signal_number, const char *const *arguments, int32_t wait_ms,
                                    char *message, size_t size);

/* Set the path, which is copied, of the script that GDB runs: gdbext/jitscope_gdb/app/handshake.py. Call this
 * once, before the first jitscope_attach. Returns 0, or JITSCOPE_ESYSTEM (NULL, no memory). */
JITSCOPE_API int jitscope_set_script(const char *path);

/* Set another function that does nothing, in which the debugger of jitscope_attach stops too; 0: none. */
JITSCOPE_API void jitscope_set_other_stop(uintptr_t address);

/* Let this process survive a debugger that is killed: a SIGTRAP handler takes out the breakpoint instructions
 * that it has left in libraries and in registered code. Does nothing on processors other than x86-64, and if
 * the process has a SIGTRAP handler. jitscope_attach calls this. Async-signal-safe. */
JITSCOPE_API void jitscope_survive_debugger(void);

/* Return the process id of the debugger, or other tracer, of this process; 0: none. Async-signal-safe. */
JITSCOPE_API int jitscope_tracer(void);

/* Return the address of the instruction on which a debugger that sees compiled code has its breakpoint: the
 * first of LLVM's __jit_debug_register_code, or of this library's if no LLVM is loaded. Compiled code loads
 * from it to find out whether a debugger is there. Never NULL. Takes some milliseconds. */
JITSCOPE_API void *jitscope_watched_code(void);

/* Return 1 if a debugger is there now, else 0. It is there if that instruction has a breakpoint, or if
 * jitscope_attach or `jitscope run` has started the tracer (strace is none). Slow at the first call. */
JITSCOPE_API int jitscope_is_debugged(void);

/* ---- profilers ---- */

/* Receives a function: its linkage name, valid during the call, and its code, `size` bytes at `address`. */
typedef void (*jitscope_function_fn)(void *context, const char *name, uint64_t address, uint64_t size);

/* Call `tell` with `context` for each function of the objects that JITs of this process have registered with
 * GDB's JIT interface since the last call; with `all` 1, of all; with 2, of all, and the next call's last
 * call is still the one before. Returns 0; JITSCOPE_EBUSY: another thread is in here; JITSCOPE_ESYSTEM. */
JITSCOPE_API int jitscope_registered_functions(int all, jitscope_function_fn tell, void *context);

/* ---- descriptors: what a JIT says of its code ----
 *
 * A JIT registers what it compiles, and a debugger with jitscope's extension shows it like Numba's code:
 * breakpoints by name and by line, variables, arrays, stacks, parallel regions; see docs/descriptor.md.
 * Everything that is passed is copied before the call returns, texts too (NULL: empty). Structures that are
 * passed start with `size`: a program that was compiled with an older header passes shorter ones, and what
 * they lack is 0. The _init functions set the sizes. */

/* Results of the functions below: JITSCOPE_OK, or an error. A function that fails has registered nothing. */
enum {
    JITSCOPE_OK = 0,
    JITSCOPE_EARG = -1,      /* an argument is invalid, or names a layout that is not registered */
    JITSCOPE_ENOMEM = -2,    /* there is no memory */
    JITSCOPE_ELIMIT = -3,    /* a text, a list or a record is larger than the bounds below */
    JITSCOPE_ENOTFOUND = -4, /* nothing is registered under this handle, or it was unregistered */
};

enum {
    JITSCOPE_TEXT_MAX = 4096,      /* most bytes of one text, its NUL included */
    JITSCOPE_LIST_MAX = 1 << 20,   /* most entries of one list */
    JITSCOPE_BLOCK_MAX = 64 << 20, /* most bytes of one record */
    JITSCOPE_DIMENSIONS_MAX = 32,  /* most axes of an array */
};

/* Kinds of layouts: what a value of the type is to the programmer. */
enum {
    JITSCOPE_OPAQUE,   /* bytes without a known meaning */
    JITSCOPE_INT,      /* two's complement, little-endian, 1 to 8 bytes */
    JITSCOPE_BOOL,     /* any byte that is not 0 is true */
    JITSCOPE_FLOAT,    /* IEEE 754, 2, 4 or 8 bytes */
    JITSCOPE_COMPLEX,  /* two floats: members of the roles REAL and IMAG */
    JITSCOPE_POINTER,  /* the address of an `element`; without `element`, of anything */
    JITSCOPE_STRUCT,   /* members, shown by name */
    JITSCOPE_TUPLE,    /* members of the role ELEMENT, shown as (a, b) */
    JITSCOPE_OPTIONAL, /* a value or none: members of the roles VALID and VALUE */
    JITSCOPE_ARRAY,    /* a descriptor of elements in other memory: DATA, SHAPE or LENGTH, STRIDES … */
    JITSCOPE_VECTOR,   /* `count` elements one after the other, within the value */
};

/* Roles of members: what a member means. Members may come in any order; integers have 1, 2, 4 or 8 bytes. */
enum {
    JITSCOPE_ROLE_NONE,     /* a member that is shown by its name only */
    JITSCOPE_ROLE_DATA,     /* a pointer: address of the element whose indices are all 0 */
    JITSCOPE_ROLE_SHAPE,    /* elements on each axis, outermost first: a vector of integers, or one integer */
    JITSCOPE_ROLE_STRIDES,  /* bytes to the next element on each axis; without it: contiguous in `order` */
    JITSCOPE_ROLE_LENGTH,   /* number of elements of an array of one axis that has no SHAPE */
    JITSCOPE_ROLE_NITEMS,   /* number of elements, which must agree with the shape */
    JITSCOPE_ROLE_ITEMSIZE, /* bytes of an element, which must agree with its layout */
    JITSCOPE_ROLE_REFCOUNT, /* reference count */
    JITSCOPE_ROLE_OWNER,    /* the object that keeps the data alive */
    JITSCOPE_ROLE_VALID,    /* one byte of an optional value: 1: there is a value; 0: there is none */
    JITSCOPE_ROLE_VALUE,    /* the value of an optional value */
    JITSCOPE_ROLE_REAL,     /* the real part of a complex number */
    JITSCOPE_ROLE_IMAG,     /* the imaginary part of a complex number */
    JITSCOPE_ROLE_ELEMENT,  /* an element of a tuple */
};

/* Flags of a layout: a signed integer; an array whose elements are read-only. */
enum { JITSCOPE_SIGNED = 1, JITSCOPE_READONLY = 2 };

typedef struct jitscope_member {
    const char *name;
    const char *type;  /* name of a registered layout */
    uint64_t offset;   /* bytes from the start of the value */
    uint32_t role;     /* JITSCOPE_ROLE_… */
    uint32_t reserved; /* 0 */
} jitscope_member;

/* How a type lies in memory. These layouts are registered from the start: int8 … int64, uint8 … uint64, bool,
 * float32, float64, complex64, complex128, void*. */
typedef struct jitscope_layout {
    uint32_t size; /* size of this structure */
    uint32_t kind;
    const char *name;    /* what `whatis` shows, not empty; the newest layout of a name counts */
    const char *element; /* layout of the elements, or of what a pointer points to; NULL: none */
    uint64_t bytes;      /* bytes of a value */
    uint64_t count;      /* JITSCOPE_VECTOR: number of elements */
    uint32_t align;      /* alignment in bytes; 0: 1 */
    uint32_t ndim;       /* JITSCOPE_ARRAY: number of axes, 1 to JITSCOPE_DIMENSIONS_MAX */
    uint32_t flags;
    uint32_t order; /* JITSCOPE_ARRAY: 'C' or 'F': contiguous in that order; 'A' or 0: as the strides say */
    const jitscope_member *members; /* `nmembers` of them; NULL if there is none */
    uint32_t nmembers;
    uint32_t member_size; /* sizeof(jitscope_member) in the program */
} jitscope_layout;

/* Kinds of locations: where a variable is. */
enum {
    JITSCOPE_IN_REGISTER = 1, /* in the register `reg` */
    JITSCOPE_AT_REGISTER,     /* in memory, at `reg` + `offset` */
    JITSCOPE_AT_FRAME,        /* in memory, at the frame address (stack pointer before the call) + `offset` */
    JITSCOPE_AT_ADDRESS,      /* in memory, at the address `offset` */
    JITSCOPE_BEHIND_REGISTER, /* in memory, at the address that is stored at `reg` + `offset` */
    JITSCOPE_BEHIND_FRAME,    /* in memory, at the address that is stored at the frame address + `offset` */
    JITSCOPE_CONSTANT,        /* nowhere: its value is `offset`; for integers and booleans */
    JITSCOPE_UNASSIGNED,      /* nowhere: no path to this code has assigned it */
};

/* One place of a variable, while the program counter is in the addresses [low, high); both 0: in the whole
 * function. Where a variable has no location it is shown as <optimized out>. */
typedef struct jitscope_location {
    uint64_t low, high;
    uint32_t kind;
    uint32_t reg; /* DWARF number (System V ABI x86-64 psABI 1.0, figure 3.36: 0 rax, 1 rdx, 2 rcx, 3 rbx, 4
                     rsi, 5 rdi, 6 rbp, 7 rsp, 8-15 r8-r15, 17-32 xmm0-xmm15) */
    int64_t offset;
} jitscope_location;

enum { JITSCOPE_ARGUMENT = 1 }; /* flag of a variable: it is an argument of the function */

typedef struct jitscope_variable {
    const char *name; /* as in the source */
    const char *type; /* name of a registered layout */
    uint32_t line;    /* line of its first assignment; 0: not known */
    uint32_t flags;
    const jitscope_location *locations; /* `nlocations` of them, whose ranges are disjoint */
    uint32_t nlocations;
    uint32_t location_size; /* sizeof(jitscope_location) in the program; 0: 32, the first version's */
} jitscope_variable;

/* Flags of a line: a statement begins here; the function's own statements begin here, after its prologue. */
enum { JITSCOPE_STATEMENT = 1, JITSCOPE_BODY = 2 };

/* A row of a function's line table, by address: its line is that of the code up to the next row's address. */
typedef struct jitscope_line {
    uint64_t address;
    const char *file; /* absolute, or relative to the function's `directory`; NULL: the function's file */
    uint32_t line;
    uint32_t flags;
} jitscope_line;

/* How a debugger finds the caller of a function (`unwind`). */
enum {
    JITSCOPE_UNWIND_NONE,          /* not given: the debugger guesses */
    JITSCOPE_UNWIND_FRAME_POINTER, /* x86-64: the code begins with push %rbp; mov %rsp,%rbp (an endbr64 may
                                      precede them), and each ret follows a pop %rbp or leave */
    JITSCOPE_UNWIND_EH_FRAME,      /* by the .eh_frame section in `eh_frame` */
};

/* Kinds of functions: one of the source; one that the compiler has added, such as an entry point. */
enum { JITSCOPE_FUNCTION, JITSCOPE_WRAPPER };

/* A compiled function. `name` must not be empty, and the code must have 1 byte to 64 MiB. */
typedef struct jitscope_function {
    uint32_t size; /* size of this structure */
    uint32_t kind;
    uint64_t low, high;       /* addresses of the code: [low, high) */
    const char *name;         /* as in the source: `break NAME` */
    const char *linkage_name; /* the JIT's own name of it; NULL: `name` */
    const char *signature; /* arguments, shown after the name where that is shown in full: "(int64, Array)" */
    const char *file;      /* source file, absolute or relative to `directory`; NULL: there is no source */
    const char *directory;
    const char *result; /* name of the result's layout, which is registered; NULL: no result, or not known */
    uint32_t line;      /* line of the definition; 0: not known */
    uint32_t unwind;    /* JITSCOPE_UNWIND_… */
    const void *eh_frame;   /* the section's bytes; addresses in it are absolute, or relative to here */
    uint64_t eh_frame_size; /* in bytes */
    const jitscope_variable *variables; /* `nvariables` of them; NULL if there is none */
    uint32_t nvariables;
    uint32_t variable_size;     /* sizeof(jitscope_variable) in the program */
    const jitscope_line *lines; /* `nlines` of them; NULL if there is none */
    uint32_t nlines;
    uint32_t line_size; /* sizeof(jitscope_line) in the program */
} jitscope_function;

/* Schedules: iterations are divided among the workers before the region starts; chunk by chunk while it runs;
 * like that in chunks that become smaller; idle workers take iterations from others. */
enum { JITSCOPE_STATIC, JITSCOPE_DYNAMIC, JITSCOPE_GUIDED, JITSCOPE_STEALING };

/* A parallel loop, which jitscope_region_enter names by its handle. */
typedef struct jitscope_region {
    uint32_t size;     /* size of this structure */
    uint32_t schedule; /* JITSCOPE_STATIC … */
    const char *name;
    uint64_t function;  /* handle of the function that contains the loop; 0: none */
    uint32_t line;      /* line of the loop's header, in that function's file */
    uint32_t nworkers;  /* number of threads that run it; 0: not known */
    int64_t begin, end; /* the iterations are [begin, end) */
    uint64_t chunk;     /* iterations of each chunk; 0: chunks differ */
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

/* Register a layout, after those that it names. *handle gets a number for jitscope_layout_unregister, never
 * 0. Returns JITSCOPE_OK, JITSCOPE_EARG, JITSCOPE_ENOMEM or JITSCOPE_ELIMIT. */
JITSCOPE_API int jitscope_layout_register(const jitscope_layout *layout, uint64_t *handle);
/* Take a layout back: its variables are shown as unknown from then on. JITSCOPE_OK or JITSCOPE_ENOTFOUND. */
JITSCOPE_API int jitscope_layout_unregister(uint64_t handle);
/* Register a function, after the layouts that it names, with its code, which is not copied, in place. A
 * debugger that is attached has set its breakpoints in it when this returns. *handle, result: as above. */
JITSCOPE_API int jitscope_function_register(const jitscope_function *function, uint64_t *handle);
/* Take a function back, before its code is freed. JITSCOPE_OK or JITSCOPE_ENOTFOUND. */
JITSCOPE_API int jitscope_function_unregister(uint64_t handle);
/* Register a parallel loop; *handle, for jitscope_region_enter, and the result are like those above. */
JITSCOPE_API int jitscope_region_register(const jitscope_region *region, uint64_t *handle);
/* Take a region back. JITSCOPE_OK or JITSCOPE_ENOTFOUND. */
JITSCOPE_API int jitscope_region_unregister(uint64_t handle);

enum { JITSCOPE_NESTING_MAX = 4 }; /* most nested regions that are recorded; deeper ones are only counted */
/* Record that the calling thread has entered the region of this handle. Regions nest. These functions take no
 * lock and make no system call, except at a thread's first region, for which memory is needed. */
JITSCOPE_API void jitscope_region_enter(uint64_t region);
/* Record that it begins the iterations [begin, end) of its innermost region. Outside of regions: nothing. */
JITSCOPE_API void jitscope_region_chunk(int64_t begin, int64_t end);
/* Record that it has left its innermost region. Outside of regions: nothing. */
JITSCOPE_API void jitscope_region_leave(void);

/* ---- pools: parallel loops as a thread pool runs them ----
 *
 * A pool is one function, which calls `kernel` for all rows of a schedule in a number of threads, and returns
 * when all have run. Numba's threading layers are such pools (numba/np/ufunc/workqueue.h, 0.57-0.68; kernels
 * are NumPy's generalised ufuncs). This library is called in place of the pool, and records what it runs. */

/* Runs dimensions[0] rows: argument i of row k is at args[i] + k * steps[i], with steps in bytes.
 * dimensions[1] and later are the kernel's inner dimensions. `data` is what the pool was called with. */
typedef void (*jitscope_kernel_fn)(char **args, size_t *dimensions, size_t *steps, void *data);
/* Runs dimensions[0] rows of `kernel` in `nthreads` threads; `nargs` args, steps; `inner` + 1 dimensions. */
typedef void (*jitscope_pool_fn)(void *kernel, char **args, size_t *dimensions, size_t *steps, void *data,
                                 size_t inner, size_t nargs, int nthreads);
/* Returns the calling thread's number in its pool, from 0 to nthreads - 1. */
typedef int (*jitscope_thread_id_fn)(void);

/* How a pool deals out the rows that remain: one to each of the first threads (OpenMP's static schedule); all
 * to the last thread; threads steal rows, and the orders below deal as with JITSCOPE_LEFT_TO_FIRST. */
enum { JITSCOPE_LEFT_TO_FIRST, JITSCOPE_LEFT_TO_LAST, JITSCOPE_LEFT_TO_THIEVES };

/* Set the pool that the two functions below pass their calls to; call this before them. `left`:
 * JITSCOPE_LEFT_TO_…. `pool` NULL: jitscope_pool_run may not be called, and workers cannot be gathered. */
JITSCOPE_API void jitscope_pool_set(jitscope_pool_fn pool, jitscope_thread_id_fn thread_id, uint32_t left);
/* Run a launch: record it and call the pool. Called in place of the pool's function, with its parameters. */
JITSCOPE_API void jitscope_pool_run(void *kernel, char **args, size_t *dimensions, size_t *steps, void *data,
                                    size_t inner, size_t nargs, int nthreads);
/* Return the calling thread's number, from 0: its share's if it runs one, else the pool's own. */
JITSCOPE_API int jitscope_pool_thread_id(void);

/* Orders in which the shares of the pool's threads run. A share is the rows of one thread. */
enum {
    JITSCOPE_PARALLEL, /* at once, as the pool runs them */
    JITSCOPE_DEALT,    /* at once, each share by one thread, whose number is the share's */
    JITSCOPE_SERIAL,   /* one after the other in the calling thread, each under the number of its share */
    JITSCOPE_REVERSE,  /* like JITSCOPE_SERIAL, the last share first */
    JITSCOPE_SHUFFLE,  /* like JITSCOPE_SERIAL, in an order that follows from the seed */
};
/* Set the order of all launches from now on; `seed` is for JITSCOPE_SHUFFLE. A share keeps its rows and their
 * order: sums that each thread has of its own are equal to the bit. JITSCOPE_OK, or JITSCOPE_EARG. */
JITSCOPE_API int jitscope_pool_order(uint32_t order, uint64_t seed);

/* ---- accesses: which shares of a parallel loop access the same bytes ----
 *
 * Code that was compiled for it reports its reads and writes. Between jitscope_accesses_begin and _end, in
 * launches of an order from JITSCOPE_SERIAL on, this records which share has accessed which byte. */

enum {
    JITSCOPE_ACCESS_WRITES = 1, /* the access is a write */
    JITSCOPE_ACCESS_INNER = 2,  /* the site of jitscope_access_statement counts */
};
/* Report an access of `size` bytes at `address`, by the program's own number of its place, below 2^20.
 * Accesses to the calling share's own stack are not recorded. */
JITSCOPE_API void jitscope_access(const void *address, uint64_t size, uint32_t site, uint32_t flags);
/* Set the site that counts for the calling thread's accesses with JITSCOPE_ACCESS_INNER. */
JITSCOPE_API void jitscope_access_statement(uint32_t site);
/* Report an array that the shares of this launch have in common; conflicts outside of such arrays are not
 * reported. `name`: the program's own number. `data`: address of the element whose indices are all 0.
 * `itemsize`: bytes of an element. `shape` (elements) and `strides` (bytes): `ndim` each; copied. */
JITSCOPE_API void jitscope_access_array(uint32_t name, const void *data, uint64_t itemsize, uint32_t ndim,
                                        const int64_t *shape, const int64_t *strides);

enum { JITSCOPE_PLACES_MAX = 64 }; /* most places of one conflict that are kept */

typedef struct jitscope_place {
    uint64_t address;
    uint32_t shares[2]; /* numbers of the shares, in the order of the conflict's sites */
} jitscope_place;

/* Two sites that accessed the same bytes in different shares; at least one of them writes. */
typedef struct jitscope_conflict {
    uint32_t sites[2], writes[2]; /* the earlier access first; writes: 1 if that access is a write */
    uint64_t launch;              /* number of the launch; 1: the first since jitscope_accesses_begin */
    uint64_t bytes;               /* sum of the sizes of all such accesses */
    uint64_t nplaces;             /* number of entries in `places`, which has the first ones */
    jitscope_place places[JITSCOPE_PLACES_MAX];
} jitscope_conflict;

/* An array that jitscope_access_array has reported: its parameters, and the launch. */
typedef struct jitscope_array {
    uint64_t data, itemsize, launch; /* launch: its number, as in jitscope_conflict */
    uint32_t name, ndim;
    int64_t shape[JITSCOPE_DIMENSIONS_MAX], strides[JITSCOPE_DIMENSIONS_MAX];
} jitscope_array;

/* What was found between jitscope_accesses_begin and _end. */
typedef struct jitscope_accesses {
    uint64_t size;            /* size of this structure */
    uint64_t launches, count; /* numbers of launches and of accesses */
    uint64_t lost; /* accesses, arrays and conflicts that were not recorded, for want of memory or room */
    uint64_t nconflicts, narrays;
    const jitscope_conflict *conflicts; /* `nconflicts` of them */
    const jitscope_array *arrays;       /* `narrays` of them */
} jitscope_accesses;

/* Begin to record the launches of the calling thread, anew. Only one thread may do so at a time. */
JITSCOPE_API void jitscope_accesses_begin(void);
/* End recording, and return what was found: the library's own, valid until the next _begin, never NULL. */
JITSCOPE_API const jitscope_accesses *jitscope_accesses_end(void);

/* ---- records: which worker of a parallel loop has read and written what ----
 *
 * Code that was compiled for it reports each read and write of elements while the word at
 * jitscope_recording() is not 0; the program and a debugger may write it. Each worker keeps its own record of
 * its last launch, exactly, without locks, in bounded memory. The program's results do not depend on it. */

/* Return the address of that word: never NULL, and always valid. */
JITSCOPE_API uint32_t *jitscope_recording(void);

enum { JITSCOPE_RECORD_WRITE = 1 }; /* flag of an access: it is a write */
/* Report that the calling thread begins iterations of a loop, whose arrays follow, then its reads and writes.
 * Does nothing in threads that run no rows of a launch. Texts are copied; `name` and `file` may be NULL. */
JITSCOPE_API void jitscope_record_loop(const char *name, const char *file, uint32_t line);
/* Report an array of the loop: see jitscope_access_array, but `name` is a text, or NULL. */
JITSCOPE_API void jitscope_record_array(const char *name, const void *data, uint64_t itemsize, uint32_t ndim,
                                        const int64_t *shape, const int64_t *strides);
/* Report an access of `size` bytes at `address`, by its file (not NULL) and line. Memory outside of the
 * reported arrays is not recorded: it may be the thread's own. */
JITSCOPE_API void jitscope_record_access(const void *address, uint64_t size, const char *file, uint32_t line,
                                         uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif
