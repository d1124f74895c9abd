/* Variables that the source assigns and that the compiler does not describe: it has removed the code that
 * assigns them, or their description. They are listed with a label instead of a value. states/run.c and
 * session/truths.c call it. */
#ifndef JS_PROGRAM_VALIDITY_VARIABLES_UNDESCRIBED_VARIABLES_H
#define JS_PROGRAM_VALIDITY_VARIABLES_UNDESCRIBED_VARIABLES_H

#include "program/validity/locations/context.h"
#include "program/validity/locations/verdict.h"

/* The type of all these variables, whose own types are not known. */
extern const js_type js_absent_type;
/* The reason of a variable of an inlined nested function, on lines outside of that function. */
extern const char js_absent_not_within[];

/* Add the undescribed variables of stock code to the function's variables, before its locals are made.
 * JS_ENOMEM. */
int js_absent_add_to_function(js_truth *truth);
/* Mark the undescribed variables that are arguments. Call it when the locals are judged. */
void js_absent_mark_arguments(js_truth *truth);
/* Like js_truth_judge(), for an undescribed local. fact: what the source says of it at the line, or NULL. */
void js_absent_judge(const js_truth *truth, const js_local *local, const js_flow_at *fact, bool is_in_order,
                     js_verdict *out);

/* Add the undescribed variables of code compiled with the hook: to the locals of a function, which may lack
 * only those of a lambda or a comprehension in it; to those of a kernel; or to those of a function that was
 * inlined into `function`. flow: that of the source function that has the variables. JS_ENOMEM. */
int js_absent_of_function(js_object *object, js_function *function, const js_flow *flow);
int js_absent_of_kernel(js_object *object, js_function *kernel, const js_flow *flow);
int js_absent_of_inlined(js_object *object, const js_function *function, js_inline *item,
                         const js_flow *flow);

#endif
