/* Judges variables that the compiler keeps in memory, where each version has a home in the frame;
 * current_version.c calls it. */
#ifndef JS_PROGRAM_VALIDITY_STATES_IN_MEMORY_H
#define JS_PROGRAM_VALIDITY_STATES_IN_MEMORY_H

#include "program/validity/recovered/memory_homes.h"

/* Fill `out` with the state by the homes at the point, checked against the source's reaching definitions. at:
 * what the source says of the local at the point's line; NULL: nothing. */
void js_truth_judge_home(js_truth *truth, const js_local *local, const js_homes *homes,
                         const js_flow_at *fact, const js_point *point, js_verdict *out);
/* Label an exact home whose name has versions that do not match the source, where the home may be wrong. */
void js_truth_doubt_home(const js_truth *truth, const js_local *local, const js_flow_at *fact,
                         const js_point *point, js_verdict *out);
/* Replace a number's home by the value in it where the program no longer reads the home: debuggers then
 * refuse to assign to the variable. If the program reads the home of another version with the value, take
 * that home. */
void js_truth_guard_home(const js_truth *truth, const js_homes *homes, const js_point *point,
                         js_verdict *out);
/* Set out->expr to the home's location at the instruction. False: the frame is not set up yet, or no longer
 * there. */
bool js_truth_put_home(const js_truth *truth, const js_variable *version, size_t insn, js_verdict *out);

#endif
