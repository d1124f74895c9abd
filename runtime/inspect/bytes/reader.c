/* Reads the target's memory from a process, a callback or a buffer, and keeps what a question has read. */
#include "bytes/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bytes/watch.h"

/* Larger reads than SMALL are not cached. A line crosses no page, so that it can be read as a whole or not at
 * all. */
enum { LINE = 256, LINES = 512, SMALL = 512 };

struct js_cache_lines {
    uint64_t numbers[LINES]; /* 1 + address / LINE; 0: none */
    uint8_t contents[LINES][LINE];
};

static int read_file(js_bytes *bytes, uint64_t address, void *buffer, size_t size)
{
    if (bytes->fd < 0) {
        char path[40];
        snprintf(path, sizeof path, "/proc/%d/mem", (int)bytes->pid);
        bytes->fd = open(path, O_RDONLY | O_CLOEXEC);
        if (bytes->fd < 0) {
            return JS_ESYS;
        }
    }
    for (size_t done = 0; done < size;) {
        if (address + done > INT64_MAX) {
            return JS_EFAULT;
        }
        ssize_t got = pread(bytes->fd, (char *)buffer + done, size - done, (off_t)(address + done));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return JS_EFAULT;
        }
        done += (size_t)got;
    }
    return JS_OK;
}

static int read_process(void *context, uint64_t address, void *buffer, size_t size)
{
    js_bytes *bytes = context;
    size_t done = 0;
    while (done < size) {
        struct iovec local = {(char *)buffer + done, size - done};
        struct iovec remote = {(void *)(uintptr_t)(address + done), size - done}; // NOLINT: their address
        ssize_t got = process_vm_readv(bytes->pid, &local, 1, &remote, 1, 0);
        if (got <= 0) {
            /* This is not only for refused reads: /proc/PID/mem also reads pages without PROT_READ. */
            return read_file(bytes, address + done, (char *)buffer + done, size - done);
        }
        done += (size_t)got;
    }
    return JS_OK;
}

static int read_buffer(void *context, uint64_t address, void *buffer, size_t size)
{
    const js_bytes *bytes = context;
    if (address < bytes->base || address - bytes->base > bytes->size ||
        size > bytes->size - (address - bytes->base)) {
        return JS_EFAULT;
    }
    memcpy(buffer, (const char *)bytes->data + (address - bytes->base), size);
    return JS_OK;
}

int js_bytes_init_process(js_bytes *bytes, pid_t pid)
{
    *bytes =
        (js_bytes){.read = read_process, .budget = UINT64_MAX, .effort = UINT64_MAX, .pid = pid, .fd = -1};
    if (pid <= 0) {
        return JS_EARG;
    }
    /* Address 0 is never mapped, so EFAULT is the answer of a process that may be read. */
    char byte;
    struct iovec local = {&byte, 1}, remote = {NULL, 1};
    if (process_vm_readv(pid, &local, 1, &remote, 1, 0) >= 0 || errno == EFAULT) {
        return JS_OK;
    }
    if (read_file(bytes, 0, &byte, 1) == JS_ESYS) {
        return JS_ESYS;
    }
    return JS_OK;
}

int js_bytes_init_callback(js_bytes *bytes, js_read_fn read, void *context)
{
    *bytes =
        (js_bytes){.read = read, .context = context, .budget = UINT64_MAX, .effort = UINT64_MAX, .fd = -1};
    return read ? JS_OK : JS_EARG;
}

int js_bytes_init_buffer(js_bytes *bytes, uint64_t base, const void *data, size_t size)
{
    *bytes = (js_bytes){.read = read_buffer, .data = data, .base = base, .size = size, .fd = -1};
    bytes->budget = bytes->effort = UINT64_MAX;
    return data || !size ? JS_OK : JS_EARG;
}

void js_bytes_deinit(js_bytes *bytes)
{
    if (bytes->fd >= 0) {
        close(bytes->fd);
    }
    free(bytes->lines);
    *bytes = (js_bytes){.fd = -1};
}

static bool spend(js_bytes *bytes, uint64_t effort)
{
    if (bytes->effort != UINT64_MAX) {
        bytes->effort -= effort < bytes->effort ? effort : bytes->effort;
    }
    return bytes->effort != 0;
}

static int ask(js_bytes *bytes, uint64_t address, void *buffer, size_t size)
{
    if (size > bytes->budget || !spend(bytes, JS_CALL)) {
        return JS_ELIMIT;
    }
    bytes->budget -= bytes->budget == UINT64_MAX ? 0 : size;
    bytes->reads++;
    bytes->wanted += size;
    bool own = bytes->read == read_process || bytes->read == read_buffer;
    return bytes->read(own ? bytes : bytes->context, address, buffer, size);
}

/* ---- questions ---- */

void js_question_begin(js_question *question, js_bytes *bytes, uint64_t effort)
{
    *question = (js_question){.effort = bytes ? bytes->effort : 0, .is_outermost = bytes && !bytes->lines};
    if (bytes) {
        bytes->effort = effort < bytes->effort ? effort : bytes->effort;
    }
    if (question->is_outermost) {
        bytes->lines = malloc(sizeof *bytes->lines); /* NULL: reading is slower, but not wrong */
    }
    if (question->is_outermost && bytes->lines) {
        memset(bytes->lines->numbers, 0, sizeof bytes->lines->numbers);
    }
}

void js_question_end(const js_question *question, js_bytes *bytes)
{
    if (!bytes) {
        return;
    }
    bytes->effort = question->effort;
    if (question->is_outermost) {
        free(bytes->lines);
        bytes->lines = NULL;
    }
}

static size_t place_of(uint64_t number)
{
    return (size_t)(number * 0x9e3779b97f4a7c15 >> 40) % LINES; /* distributes multiples of 2**n too */
}

/* Copy bytes from lines that are cached. False: one is not. */
static bool copy_lines(const struct js_cache_lines *lines, uint64_t address, uint8_t *out, size_t size)
{
    for (size_t done = 0, some; done < size; done += some) {
        uint64_t number = (address + done) / LINE;
        size_t from = (address + done) % LINE, place = place_of(number);
        some = LINE - from < size - done ? LINE - from : size - done;
        if (lines->numbers[place] != number + 1) {
            return false;
        }
        memcpy(out + done, lines->contents[place] + from, some);
    }
    return true;
}

/* Read all lines that a read touches, by one call. */
static int read_lines(js_bytes *bytes, uint64_t address, void *buffer, size_t size)
{
    uint8_t whole[SMALL + 2 * LINE];
    uint64_t first = address / LINE, last = (address + (size - 1)) / LINE;
    int status = ask(bytes, first * LINE, whole, (last - first + 1) * LINE);
    if (status) {
        return status;
    }
    for (uint64_t number = first; number <= last; number++) {
        size_t place = place_of(number);
        bytes->lines->numbers[place] = number + 1;
        memcpy(bytes->lines->contents[place], whole + (number - first) * LINE, LINE);
    }
    memcpy(buffer, whole + address % LINE, size);
    return JS_OK;
}

/* ---- reading ---- */

int js_bytes_read(js_bytes *bytes, uint64_t address, void *buffer, size_t size)
{
    if (size == 0) {
        return JS_OK;
    }
    if (!bytes->read) {
        return JS_EARG;
    }
    if (address + (size - 1) < address) {
        return JS_EFAULT;
    }
    if (bytes->watch) {
        js_watch_read(bytes->watch, address, size, false);
    }
    if (bytes->lines && size <= SMALL) {
        if (!spend(bytes, 1)) {
            return JS_ELIMIT;
        }
        if (copy_lines(bytes->lines, address, buffer, size)) {
            return JS_OK;
        }
        int status = read_lines(bytes, address, buffer, size);
        if (status != JS_EFAULT && status != JS_ELIMIT) {
            return status;
        }
    }
    return ask(bytes, address, buffer, size); /* there may be no memory around a buffer */
}

int js_bytes_read_elements(js_bytes *bytes, uint64_t address, void *buffer, size_t size)
{
    if (bytes->watch && size) {
        js_watch_read(bytes->watch, address, size, true);
    }
    return js_bytes_read(bytes, address, buffer, size);
}

enum { PIECES = 256 /* pieces of one system call, which takes up to 1024: linux/uio.h, UIO_MAXIOV */ };

/* Read pieces of a process by one system call, and return the number of bytes that were read. */
static size_t call_for_pieces(const js_bytes *bytes, const js_piece *pieces, size_t count)
{
    struct iovec local[PIECES], remote[PIECES];
    for (size_t i = 0; i < count; i++) {
        void *theirs = (void *)(uintptr_t)pieces[i].address; // NOLINT: their address
        local[i] = (struct iovec){pieces[i].buffer, pieces[i].size};
        remote[i] = (struct iovec){theirs, pieces[i].size};
    }
    ssize_t got = process_vm_readv(bytes->pid, local, count, remote, count, 0);
    return got > 0 ? (size_t)got : 0;
}

int js_bytes_read_pieces(js_bytes *bytes, const js_piece *pieces, size_t count, size_t *done)
{
    bool is_process = bytes->read == read_process;
    *done = 0;
    for (size_t i = 0, some; i < count; i += some) {
        size_t left = count - i, wanted = 0, got;
        some = !is_process ? 1 : left < PIECES ? left : PIECES;
        for (size_t k = 0; k < some; k++) {
            wanted += pieces[i + k].size;
        }
        if (is_process) {
            got = call_for_pieces(bytes, pieces + i, some);
        } else {
            got = js_bytes_read(bytes, pieces[i].address, pieces[i].buffer, wanted) == JS_OK ? wanted : 0;
        }
        *done += got;
        if (got < wanted) {
            return JS_EFAULT;
        }
    }
    return JS_OK;
}

int js_bytes_read_uint(js_bytes *bytes, uint64_t address, size_t size, uint64_t *out)
{
    if (size != 1 && size != 2 && size != 4 && size != 8) {
        return JS_EARG;
    }
    unsigned char raw[8];
    int status = js_bytes_read(bytes, address, raw, size);
    if (status) {
        return status;
    }
    uint64_t value = 0;
    for (size_t i = size; i-- > 0;) {
        value = value << 8 | raw[i];
    }
    *out = value;
    return JS_OK;
}

int js_bytes_read_string(js_bytes *bytes, uint64_t address, size_t capacity, char *out)
{
    if (capacity == 0) {
        return JS_EARG;
    }
    /* Read up to the next 256-byte line at a time, so that a string which ends before an unmapped page is
     * read. */
    size_t length = 0;
    while (length < capacity - 1) {
        uint64_t at = address + length;
        size_t chunk = 256 - (size_t)(at & 255);
        if (chunk > capacity - 1 - length) {
            chunk = capacity - 1 - length;
        }
        int status = js_bytes_read(bytes, at, out + length, chunk);
        if (status) {
            out[length] = '\0';
            return status;
        }
        if (memchr(out + length, '\0', chunk)) {
            return JS_OK;
        }
        length += chunk;
    }
    out[length] = '\0';
    return JS_ELIMIT;
}

int js_bytes_create_process(pid_t pid, js_bytes **out)
{
    *out = NULL;
    js_bytes *bytes = malloc(sizeof *bytes);
    if (!bytes) {
        return JS_ENOMEM;
    }
    int status = js_bytes_init_process(bytes, pid);
    if (status) {
        js_bytes_destroy(bytes);
        return status;
    }
    *out = bytes;
    return JS_OK;
}

int js_bytes_create_callback(js_read_fn read, void *context, js_bytes **out)
{
    *out = NULL;
    js_bytes *bytes = malloc(sizeof *bytes);
    if (!bytes) {
        return JS_ENOMEM;
    }
    int status = js_bytes_init_callback(bytes, read, context);
    if (status) {
        js_bytes_destroy(bytes);
        return status;
    }
    *out = bytes;
    return JS_OK;
}

void js_bytes_destroy(js_bytes *bytes)
{
    if (bytes) {
        js_bytes_deinit(bytes);
        free(bytes);
    }
}
