/* A line of a function's control flow as text (source/flow.h): its words, one behind another. */
#ifndef JS_PROGRAM_SOURCE_FLOW_LINE_H
#define JS_PROGRAM_SOURCE_FLOW_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes/arena.h"
#include "bytes/status.h"

typedef struct js_flow_line {
    const char *at, *end; /* what is left of it, without the line feed */
} js_flow_line;

typedef struct js_flow_word {
    const char *text; /* in the line, without a NUL */
    size_t length;
} js_flow_word;

bool js_flow_word_is(const js_flow_word *word, const char *what);
/* Each takes the next word. False: there is none, or it is not what is asked for (a number below 10^9, one of
 * at most 18 characters with its sign). */
bool js_flow_line_word(js_flow_line *line, js_flow_word *out);
bool js_flow_line_number(js_flow_line *line, uint32_t *out);
bool js_flow_line_signed(js_flow_line *line, int64_t *out);
/* Takes the next word as a NUL-terminated copy in the arena; JS_EBAD: there is none. */
int js_flow_line_name(js_flow_line *line, js_arena *arena, const char **out);

#endif
