/* The value of a version from where it was seen. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_PLACES_H
#define JS_PROGRAM_VALIDITY_RECOVERED_PLACES_H

#include "program/validity/locations/context.h"
#include "program/validity/locations/expression.h"

/* The version's value from what is tracked and what the compiler says at the point. False: not to be had in
 * full. */
bool js_truth_locate(js_truth *truth, const js_variable *version, const js_point *point, js_expr *out);
/* Record the values at the places where the compiler says that the version is. */
int js_truth_learn(js_truth *truth, const js_variable *version, uint64_t pc, uint32_t block, size_t insn);
/* Once all is learned: how far it goes. */
int js_truth_learned(js_truth *truth);
/* The part that holds the leaf and can be used (older: seen from a callee), or NULL. */
const js_part *js_truth_part_of(const js_part *parts, size_t count, const js_leaf *leaf, bool older);
/* True if code of a statement below the definition, or unknown code, made what is there. LLVM goes on
 * to name a register for a variable where it has computed something else from it in place. */
bool js_truth_is_late(const js_truth *truth, const js_held *held, uint32_t line);
/* True if the value came in as something else than this leaf of the variable. LLVM 22.1 locates an argument
 * that is no longer read in a register that holds another argument: it follows copies of a register that
 * holds something else by then. */
bool js_truth_is_foreign(const js_truth *truth, const js_variable *version, size_t leaf, const js_held *held);
const js_location *js_truth_location(const js_variable *version, uint64_t pc);

#endif
