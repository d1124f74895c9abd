/* Finds statements whose stores are not in memory where a program is, for newer_elements.c. LLVM keeps an
 * element that a loop stores to in a register while the loop runs, and stores it after the loop. In a loop
 * that runs several iterations at once, the stores come together. The source says which elements a loop
 * stores to; the code shows whether it does so in each iteration. */
#ifndef JS_PROGRAM_ELEMENTS_STORES_OF_CODE_H
#define JS_PROGRAM_ELEMENTS_STORES_OF_CODE_H

#include "program/elements/freshness.h"
#include "program/model/objects.h"

typedef struct js_pending {
    js_store store;
    js_freshness how;      /* not JS_IN_MEMORY */
    const js_inline *item; /* the inlined code that has the statement; NULL: the function itself has it */
} js_pending;

/* Find the statements whose elements are not JS_IN_MEMORY at pc. *out belongs to the program; it is valid
 * until the next call, or js_pending_forget(). JS_ENOMEM. */
int js_pending_find(js_program *program, const js_function *function, uint64_t pc, const js_pending **out,
                    size_t *count);
/* Forget what js_pending_find() has found. Call it when an object comes or goes. */
void js_pending_forget(js_program *program);

#endif
