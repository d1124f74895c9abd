/* A row of the line table, and where code raises. */
#ifndef JS_PROGRAM_MODEL_ROW_H
#define JS_PROGRAM_MODEL_ROW_H

#include <stdbool.h>
#include <stdint.h>

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
    uint32_t line;       /* 0: the compiler merged several */
    uint32_t file;       /* index into js_object.files */
    uint32_t iterations; /* iterations of its loop that the code covers, as the compiler says; 0 and 1: one */
    uint8_t column;      /* functions compiled with the hook: JS_COLUMN_…; else 0 */
    bool goes_on;        /* a marker, of a line that runs again in a loop without markers */
    bool is_stmt;
    bool prologue_end;
    bool end_sequence;
} js_row;

/* A place where code without the hook passes an exception to its caller. */
typedef struct js_raise {
    uint64_t address; /* address of the store to *excinfo */
    unsigned reg;     /* DWARF's number: it holds the exception's structure there */
    bool is_made;     /* the structure is one of the function's own: raised here */
    bool is_called;   /* a call has said it */
    bool has_line;    /* the compiler says which line it is of */
} js_raise;

#endif
