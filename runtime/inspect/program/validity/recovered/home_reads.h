/* Finds the homes of a variable that the program still reads. A debugger's write to another home would have
 * no effect. memory_homes.c uses it. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_HOME_READS_H
#define JS_PROGRAM_VALIDITY_RECOVERED_HOME_READS_H

#include "program/validity/locations/context.h"

typedef struct js_home_reads js_home_reads;

/* Find which homes are read. homes: those of all versions of one local, JS_TRUTH_VERSIONS at most. *out is in
 * truth->scratch. JS_ENOMEM. */
int js_home_reads_init(js_home_reads **out, js_truth *truth, const js_extent *homes, size_t nhomes);

/* Return a bit set of the homes that may be read from the instruction on before they are stored anew. */
uint64_t js_home_reads_from(const js_home_reads *reads, size_t insn);

#endif
