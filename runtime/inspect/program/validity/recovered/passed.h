/* Finds the arguments of inlined code at levels lines and exact among the variables of the code around it. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_PASSED_H
#define JS_PROGRAM_VALIDITY_RECOVERED_PASSED_H

#include "program/model/function.h"
#include "program/model/objects.h"

/* Give each argument that the inlined function never assigns, and that is a variable of the argument's type
 * at the call, the places of that variable. item: code inlined in the function, whose locals are those of its
 * source. around: flow of the code around it; NULL: not known. The results are in the arena of the function's
 * object. JS_ENOMEM. */
int js_recover_passed(const js_program *program, js_function *function, js_inline *item,
                      const js_flow *around);
/* Like js_recover_passed(), for code inlined at level exact, at the addresses alone where the inlined code
 * raises: the stores to the function's slots are not moved over these. Places that the arguments have already
 * stay. */
int js_recover_raised(const js_program *program, js_function *function, js_inline *item,
                      const js_flow *around);

#endif
