/* A row of the line table, and a place where code raises. */
#ifndef JS_PROGRAM_MODEL_ROW_H
#define JS_PROGRAM_MODEL_ROW_H

#include <stdbool.h>
#include <stdint.h>

/* Columns of the compiler hook's rows, which say what the row's code is. */
enum {
    JS_COLUMN_OTHER = 0,
    JS_COLUMN_MARKER = 1, /* a marker: a statement begins here, and all variables are kept */
    JS_COLUMN_LOOP = 2,   /* in a loop without markers */
    JS_COLUMN_RAISE = 3,  /* a raising marker, or a trap (hook/raises.c) */
    JS_COLUMN_ENTRY = 4,  /* a marker that goes_on */
    JS_COLUMN_PLAIN = 5   /* in the form without markers of a loop that also has a form with markers */
};

typedef struct js_row {
    uint64_t address;
    uint32_t line;       /* 0: none, as where the compiler merged code of several lines */
    uint32_t file;       /* index into js_object.files */
    uint32_t iterations; /* iterations of its loop that the code covers, as the compiler says; 0 and 1: one */
    uint8_t column;      /* JS_COLUMN_…; 0 in stock code */
    bool goes_on;        /* a marker of a line that then runs again in a loop without markers */
    bool is_stmt;
    bool prologue_end;
    bool end_sequence;
} js_row;

/* A place where code without the hook passes an exception to its caller. */
typedef struct js_raise {
    uint64_t address; /* address of the store to *excinfo */
    unsigned reg;     /* DWARF number of the register that holds the exception's structure there */
    bool is_made;     /* the structure is the function's own: the exception is raised here */
    bool is_called;   /* a function that this one has called raised the exception */
    bool has_line;    /* the compiler gives the code here a line */
} js_raise;

#endif
