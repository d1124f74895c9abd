/* Reads /proc/self/maps line by line, by async-signal-safe code. */
#include "system/maps.h"

#include "system/syscalls.h"

/* Find a character, without a function of libc: see syscalls.h. */
static const char *find(const char *text, char wanted)
{
    while (*text && *text != wanted) {
        text++;
    }
    return *text ? text : NULL;
}

static uint64_t take_hex(const char **text)
{
    uint64_t value = 0;
    for (;; (*text)++) {
        char c = **text;
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0) {
            return value;
        }
        value = value * 16 + (uint64_t)digit;
    }
}

void maps_open(maps *of)
{
    of->fd = syscall_open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    of->at = of->length = 0;
}

void maps_close(maps *of)
{
    if (of->fd >= 0) {
        syscall_close(of->fd);
    }
    of->fd = -1;
}

static bool read_line(maps *of)
{
    for (size_t length = 0;;) {
        if (of->at == of->length) {
            ssize_t got = of->fd < 0 ? 0 : syscall_read(of->fd, of->chunk, sizeof(of->chunk));
            if (got <= 0) {
                return false;
            }
            of->at = 0;
            of->length = (size_t)got;
        }
        char c = of->chunk[of->at++];
        if (c == '\n') {
            of->text[length] = '\0';
            return true;
        }
        of->text[length] = c;
        length += length + 1 < sizeof(of->text);
    }
}

bool maps_next(maps *of, map_line *line)
{
    if (!read_line(of)) {
        return false;
    }
    const char *text = of->text;
    line->start = take_hex(&text);
    text += *text == '-';
    line->end = take_hex(&text);
    line->path = find(text, '/');
    line->is_code = text[0] && text[1] == 'r' && text[2] && text[3] == 'x' && text[4] == 'p';
    text = *text ? find(text + 1, ' ') : NULL; /* after the permissions */
    line->offset = 0;
    if (text) {
        text++;
        line->offset = take_hex(&text);
    }
    return true;
}
