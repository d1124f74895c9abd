/* Finds the line of an address, for the analyses of validity/. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_ADDRESS_LINE_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_ADDRESS_LINE_H

#include "program/model/function.h"

/* Return the line of the code at pc; code that is inlined there has the line of its call. 0: none. */
uint32_t js_truth_line(const js_function *function, uint64_t pc);

#endif
