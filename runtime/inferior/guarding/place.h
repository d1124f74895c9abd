/* Which code asks for memory, or frees it. */
#ifndef JITSCOPE_GUARDING_PLACE_H
#define JITSCOPE_GUARDING_PLACE_H

#include <stdbool.h>

#include "jitscope_guard.h"

/* Write down the code that runs: the compiled functions, and the line of Python. `is_python`: the caller is
 * called by Python code, so that compiled functions are looked for only if none runs. */
void place_find(jitscope_guard_place *place, bool is_python);
/* True if what Python code asks for now is to be guarded. */
bool place_is_chosen(void);
/* True if what compiled code asks for now is to be guarded. */
bool place_is_in_chosen_statement(void);

#endif
