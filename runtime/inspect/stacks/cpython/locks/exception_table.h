/* Decodes the exception table of a code object (CPython >= 3.11): Objects/exception_handling_notes.txt,
 * Python/assemble.c. */
#ifndef JS_STACKS_CPYTHON_LOCKS_EXCEPTION_TABLE_H
#define JS_STACKS_CPYTHON_LOCKS_EXCEPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where an exception is handled that instructions from `start` up to `end` raise; in bytes from the start of
 * the bytecode. */
typedef struct js_exception_entry {
    uint64_t start, end, target;
    uint64_t depth; /* values on the stack that the handler keeps, so that they exist in the whole range */
} js_exception_entry;

/* Find the entry of the instruction at `offset`; no two entries overlap. False: none, or the table is
 * malformed before it. */
bool js_exception_entry_find(const uint8_t *table, size_t size, uint64_t offset, js_exception_entry *out);

#endif
