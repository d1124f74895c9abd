/* Finds the homes of a variable that the program still reads. A debugger's write to one that it does not read
 * changes nothing. */
#ifndef JS_PROGRAM_VALIDITY_RECOVERED_HOME_READS_H
#define JS_PROGRAM_VALIDITY_RECOVERED_HOME_READS_H

#include "program/validity/locations/context.h"

typedef struct js_home_reads js_home_reads;

/* homes: of all versions of one local, JS_TRUTH_VERSIONS at most; it is allocated in truth->scratch. */
int js_home_reads_init(js_home_reads **out, js_truth *truth, const js_extent *homes, size_t nhomes);

/* Return a bit for each home that may be read from the instruction on, before all of it is stored anew. */
uint64_t js_home_reads_from(const js_home_reads *reads, size_t insn);

#endif
