/* Writes lines of text, and reads small files, by async-signal-safe code. */
#include "system/lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "system/syscalls.h"

void line_init(line_text *line, char *data, size_t size)
{
    *line = (line_text){data, size, 0};
    if (size) {
        data[0] = '\0';
    }
}

void line_add(line_text *line, const char *text)
{
    for (; *text && line->length + 1 < line->size; text++) {
        line->data[line->length++] = *text;
    }
    if (line->size) {
        line->data[line->length] = '\0';
    }
}

static void add_digits(line_text *line, unsigned long value, unsigned base)
{
    char digits[24];
    size_t at = sizeof(digits);
    digits[--at] = '\0';
    do {
        digits[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    line_add(line, digits + at);
}

void line_add_number(line_text *line, long value)
{
    if (value < 0) {
        line_add(line, "-");
    }
    add_digits(line, value < 0 ? 0UL - (unsigned long)value : (unsigned long)value, 10);
}

void line_add_hex(line_text *line, unsigned long value)
{
    line_add(line, "0x");
    add_digits(line, value, 16);
}

long line_read_file(const char *path, char *data, size_t size)
{
    int fd = syscall_open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    size_t length = 0;
    while (length + 1 < size) {
        ssize_t got = syscall_read(fd, data + length, size - 1 - length);
        if (got == -EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        length += (size_t)got;
    }
    syscall_close(fd);
    data[length] = '\0';
    return (long)length;
}

void line_write(const char *text)
{
    char whole[1024];
    line_text line;
    line_init(&line, whole, sizeof(whole) - 1);
    line_add(&line, text);
    whole[line.length++] = '\n'; /* one write, so that lines of several threads are not mixed */
    ssize_t ignored = write(STDERR_FILENO, whole, line.length);
    (void)ignored;
}
