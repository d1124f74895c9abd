/* Finds statements that may have stored what is not in memory yet. LLVM keeps an element that a loop stores
 * to in a register while the loop runs, and stores it after the loop; and in a loop that does several
 * iterations at once the stores come together. The source says what a loop stores to; the code shows whether
 * it does so in each iteration. */
#ifndef JS_PROGRAM_ELEMENTS_STORES_OF_CODE_H
#define JS_PROGRAM_ELEMENTS_STORES_OF_CODE_H

#include "program/elements/freshness.h"
#include "program/model/objects.h"

typedef struct js_pending {
    js_store store;
    js_freshness how;      /* not JS_IN_MEMORY */
    const js_inline *item; /* code that is inlined at the place, and has the statement; NULL: none */
} js_pending;

/* Finds the stores of statements of loops that run at pc. Kept for as long as the program's objects are the
 * same. */
int js_pending_find(js_program *program, const js_function *function, uint64_t pc, const js_pending **out,
                    size_t *count);
/* An object comes or goes. */
void js_pending_forget(js_program *program);

#endif
