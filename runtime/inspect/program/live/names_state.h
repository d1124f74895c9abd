/* The state of a js_names. live/names.c fills it, and live/names_json.c writes it. */
#ifndef JS_PROGRAM_LIVE_NAMES_STATE_H
#define JS_PROGRAM_LIVE_NAMES_STATE_H

#include "bytes/reader.h"
#include "program/live/index.h"

typedef struct js_registered js_registered;

enum { JS_NAMES_LISTS = 64 }; /* lists of one process, at most */

struct js_names {
    pid_t pid;
    uint64_t start; /* when the process began, so that another one with its number is noticed */
    uint64_t files; /* changes with the files of code that the process has mapped; 0: not looked for yet */
    uint64_t descriptors[JS_NAMES_LISTS];
    size_t ndescriptors;
    js_bytes bytes;
    js_program *program;
    js_registered *registered;
    size_t nqualified; /* objects whose functions have their full names, from the first on */
    js_live_index index;
    js_names_counts counts;
};

#endif
