/* Variables that the compiler keeps in memory: each version has a home in the frame. */
#ifndef JS_PROGRAM_VALIDITY_STATES_IN_MEMORY_H
#define JS_PROGRAM_VALIDITY_STATES_IN_MEMORY_H

#include "program/validity/recovered/memory_homes.h"

/* What the homes hold at the point, checked against the source's reaching definitions. at: NULL where nothing
 * is known of the source's line. */
void js_truth_judge_home(js_truth *truth, const js_local *local, const js_homes *homes, const js_flow_at *at,
                         const js_point *point, js_verdict *out);
/* Doubts an exact home of a name whose versions are not those of the source's lines. */
void js_truth_doubt_home(const js_truth *truth, const js_local *local, const js_flow_at *at,
                         const js_point *point, js_verdict *out);
/* Gives a number's value in place of its home where the program would not notice what is written there:
 * debuggers then refuse to assign it. */
void js_truth_guard_home(const js_truth *truth, const js_homes *homes, const js_point *point,
                         js_verdict *out);
/* Give the home's location at the instruction. False: the frame is not set up yet, or no longer there. */
bool js_truth_put_home(const js_truth *truth, const js_variable *version, size_t insn, js_verdict *out);

#endif
