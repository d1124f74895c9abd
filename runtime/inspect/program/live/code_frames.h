/* Finds the frames, inlined ones too, and the lines of a compiled function's code, from the same rows that a
 * debugger gets. live/names.c and live/names_json.c use it. */
#ifndef JS_PROGRAM_LIVE_CODE_FRAMES_H
#define JS_PROGRAM_LIVE_CODE_FRAMES_H

#include "program/live/names.h"

typedef struct js_function js_function;
typedef struct js_row js_row;

/* A function with its rows (js_debugger_rows()). */
typedef struct js_live_code {
    const js_function *function;
    js_row *rows; /* NULL: not looked for yet; owned */
    size_t nrows;
    uint64_t reach; /* the highest end of this code and all before it in the index */
} js_live_code;

/* Fill `rows`, if they are not there yet. JS_ENOMEM. */
int js_live_code_read_rows(js_live_code *code);
/* Like js_names_at(), for an address within the function's code. */
size_t js_live_code_frames(const js_live_code *code, uint64_t address, js_names_frame *frames,
                           size_t capacity);
/* Return the absolute path of the source that the function, or the loop whose body it is, is in; "": it has
 * no lines. */
const char *js_live_code_file(const js_function *function);
/* Return the line of the `def`, or of the loop. */
uint32_t js_live_code_line(const js_function *function);

#endif
