/* What is known of a variable at an address: which version is current, and where it is. */
#ifndef JS_PROGRAM_VALIDITY_STATES_CURRENT_VERSION_H
#define JS_PROGRAM_VALIDITY_STATES_CURRENT_VERSION_H

#include "program/validity/recovered/memory_homes.h"

/* What is known of a local at pc, which belongs to this line. homes: NULL when it has none; insn, older: as
 * in js_truth_locate; is_in_turn: what the source says of it at the line holds at pc. */
void js_truth_judge(js_truth *truth, const js_local *local, const js_homes *homes, uint32_t line, uint64_t pc,
                    size_t insn, bool older, bool is_in_turn, js_verdict *out);
/* What the argument came in as, wherever that still is, though it may have been assigned since. */
bool js_truth_put_entry(js_truth *truth, const js_local *local, uint64_t pc, size_t insn, bool older,
                        js_verdict *out);
/* The version that a line's value by computation is of; NULL: it cannot be told. */
const js_variable *js_truth_computed_version(const js_truth *truth, const js_local *local,
                                             const js_flow_at *at);

#endif
