/* Lines of text in a buffer of the caller, by async-signal-safe code only. */
#ifndef JITSCOPE_LINES_H
#define JITSCOPE_LINES_H

#include <stddef.h>

/* What does not fit is cut; the text always ends in NUL. */
typedef struct line_text {
    char *data;
    size_t size, length;
} line_text;

void line_init(line_text *line, char *data, size_t size);
void line_add(line_text *line, const char *text);
void line_add_number(line_text *line, long value);
void line_add_hex(line_text *line, unsigned long value);

/* The reader's of a small file of /proc: at most size - 1 bytes and a NUL. Returns the length, or -1. */
long line_read_file(const char *path, char *data, size_t size);

/* The text and a line end on standard error. */
void line_write(const char *text);

#endif
