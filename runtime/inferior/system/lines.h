/* Writes lines of text into a buffer of the caller. Async-signal-safe. */
#ifndef JITSCOPE_LINES_H
#define JITSCOPE_LINES_H

#include <stddef.h>

/* A line that is being written. What does not fit is cut; the text always ends in NUL. */
typedef struct line_text {
    char *data;
    size_t size, length;
} line_text;

/* Begin a line in `data`, which is borrowed. `size` 0: everything is dropped. */
void line_init(line_text *line, char *data, size_t size);
/* Append a text, a decimal number, or a hexadecimal one. */
void line_add(line_text *line, const char *text);
void line_add_number(line_text *line, long value);
void line_add_hex(line_text *line, unsigned long value);

/* Read a small file of /proc: at most size - 1 bytes, and a NUL after them. Returns the length, or -1. */
long line_read_file(const char *path, char *data, size_t size);

/* Write the text and a line end to standard error. */
void line_write(const char *text);

#endif
