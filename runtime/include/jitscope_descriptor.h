/* A debugger reads these structures in the memory of a program. All of them are reached from the symbol
 * __jitscope_descriptor, in a stopped process, in a core, or while the process runs. Little-endian; addresses
 * and offsets are bytes. Structures grow at their end only; a reader takes the bytes that both know, what is
 * missing is 0, and what is new it does not see. `version` counts such growth: readers need not compare it.
 * jitscope_table, jitscope_chunk and jitscope_list never change. */
#ifndef JITSCOPE_DESCRIPTOR_H
#define JITSCOPE_DESCRIPTOR_H

#include "jitscope.h"

#ifdef __cplusplus
extern "C" {
#endif

#define JITSCOPE_MAGIC "JITSCOPE" /* eight bytes, without a NUL */
#define JITSCOPE_VERSION 3        /* `version` of the structures below */

/* A table of slots, which never move and are never freed: chunks that are linked. */
typedef struct jitscope_table {
    uint64_t chunks;      /* address of the first jitscope_chunk; 0: there is none yet */
    uint64_t nslots;      /* slots that were ever used: their indices are below this */
    uint64_t changes;     /* goes up with every registration and unregistration */
    uint32_t chunk_slots; /* slots in each chunk */
    uint32_t slot_size;   /* bytes from one slot to the next */
} jitscope_table;

/* A part of a jitscope_table. */
typedef struct jitscope_chunk {
    uint64_t next;  /* address of the next one; 0: the last */
    uint64_t first; /* index of its first slot. chunk_slots slots of slot_size bytes follow */
} jitscope_chunk;

/* Where a debugger begins to read. */
typedef struct jitscope_descriptor {
    char magic[8];
    uint32_t version;
    uint32_t size;                              /* size of this structure */
    jitscope_table layouts, functions, regions; /* slots: jitscope_slot */
    jitscope_table workers;                     /* slots: jitscope_worker */
    uint64_t gather;                            /* address of the jitscope_gather; 0: no worker ever comes */
    uint64_t recording;                         /* address of the jitscope_recorded */
    uint64_t
        leftover; /* a SIGTRAP that is queued with this value (sigqueue) has the process take out the
                   * breakpoint instructions in its code, unless a debugger is attached; 0: nobody listens */
} jitscope_descriptor;

/* Where the workers of a launch wait until each of them has come, or has ended its share. The debugger writes
 * `at`, `kernel` and `timeout_ms`, and then `state`, in a stopped process; this library the rest. When all
 * are there one of the threads goes on, and stops at once as at jitscope_breakpoint, or at `line_stop`; the
 * debugger writes `released`, and the others go on with it. Where no debugger is attached any more they go
 * on, too. */
enum {
    JITSCOPE_GATHER_OFF,
    JITSCOPE_GATHER_ARMED,
    JITSCOPE_GATHER_MET,
    JITSCOPE_GATHER_CLAIMED, /* armed; a worker looks whether all are there */
};
enum {
    JITSCOPE_GATHER_AT_START = 1, /* each worker where it begins its share */
    JITSCOPE_GATHER_AT_STOP,      /* where it calls jitscope_breakpoint */
    JITSCOPE_GATHER_AT_LINE,      /* where the debugger sends it to `line_entry` */
};
/* `reason`: all workers have come, or the time is over. */
enum { JITSCOPE_GATHER_ALL = 1, JITSCOPE_GATHER_TIMEOUT };

typedef struct jitscope_gather {
    uint32_t version, size;
    uint32_t state;
    uint32_t at;
    uint64_t kernel;     /* launches of this kernel only; 0: of any */
    uint32_t timeout_ms; /* from the first one's coming on; some may be missing then */
    uint32_t reason;     /* why they have met */
    uint64_t launch;
    uint32_t expected, arrived; /* workers that have not ended their shares; those that wait */
    uint32_t released;          /* those who wait go on when the debugger has written another number here */
    /* At level steps each line begins with line_marker, over which the debugger writes line_call. A thread
     * that runs into line_call comes to a meeting, and goes on after it with every register as it was; the
     * one that stops does so at line_stop, just before it returns. line_size: bytes of each; 0: there is
     * none. */
    uint32_t line_size;
    uint64_t line_stop;
    uint8_t line_marker[8], line_call[8];
} jitscope_gather;

/* The magic comes first so that a reader recognises the descriptor before it relies on any other field. */
JITSCOPE_API extern jitscope_descriptor __jitscope_descriptor;

enum { JITSCOPE_SLOT_FREE, JITSCOPE_SLOT_REGISTERED }; /* `state` of a jitscope_slot */

/* One registration. To read it while the process runs: read `sequence`; if it is even read the slot, then the
 * block; read `sequence` again. If it differs, or was odd, another thread was writing: what was read is
 * worthless, begin again. A block that cannot be read is such a case too, if the sequence differs. */
typedef struct jitscope_slot {
    uint64_t sequence;   /* odd while the slot is written */
    uint32_t generation; /* a slot that is free is used again: with each registration this goes up. A handle
                            is generation << 32 | index + 1 */
    uint32_t state;
    uint64_t block;      /* address of the record: a jitscope_…_record, and what it refers to */
    uint64_t block_size; /* bytes of the block, at most JITSCOPE_BLOCK_MAX */
} jitscope_slot;

/* `count` entries of `size` bytes each, at `offset` in the block. */
typedef struct jitscope_list {
    uint32_t offset, count, size;
} jitscope_list;

/* Texts in records are offsets in the block of a text with its NUL; 0: empty. Enumerations and flags are
 * those of the structures of the same name above, where the fields are explained. */
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

/* A member of a layout. */
typedef struct jitscope_member_record {
    uint64_t layout; /* handle */
    uint64_t offset;
    uint32_t name;
    uint32_t role;
} jitscope_member_record;

/* A compiled function, as jitscope_function describes it. */
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
    jitscope_list eh_frame;  /* elements: bytes */
    uint32_t reserved_2;
    uint64_t eh_frame_address; /* where the bytes lay that were passed */
} jitscope_function_record;

/* A variable of a function. */
typedef struct jitscope_variable_record {
    uint64_t layout; /* handle */
    uint32_t name;
    uint32_t line;
    uint32_t flags;
    jitscope_list locations; /* elements: jitscope_location */
} jitscope_variable_record;

/* An entry of the table of lines. */
typedef struct jitscope_line_record {
    uint64_t address;
    uint32_t file; /* 0: the function's */
    uint32_t line;
    uint32_t flags;
    uint32_t reserved;
} jitscope_line_record;

/* A parallel loop, as jitscope_region describes it. */
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

/* A launch: one run of a parallel loop by a pool, as the thread records it that waits for it
 * (jitscope_pool_run). A kernel with a schedule has in each row the first index of each dimension, and then
 * the last index of each, inclusive, 8 bytes each; rows whose last is before their first are empty (Numba:
 * parfors). */
typedef struct jitscope_launch {
    uint64_t launch;   /* its number in this process, from 1 */
    uint64_t kernel;   /* address of the function that runs the rows */
    uint64_t schedule; /* address of the first row; 0: the kernel has no schedule */
    uint64_t rows;
    uint32_t row_size; /* bytes; 16 for each dimension */
    uint32_t nthreads; /* that it may run in */
    uint64_t parent;   /* launch whose rows this thread ran when it began this one; 0: none */
} jitscope_launch;

/* What a thread runs of a launch: [row, row + rows) of it, which lie at `schedule`. */
typedef struct jitscope_work {
    uint64_t launch;
    uint64_t kernel;
    uint64_t schedule; /* address of row `row`; 0: the kernel has no schedule */
    uint64_t row, rows;
    uint32_t worker;   /* the thread's number in the pool */
    uint32_t row_size; /* as in the launch */
} jitscope_work;

/* A function of the program that waits in this library for the others: what it finds again when that returns.
 */
typedef struct jitscope_waiting {
    uint64_t pc; /* 0: not known */
    uint64_t sp;
    uint64_t kept[6]; /* x86-64: rbx, rbp, r12, r13, r14, r15 */
} jitscope_waiting;

/* What a thread runs. Read as a jitscope_slot is, by its sequence; only its thread writes it. Since version 2
 * it has `works`, in step with `regions`: launch 0 where a region was entered by jitscope_region_enter, else
 * the region is 0, and [begin, end) the first dimension's indices; and `launches` that it waits for,
 * outermost first, and only the first JITSCOPE_NESTING_MAX are recorded. */
typedef struct jitscope_worker {
    uint64_t sequence;
    uint32_t thread; /* the kernel's id (gettid); 0: the slot is free */
    uint32_t
        depth; /* regions that it is in; the first JITSCOPE_NESTING_MAX are in `regions`, outermost first */
    struct {
        uint64_t region;    /* handle */
        uint64_t chunks;    /* that were begun */
        int64_t begin, end; /* the one at hand: [begin, end) */
    } regions[JITSCOPE_NESTING_MAX];
    jitscope_work works[JITSCOPE_NESTING_MAX];
    uint32_t nlaunches;
    uint32_t gathered; /* not 0: it waits for the others (jitscope_gather) */
    jitscope_launch launches[JITSCOPE_NESTING_MAX];
    jitscope_waiting place; /* while `gathered` */
    /* For each of `launches`, 1 + the iterations of rows that have ended. The thread that ran a row adds them
     * here (atomically, out of the sequence); 0: not counted. */
    uint64_t ended[JITSCOPE_NESTING_MAX];
} jitscope_worker;

/* ---- what is recorded of reads and writes ---- */

/* All records of the process. */
typedef struct jitscope_recorded {
    uint32_t version, size;
    uint32_t is_on; /* the word of jitscope_recording() */
    uint32_t reserved;
    uint64_t records; /* address of the first jitscope_record; 0: there is none */
    uint64_t limit;   /* bytes that all records may take for what they remember of memory */
    uint64_t used;
} jitscope_recorded;

/* Memory is remembered by pages, each in cells of as many bytes as no access has split. */
enum { JITSCOPE_PAGE = 4096 };
typedef struct jitscope_page {
    uint64_t number; /* address / JITSCOPE_PAGE */
    uint64_t cells;  /* address of a word, 8, 4, 2 or 1: bytes of each cell; the cells follow. 0: no page */
} jitscope_page;

/* A table of pages, in no order. */
typedef struct jitscope_pages {
    uint64_t capacity, npages; /* `capacity` of jitscope_page follow */
} jitscope_pages;

/* What is remembered of a few bytes of memory. */
typedef struct jitscope_cell {
    uint16_t written, read; /* the last site that did, from 1; 0: none */
} jitscope_cell;

/* What one jitscope_record has room for. */
enum { JITSCOPE_SITES_MAX = 1024, JITSCOPE_ARRAYS_MAX = 32, JITSCOPE_TEXTS_SIZE = 16384 };

/* A line of the source that accesses memory. */
typedef struct jitscope_site {
    uint32_t file; /* offset in the record's texts */
    uint32_t line;
} jitscope_site;

/* An array of the loop, as jitscope_record_array has registered it. */
typedef struct jitscope_recorded_array {
    uint32_t name; /* offset in the record's texts */
    uint32_t ndim;
    uint64_t data, itemsize;
    int64_t shape[JITSCOPE_DIMENSIONS_MAX], strides[JITSCOPE_DIMENSIONS_MAX];
} jitscope_recorded_array;

/* What one worker has had of a launch; only its thread writes it. */
typedef struct jitscope_record {
    uint32_t version, size;
    uint64_t next;   /* address of the next one */
    uint64_t launch; /* 0: it is being cleared */
    uint32_t worker, thread;
    uint64_t owner;    /* the thread's own mark */
    uint64_t accesses; /* to the loop's arrays */
    uint64_t lost;     /* accesses that were not recorded, for want of room */
    uint64_t pages;    /* address of the jitscope_pages, whose cells are jitscope_cell; 0: there is none */
    uint32_t is_late;  /* it was begun in the midst of the loop */
    uint32_t name, file, line; /* the loop's: offsets in the texts, its header's line */
    uint32_t nsites, narrays, ntexts;
    uint32_t reserved;
    jitscope_site sites[JITSCOPE_SITES_MAX];
    jitscope_recorded_array arrays[JITSCOPE_ARRAYS_MAX];
    char texts[JITSCOPE_TEXTS_SIZE]; /* the first is empty */
} jitscope_record;

/* How a debugger learns of a function: for each one the library registers a small object with GDB's JIT
 * interface (relocatable ELF: the code's range, one symbol, and a note of the name "jitscope" and this type
 * and description). A debugger that knows nothing of this file shows the symbol. */
#define JITSCOPE_NOTE_NAME "jitscope" /* the note's name */
enum {
    JITSCOPE_NOTE_FUNCTION = 1,
    JITSCOPE_NOTE_STOP = 2, /* the program has called jitscope_breakpoint: the object's code is the function
                               that the debugger is to stop in; `function` is 0 */
};

/* The description of the note. */
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
