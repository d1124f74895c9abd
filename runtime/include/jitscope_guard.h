/* Guarded memory: arrays that end where a page ends, with no memory after it, and freed ones that are no
 * memory any more. A debugger reads the structures from jitscope_descriptor.guard; the package jitscope calls
 * the functions (JITSCOPE_GUARD). Addresses and offsets are in bytes. Structures grow at their end only. */
#ifndef JITSCOPE_GUARD_H
#define JITSCOPE_GUARD_H

#include "jitscope.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { JITSCOPE_PLACE_CODES = 6 }; /* most return addresses of a place */
/* Where memory was made or freed. */
typedef struct jitscope_guard_place {
    uint64_t codes[JITSCOPE_PLACE_CODES]; /* return addresses, innermost first; 0: no more */
    uint32_t file; /* 1 + index of the file in jitscope_guard.files; 0: no Python code called */
    uint32_t line; /* line of Python code in that file */
} jitscope_guard_place;

/* Kinds of memory: an array of Numba's runtime, one of NumPy, another object of Numba's runtime. */
enum { JITSCOPE_GUARD_NRT = 1, JITSCOPE_GUARD_NUMPY, JITSCOPE_GUARD_OBJECT };
/* States of memory: an entry that is not used; memory that is there; that was freed. */
enum { JITSCOPE_GUARD_UNUSED, JITSCOPE_GUARD_LIVE, JITSCOPE_GUARD_FREED };
/* Memory whose end is the end of a page, with no memory after it. Numba's MemInfo is at its start. */
typedef struct jitscope_guarded {
    uint64_t start;      /* address of its first page */
    uint64_t end;        /* address after its last page */
    uint64_t data;       /* address of the array's data */
    uint64_t size;       /* bytes of the data, which end at `end` */
    uint32_t head;       /* bytes at `start` that the data's owner uses */
    uint32_t state;      /* JITSCOPE_GUARD_UNUSED … */
    uint32_t kind;       /* JITSCOPE_GUARD_NRT … */
    uint32_t next, prev; /* 1 + index of the next and the previous one, by address; 0: none */
    uint32_t pages;      /* number of pages, those without memory after `end` included */
    jitscope_guard_place made, freed;
} jitscope_guarded;

/* What the program has found to be wrong, after which it aborts. */
enum {
    JITSCOPE_DAMAGE_NONE,
    JITSCOPE_DAMAGE_BEFORE, /* bytes before the data were overwritten */
    JITSCOPE_DAMAGE_TWICE,  /* memory was freed that has been freed before */
};

/* The guarded memory of the process. */
typedef struct jitscope_guard {
    uint32_t version, size;
    uint64_t low, high;  /* the addresses [low, high) contain nothing else */
    uint64_t index;      /* address of a uint32_t for each page: 1 + index of its jitscope_guarded; 0: none */
    uint64_t blocks;     /* address of the jitscope_guarded */
    uint64_t files;      /* address of addresses of texts that end in NUL */
    uint32_t nblocks;    /* number of entries at `blocks` */
    uint32_t nfiles;     /* number of entries at `files` */
    uint32_t block_size; /* bytes from one jitscope_guarded to the next */
    uint32_t page;       /* bytes of a page */
    uint32_t live, most; /* number of live ones; the most that there may be */
    uint32_t damaged;    /* 1 + index of the one that is damaged; 0: none is known to be */
    uint32_t damage;     /* JITSCOPE_DAMAGE_… */
    uint64_t damage_at;  /* address of the first byte that was overwritten */
} jitscope_guard;

/* Addresses of functions of the interpreter's C interface, which find the running line; all 0: it has none.
 */
typedef struct jitscope_guard_python {
    void *has_lock;  /* PyGILState_Check */
    void *frame;     /* PyEval_GetFrame */
    void *back;      /* PyFrame_GetBack */
    void *line;      /* PyFrame_GetLineNumber */
    void *code;      /* PyFrame_GetCode */
    void *attribute; /* PyObject_GetAttrString */
    void *text;      /* PyUnicode_AsUTF8 */
    void *hold;      /* Py_IncRef */
    void *release;   /* Py_DecRef */
} jitscope_guard_python;

/* Addresses of functions of Numba's runtime that make a MemInfo, by their names without `NRT_MemInfo_`. */
typedef struct jitscope_guard_nrt {
    void *alloc;
    void *alloc_safe;
    void *alloc_dtor;
    void *alloc_dtor_safe;
    void *alloc_aligned;
    void *alloc_safe_aligned;
    void *alloc_safe_aligned_external;
    void *release; /* drops a reference */
} jitscope_guard_nrt;

/* Reserve the addresses. `chosen`: a function's name, or FILE:LINE; "": every array is guarded. `python` is
 * copied. Returns JITSCOPE_OK, or JITSCOPE_ENOMEM. */
JITSCOPE_API int jitscope_guard_begin(const char *chosen, const jitscope_guard_python *python);
/* Let NumPy's default handler, a PyDataMem_Handler of version 1, guard what it makes from now on.
 * JITSCOPE_EARG: it is another handler. */
JITSCOPE_API int jitscope_guard_numpy(void *handler);
/* Replace the addresses by those of functions that guard. JITSCOPE_EARG: this runtime's MemInfo has another
 * layout. */
JITSCOPE_API int jitscope_guard_numba(jitscope_guard_nrt *functions);
/* Return how many arrays and objects have been guarded. */
JITSCOPE_API uint64_t jitscope_guard_made(void);
/* Begin and end a statement that is chosen. `before` is the result of jitscope_guard_enter. */
JITSCOPE_API uint64_t jitscope_guard_enter(void);
JITSCOPE_API void jitscope_guard_leave(uint64_t before);

#ifdef __cplusplus
}
#endif

#endif
