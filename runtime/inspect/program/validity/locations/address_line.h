/* The line of an address. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_ADDRESS_LINE_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_ADDRESS_LINE_H

#include "program/model/function.h"

/* The line of the code at pc, calls into inlined functions counted as the caller's. */
uint32_t js_truth_line(const js_function *function, uint64_t pc);

#endif
