/* What is known of a whole process or core, beside its threads. */
#ifndef JS_STACKS_PROCESS_PROCESS_FACTS_H
#define JS_STACKS_PROCESS_PROCESS_FACTS_H

#include <jansson.h>

#include "stacks/process/target.h"

/* Return "pid", "command", "python", "python_problem", "missing" and "lacking" of docs/schema/stack.json.
 * `pid`: the process; a core has its own. NULL: there is no memory. */
json_t *js_process_facts(const js_stack_target *target, pid_t pid);

#endif
