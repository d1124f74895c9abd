/* What js_stacks consists of, for the files of this folder. */
#ifndef JS_STACKS_API_STACKS_STATE_H
#define JS_STACKS_API_STACKS_STATE_H

#include <stdbool.h>

#include "stacks/api/stacks.h"
#include "stacks/process/target.h"

struct js_stacks {
    pid_t pid; /* 0: a core */
    js_stack_target target;
    js_core *core;   /* owned; NULL: a process */
    bool is_served;  /* the core is a process that answers reads, and waits for its end */
    bool is_warm;    /* the stacks have been taken before */
    bool is_watched; /* elements that loops keep in registers are known since then */
};

#endif
