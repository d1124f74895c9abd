/* Keeps locations that count from rsp only where rsp is at the depth that the compiler assumes. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_STACK_DEPTH_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_STACK_DEPTH_H

#include "program/validity/locations/context.h"

/* LLVM 20 counts from rsp as it is after the prologue, wherever the location holds; a prologue that only
 * some ways run (shrink wrapping) leaves instructions where rsp is another. Cuts these out of the variables'
 * locations, whose new lists are in the object's arena. Call it when the machine code is followed. */
int js_truth_cut_locations(js_truth *truth);

#endif
