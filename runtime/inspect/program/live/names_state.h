/* The state of a js_names. live/names.c fills it, and live/names_json.c writes it. */
#ifndef JS_PROGRAM_LIVE_NAMES_STATE_H
#define JS_PROGRAM_LIVE_NAMES_STATE_H

#include "program/live/index.h"
#include "program/session/jit_list.h"

struct js_names {
    pid_t pid;
    uint64_t start; /* when the process began, so that another one with its number is noticed */
    uint64_t files; /* changes with the files of code that the process has mapped; 0: not looked for yet */
    uint64_t descriptors[JS_REGISTERED_LISTS];
    size_t ndescriptors;
    js_bytes bytes;
    js_program *program;
    struct js_registered *registered;
    size_t nqualified; /* objects whose functions have their full names, from the first on */
    js_code_index index;
    js_names_counts counts;
};

#endif
