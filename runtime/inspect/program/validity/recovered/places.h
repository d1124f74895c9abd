/* Finds the place of a version's value, by the compiler's locations and by the tracked values. places.c and
 * learned.c implement it; states/run.c learns, and states/values.c asks. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_PLACES_H
#define JS_PROGRAM_VALIDITY_RECOVERED_PLACES_H

#include "program/validity/locations/context.h"
#include "program/validity/locations/expression.h"

/* Put the location of the version's value at the point. False: not all of the value has a place. */
bool js_truth_locate(js_truth *truth, const js_variable *version, const js_point *point, js_expr *out);
/* Note the values in the places that the compiler gives for the version at the instruction; the track must be
 * there. JS_ENOMEM. */
int js_truth_learn(js_truth *truth, const js_variable *version, uint64_t pc, uint32_t block, size_t insn);
/* Find on which paths these values hold, after all are noted. JS_ENOMEM. */
int js_truth_spread_learned(js_truth *truth);
/* Return the part that has the leaf and can be used, or NULL. older: the frame waits for a callee. */
const js_part *js_truth_part_of(const js_part *parts, size_t count, const js_leaf *leaf, bool older);
/* True if code of a statement below the definition, or unknown code, made the value. LLVM may still name a
 * register for a variable after it has computed something else from the variable in the same register. */
bool js_truth_is_late(const js_truth *truth, const js_held *held, uint32_t line);
/* True if the value came in as another argument than this leaf of the version. LLVM 22.1 locates an argument
 * that is no longer read in a register that holds another argument: it follows copies of a register that has
 * another value by then. */
bool js_truth_is_foreign(const js_truth *truth, const js_variable *version, size_t leaf, const js_held *held);
/* Return the version's location at pc, or NULL. */
const js_location *js_truth_location_at(const js_variable *version, uint64_t pc);

#endif
