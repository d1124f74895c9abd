/* Which statements may have stored what is not in memory yet? LLVM keeps an element that a loop stores to in
 * a register while the loop runs, and stores it behind the loop; and of a loop that does several iterations
 * at once the stores come together. The source says what a loop stores to; the code shows whether it does so
 * in each iteration. */
#ifndef JS_PROGRAM_ELEMENTS_NEWER_ELEMENTS_H
#define JS_PROGRAM_ELEMENTS_NEWER_ELEMENTS_H

#include "program/program_internal.h"

typedef enum js_freshness {
    JS_IN_MEMORY,    /* it is as the source says at this line */
    JS_AT_ITERATION, /* but for what the current iterations store */
    JS_IN_REGISTER,
    JS_LEFT_OUT, /* the statement has no code */
} js_freshness;

typedef struct js_pending {
    const js_store *store;
    js_freshness how;      /* not JS_IN_MEMORY */
    const js_inline *item; /* code that is inlined at the place, of which the statement is; NULL: none */
} js_pending;

/* Of the statements of loops that run at pc. Kept for as long as the program's objects are the same. */
int js_pending_find(js_program *program, const js_function *function, uint64_t pc, const js_pending **out,
                    size_t *count);
/* An object comes or goes. */
void js_pending_forget(js_program *program);
/* The source of the code that is inlined here, by what it has been compiled to by itself; NULL: not known. */
const js_flow *js_pending_flow(const js_program *program, const js_function *function, const js_inline *item);
/* May the variable hold what has elements, items or attributes? in_place: only an array, which `+=` changes
 * in place. */
bool js_pending_may_have_elements(const js_local *local, bool in_place);
/* May code that is inlined for the call store to elements? scope: of the statement, 1 + the index of inlined
 * code, 0: the function's own; depth: of calls within calls that are looked at. True where that is not known.
 */
bool js_pending_call_may_store(const js_program *program, const js_function *function, uint32_t scope,
                               const js_store *call, unsigned depth);

#endif
