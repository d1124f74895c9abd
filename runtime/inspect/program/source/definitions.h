/* Looks up where the source assigns a name, for the analyses of validity/. */
#ifndef JS_PROGRAM_SOURCE_DEFINITIONS_H
#define JS_PROGRAM_SOURCE_DEFINITIONS_H

#include "program/source/flow.h"

/* Return how many definitions of the name the flow has. */
size_t js_flow_count_defs(const js_flow *flow, const char *name);

/* True if the source assigns the name on this line. */
bool js_flow_is_def(const js_flow *flow, const char *name, uint32_t line);
/* Return the rank of a definition among those of its name, by line, from 0; UINT32_MAX when two share its
 * line. */
uint32_t js_flow_def_rank(const js_flow *flow, const js_flow_def *def);

#endif
