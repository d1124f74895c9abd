/* A debugger reads these structures in the memory of a program with libjitscope.so: runtime/inspect and
 * gdbext do, in a stopped process, in a core, or while the process runs; runtime/inferior writes them. All
 * are reached from the symbol __jitscope_descriptor. Integers are little-endian; addresses and offsets are in
 * bytes. Structures grow at their end only: a reader takes the bytes that both sides know, takes 0 for what
 * is missing, and ignores what is new. `version` counts such growth, and readers need not compare it.
 * jitscope_table, jitscope_chunk and jitscope_list never change. */
#ifndef JITSCOPE_DESCRIPTOR_H
#define JITSCOPE_DESCRIPTOR_H

#include "jitscope.h"

#ifdef __cplusplus
extern "C" {
#endif

#define JITSCOPE_MAGIC "JITSCOPE" /* eight bytes, without a NUL */
#define JITSCOPE_VERSION 5        /* `version` of the structures below */

/* A table of slots in linked chunks. Slots never move and are never freed. */
typedef struct jitscope_table {
    uint64_t chunks;      /* address of the first jitscope_chunk; 0: none */
    uint64_t nslots;      /* number of slots that were ever used; their indices are below this */
    uint64_t changes;     /* number of registrations and unregistrations so far */
    uint32_t chunk_slots; /* number of slots in each chunk */
    uint32_t slot_size;   /* bytes from one slot to the next */
} jitscope_table;

/* Part of a table: its chunk_slots slots, of slot_size bytes each, follow this structure. */
typedef struct jitscope_chunk {
    uint64_t next;  /* address of the next jitscope_chunk; 0: this is the last */
    uint64_t first; /* index of its first slot in the table */
} jitscope_chunk;

/* The root of everything that a debugger reads. */
typedef struct jitscope_descriptor {
    char magic[8]; /* JITSCOPE_MAGIC */
    uint32_t version;
    uint32_t size;                              /* size of this structure */
    jitscope_table layouts, functions, regions; /* slots: jitscope_slot */
    jitscope_table workers;                     /* slots: jitscope_worker */
    uint64_t gather;    /* address of the jitscope_gather; 0: workers cannot be gathered */
    uint64_t recording; /* address of the jitscope_recorded */
    uint64_t leftover;  /* 0, or: a SIGTRAP that is queued with this value (sigqueue) makes the process take
                           out the breakpoint instructions in its code, unless a debugger is attached */
    uint64_t recompilation; /* address of the jitscope_recompilation (since version 4) */
    uint64_t guard; /* address of the jitscope_guard (jitscope_guard.h); 0: no array is guarded (since version
                       5) */
} jitscope_descriptor;

/* A meeting: the workers of a launch wait until each of them has come or has ended its share.
 *
 * The debugger writes `at`, `kernel` and `timeout_ms`, and then `state`, in a stopped process; this library
 * writes the other fields. When all workers are there, one of them stops, like in jitscope_breakpoint or at
 * `line_stop`. The others run on when the debugger has written `released`, or when no debugger is attached
 * any more. */
enum {
    JITSCOPE_GATHER_OFF,     /* no meeting is asked for */
    JITSCOPE_GATHER_ARMED,   /* the debugger asks for a meeting */
    JITSCOPE_GATHER_MET,     /* the workers have met, and one of them stops */
    JITSCOPE_GATHER_CLAIMED, /* armed, and a worker is finding out whether all are there */
};
enum {
    JITSCOPE_GATHER_AT_START = 1, /* each worker waits where it begins its share */
    JITSCOPE_GATHER_AT_STOP,      /* where it calls jitscope_breakpoint */
    JITSCOPE_GATHER_AT_LINE,      /* at a line, where the debugger has written `line_call` */
};
/* Why the workers have met: all are there; `timeout_ms` have passed. */
enum { JITSCOPE_GATHER_ALL = 1, JITSCOPE_GATHER_TIMEOUT };

typedef struct jitscope_gather {
    uint32_t version, size;
    uint32_t state;      /* JITSCOPE_GATHER_OFF … */
    uint32_t at;         /* JITSCOPE_GATHER_AT_… */
    uint64_t kernel;     /* address of the kernel whose launches meet; 0: any */
    uint32_t timeout_ms; /* milliseconds to wait after the first worker has come; then they meet though some
                            may be missing */
    uint32_t reason;     /* JITSCOPE_GATHER_ALL or JITSCOPE_GATHER_TIMEOUT */
    uint64_t launch;     /* number of the launch whose workers have met */
    uint32_t expected, arrived; /* workers that have not ended their shares; that wait */
    uint32_t released; /* the waiting workers run on when the debugger has written another number here */
    /* At level steps each line begins with line_marker, and the debugger writes line_call over it. A thread
     * that runs into line_call comes to the meeting, and runs on after it with every register unchanged. The
     * thread that stops for all stops at line_stop, just before it returns to the line. line_size: bytes of
     * each of the two; 0: workers cannot gather at lines. */
    uint32_t line_size;
    uint64_t line_stop;
    uint8_t line_marker[8], line_call[8];
} jitscope_gather;

/* The magic comes first so that a reader recognises the descriptor before it relies on any other field. */
JITSCOPE_API extern jitscope_descriptor __jitscope_descriptor;

/* States of a jitscope_slot. */
enum { JITSCOPE_SLOT_FREE, JITSCOPE_SLOT_REGISTERED };

/* One registration. To read it while the process runs: read `sequence`; if it is even, read the slot, then
 * the block; read `sequence` again. If it is odd or has changed, another thread was writing: drop what was
 * read, and begin again. A block that cannot be read is such a case too if `sequence` has changed. */
typedef struct jitscope_slot {
    uint64_t sequence;   /* odd while the slot is being written */
    uint32_t generation; /* increased by each registration, because free slots are used again. A handle is
                            generation << 32 | index + 1 */
    uint32_t state;
    uint64_t block;      /* address of the record: a jitscope_…_record, and what its offsets refer to */
    uint64_t block_size; /* bytes of the block, at most JITSCOPE_BLOCK_MAX */
} jitscope_slot;

/* A list in a block: `count` entries of `size` bytes each, at `offset` from the block's start. */
typedef struct jitscope_list {
    uint32_t offset, count, size;
} jitscope_list;

/* A registered layout. In this and the following records, texts are offsets from the block's start to text
 * that ends in NUL; 0: empty. Fields without a comment, enumerations and flags are those of the structure of
 * that name in jitscope.h. */
typedef struct jitscope_layout_record {
    uint32_t version, size;
    uint32_t kind;
    uint32_t name;
    uint64_t element; /* handle of a layout; 0: none */
    uint64_t bytes;
    uint64_t count;
    uint32_t align, ndim, flags, order;
    jitscope_list members; /* elements: jitscope_member_record */
    uint32_t reserved;
} jitscope_layout_record;

/* A member of a registered layout. */
typedef struct jitscope_member_record {
    uint64_t layout; /* handle */
    uint64_t offset;
    uint32_t name;
    uint32_t role;
} jitscope_member_record;

/* A registered function. */
typedef struct jitscope_function_record {
    uint32_t version, size;
    uint32_t kind;
    uint32_t machine; /* e_machine of ELF: 62 x86-64, 183 AArch64 */
    uint64_t low, high;
    uint32_t name, linkage_name, signature, file, directory;
    uint32_t line;
    uint32_t unwind;
    uint32_t reserved;
    uint64_t result;         /* handle of a layout; 0: none, or not known */
    jitscope_list variables; /* elements: jitscope_variable_record */
    jitscope_list lines;     /* elements: jitscope_line_record */
    jitscope_list eh_frame;  /* elements: bytes of the .eh_frame section */
    uint32_t reserved_2;
    uint64_t eh_frame_address; /* address of the .eh_frame section that was passed, to which its relative
                                  addresses refer */
} jitscope_function_record;

/* A variable of a registered function. */
typedef struct jitscope_variable_record {
    uint64_t layout; /* handle */
    uint32_t name;
    uint32_t line;
    uint32_t flags;
    jitscope_list locations; /* elements: jitscope_location */
} jitscope_variable_record;

/* A row of a registered function's line table. */
typedef struct jitscope_line_record {
    uint64_t address;
    uint32_t file; /* 0: the function's file */
    uint32_t line;
    uint32_t flags;
    uint32_t reserved;
} jitscope_line_record;

/* A registered parallel loop. */
typedef struct jitscope_region_record {
    uint32_t version, size;
    uint32_t schedule;
    uint32_t name;
    uint64_t function;
    uint32_t line;
    uint32_t nworkers;
    int64_t begin, end;
    uint64_t chunk;
} jitscope_region_record;

/* A launch: one run of a parallel loop by a pool, recorded by the thread that waits for it
 * (jitscope_pool_run). If the kernel has a schedule, a row of it holds the first index of each dimension,
 * then the last index of each, inclusive, in 8 bytes each; a row whose last index is below its first is empty
 * (Numba: parfors). */
typedef struct jitscope_launch {
    uint64_t launch;   /* its number in this process, from 1 */
    uint64_t kernel;   /* address of the function that runs the rows */
    uint64_t schedule; /* address of the first row; 0: the kernel has no schedule */
    uint64_t rows;     /* number of rows */
    uint32_t row_size; /* bytes; 16 for each dimension */
    uint32_t nthreads; /* number of threads that it may run in */
    uint64_t parent;   /* number of the launch whose rows this thread ran when it began this one; 0: none */
} jitscope_launch;

/* The rows of a launch that a thread runs: [row, row + rows). */
typedef struct jitscope_work {
    uint64_t launch;
    uint64_t kernel;
    uint64_t schedule;  /* address of row `row`; 0: the kernel has no schedule */
    uint64_t row, rows; /* index of the first row; number of rows */
    uint32_t worker;    /* the thread's number in the pool */
    uint32_t row_size;  /* as in the launch */
} jitscope_work;

/* The place in the program to which a waiting worker returns, and the registers as they will be there. */
typedef struct jitscope_waiting {
    uint64_t pc;      /* 0: not known */
    uint64_t sp;      /* stack pointer */
    uint64_t kept[6]; /* x86-64: rbx, rbp, r12, r13, r14, r15 */
} jitscope_waiting;

/* What a thread runs. Read it like a jitscope_slot, by its sequence; only its thread writes it. Lists have
 * the outermost entry first, and only the first JITSCOPE_NESTING_MAX entries.
 *
 * `works` is in step with `regions` (since version 2). If a region was entered by jitscope_region_enter, its
 * work's `launch` is 0. Otherwise the work is one of a launch, the region's handle is 0, and [begin, end) are
 * its indices in the first dimension. */
typedef struct jitscope_worker {
    uint64_t sequence;
    uint32_t thread; /* the thread's id (gettid); 0: the slot is free */
    uint32_t depth;  /* number of regions that it is in */
    struct {
        uint64_t region;    /* handle */
        uint64_t chunks;    /* number of chunks that it has begun */
        int64_t begin, end; /* the current chunk: [begin, end) */
    } regions[JITSCOPE_NESTING_MAX];
    jitscope_work works[JITSCOPE_NESTING_MAX];
    uint32_t nlaunches; /* number of launches that it waits for */
    uint32_t gathered;  /* not 0: it waits for the others of its launch (jitscope_gather) */
    jitscope_launch launches[JITSCOPE_NESTING_MAX];
    jitscope_waiting place; /* valid while `gathered` is not 0 */
    /* For each of `launches`, 1 + the number of iterations whose rows have ended; 0: not counted. The thread
     * that ran a row adds to it, atomically and outside of the sequence. */
    uint64_t ended[JITSCOPE_NESTING_MAX];
} jitscope_worker;

/* ---- recorded reads and writes ---- */

/* State of the recording of reads and writes. */
typedef struct jitscope_recorded {
    uint32_t version, size;
    uint32_t is_on; /* the word of jitscope_recording() */
    uint32_t reserved;
    uint64_t records; /* address of the first jitscope_record; 0: none */
    uint64_t limit;   /* most bytes that the pages and cells of all records may take */
    uint64_t used;    /* bytes that they take now */
} jitscope_recorded;

/* Accesses are recorded by pages of memory. A page has cells of equal size, which are as large as the
 * accesses to it allow. */
enum { JITSCOPE_PAGE = 4096 };
/* A page of memory that was accessed. */
typedef struct jitscope_page {
    uint64_t number; /* address of the memory / JITSCOPE_PAGE */
    uint64_t cells; /* address of a 64-bit word with the bytes that each cell covers (8, 4, 2 or 1), which the
                       cells follow; 0: this entry is free */
} jitscope_page;

/* A table of pages in no order: `capacity` entries of type jitscope_page follow. */
typedef struct jitscope_pages {
    uint64_t capacity, npages; /* number of entries; number of them that are not free */
} jitscope_pages;

/* The last accesses to the bytes of a cell. */
typedef struct jitscope_cell {
    uint16_t written, read; /* index of the last site that wrote or read, plus 1; 0: none */
} jitscope_cell;

/* Bounds of one record. */
enum { JITSCOPE_SITES_MAX = 1024, JITSCOPE_ARRAYS_MAX = 32, JITSCOPE_TEXTS_SIZE = 16384 };

/* A line of source that has accessed memory. */
typedef struct jitscope_site {
    uint32_t file; /* offset in the record's texts */
    uint32_t line;
} jitscope_site;

/* An array of the loop. Texts are offsets in `texts` of the record. */
typedef struct jitscope_recorded_array {
    uint32_t name; /* offset in the record's texts */
    uint32_t ndim;
    uint64_t data, itemsize; /* address of the element whose indices are all 0; bytes of an element */
    int64_t shape[JITSCOPE_DIMENSIONS_MAX], strides[JITSCOPE_DIMENSIONS_MAX];
} jitscope_recorded_array;

/* What one worker has read and written in a launch. Only its thread writes it. */
typedef struct jitscope_record {
    uint32_t version, size;
    uint64_t next;             /* address of the next jitscope_record; 0: this is the last */
    uint64_t launch;           /* number of the launch; 0: the record is being cleared */
    uint32_t worker, thread;   /* the thread's number in the pool, and its id (gettid) */
    uint64_t owner;            /* a number that differs for each running thread */
    uint64_t accesses;         /* number of accesses to the loop's arrays */
    uint64_t lost;             /* number of accesses and arrays that were not recorded, for want of room */
    uint64_t pages;            /* address of the jitscope_pages, whose cells are jitscope_cell; 0: none */
    uint32_t is_late;          /* 1: begun while the loop ran, so that accesses are missing */
    uint32_t name, file, line; /* the loop's name and file, in `texts`; its header's line */
    uint32_t nsites, narrays, ntexts; /* numbers of entries of `sites` and `arrays`, and bytes of `texts` */
    uint32_t reserved;
    jitscope_site sites[JITSCOPE_SITES_MAX];
    jitscope_recorded_array arrays[JITSCOPE_ARRAYS_MAX];
    char texts[JITSCOPE_TEXTS_SIZE]; /* texts that end in NUL; the first is empty */
} jitscope_record;

/* ---- functions that are compiled anew for a debugger ---- */

enum {
    JITSCOPE_WANTED_MAX = 64,    /* entries */
    JITSCOPE_WANTED_PATH = 1024, /* bytes of a path, with its NUL */
    JITSCOPE_WANTED_TEXT = 512,  /* bytes of an answer, with its NUL */
};
/* States of a jitscope_wanted. */
enum {
    JITSCOPE_WANTED_FREE,      /* nothing is asked for */
    JITSCOPE_WANTED_ASKED,     /* the debugger asks for it; functions that come are compiled so, too */
    JITSCOPE_WANTED_COMPILED,  /* as ASKED, and a function has been compiled anew; the entry stays in force */
    JITSCOPE_WANTED_REFUSED,   /* the process has refused; `text` says why */
    JITSCOPE_WANTED_WITHDRAWN, /* the debugger asks for the code as it was before; FREE once that is done */
};
/* Levels of a jitscope_wanted, and those of `usual`, which may be OWN (the user's own files for stepping, all
 * others with their lines) or LINES, too. */
enum { JITSCOPE_WANTED_OWN, JITSCOPE_WANTED_STEPS, JITSCOPE_WANTED_EXACT, JITSCOPE_WANTED_LINES };
/* Flags of a jitscope_wanted. */
enum {
    JITSCOPE_WANTED_FASTMATH = 1, /* also if the function computes with fastmath flags */
    JITSCOPE_WANTED_NEW = 2,      /* the function has no code yet */
    JITSCOPE_WANTED_TRAPS = 4,    /* functions without the traps of jitscope_recompilation, too; if `file` is
                                     empty,    all of the user's own files at level steps */
};

/* What compiled code stops at: a result that its integer type cannot hold; a NaN that is made of numbers. */
enum { JITSCOPE_TRAP_OVERFLOW = 1, JITSCOPE_TRAP_NAN = 2 };

/* A function that a debugger wants compiled at another level: the functions whose code has this line. */
typedef struct jitscope_wanted {
    uint32_t state; /* JITSCOPE_WANTED_FREE … */
    uint32_t line;  /* 0: `file` is the function's name, such as scan, Box.get or package.module.scan */
    uint32_t level; /* JITSCOPE_WANTED_STEPS or _EXACT */
    uint32_t flags;
    char file[JITSCOPE_WANTED_PATH]; /* the source: its path, or the end of its path */
    char text[JITSCOPE_WANTED_TEXT]; /* the answer: the names of the functions, or why it is refused; while
                                        it is asked: why callers of the functions are refused */
} jitscope_wanted;

/* What a debugger wants compiled anew, and what has come of it. The debugger writes entries, then `asked`,
 * and `entry` to the address `slot`, in a stopped process. From then on each call of a compiled function from
 * Python goes through this library, until `slot` has its `original` again. There the process compiles what is
 * wanted, in the thread that calls, and calls `answered`, a function in which the debugger can stop. */
typedef struct jitscope_recompilation {
    uint32_t version, size;
    uint32_t asked;    /* increased by the debugger when it has written entries */
    uint32_t seen;     /* the last value of `asked` that the process has looked at */
    uint64_t slot;     /* address of the pointer through which Python calls compiled functions; 0: nothing can
                          be compiled anew */
    uint64_t original; /* the value of that pointer */
    uint64_t entry;    /* the value that the debugger writes there */
    uint64_t answered; /* address of the function that the process calls when `answer` has an answer */
    uint32_t answer;   /* index of the entry that has been answered last; JITSCOPE_WANTED_MAX: none, and the
                          process has begun to look at entries */
    uint32_t usual;    /* the level of functions that are compiled from now on, if neither the program nor an
                          entry asks for another one; it holds while a debugger is there */
    jitscope_wanted wanted[JITSCOPE_WANTED_MAX];
    uint32_t traps; /* JITSCOPE_TRAP_…: what functions that are compiled from now on for stepping stop at, as
                       long as a debugger is there */
    uint32_t reserved;
} jitscope_recompilation;

/* Compiles what is wanted before `callable` is called; every error stays within. */
typedef void (*jitscope_serve_fn)(void *callable);
/* Returns the address of the jitscope_recompilation; valid as long as the library is loaded. */
JITSCOPE_API jitscope_recompilation *jitscope_recompilation_begin(void **slot, jitscope_serve_fn serve);
/* Forget which callables are known to need nothing: call it when a function has been compiled. */
JITSCOPE_API void jitscope_recompilation_changed(void);
/* Report that the entry with this index has been answered. */
JITSCOPE_API void jitscope_recompilation_answer(uint32_t index);
/* Does nothing: a debugger that waits for an answer has a breakpoint here. */
JITSCOPE_API void jitscope_recompilation_answered(void);
/* Give the pointer its original value again: no call goes through this library any more. */
JITSCOPE_API void jitscope_recompilation_end(void);

/* How a debugger is informed of a function: the library registers a small object for each function with GDB's
 * JIT interface. The object is relocatable ELF with the code's range, one symbol, and a note with this name,
 * type and content (jitscope_note). A debugger that does not know this header shows the symbol. */
#define JITSCOPE_NOTE_NAME "jitscope"
enum {
    JITSCOPE_NOTE_FUNCTION = 1,
    JITSCOPE_NOTE_STOP = 2, /* the program has called jitscope_breakpoint: the object's code is the function
                               to stop in, and `function` is 0 */
};

/* The content of the note. */
typedef struct jitscope_note {
    uint32_t version, size;
    uint64_t descriptor; /* address of the jitscope_descriptor */
    uint64_t function;   /* handle */
    uint64_t entry;      /* address of the jit_code_entry of this object */
    uint64_t interface;  /* address of the library's own __jit_debug_descriptor */
} jitscope_note;

#ifdef __cplusplus
}
#endif

#endif
