/* Keeps locations that count from rsp only where rsp has the value that the compiler assumes; states/run.c
 * calls it. */
#ifndef JS_PROGRAM_VALIDITY_LOCATIONS_STACK_DEPTH_H
#define JS_PROGRAM_VALIDITY_LOCATIONS_STACK_DEPTH_H

#include "program/validity/locations/context.h"

/* Cut the instructions where rsp has another value out of the variables' locations, whose new lists are in
 * the object's arena. LLVM 20 counts from rsp as it is after the prologue, in the whole range of a location,
 * but rsp is different where a path does not run the prologue (shrink wrapping). Call it when the machine
 * code is followed. JS_ENOMEM. */
int js_truth_cut_locations(js_truth *truth);

#endif
