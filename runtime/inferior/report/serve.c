#include "report/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

#include "jitscope_report.h"
#include "report/clock.h"

enum { PAGE = 4096 };

/* What answers are made of. */
typedef struct server {
    int fd, memory;
    int through[2]; /* a pipe, which memory is read through where /proc/self/mem cannot be opened */
    int64_t until;
} server;

static char buffer[JITSCOPE_REPORT_LARGEST];

static bool is_ready(const server *to, short events)
{
    struct pollfd file = {to->fd, events, 0};
    for (int64_t left; (left = to->until - clock_ms()) > 0;) {
        int count = poll(&file, 1, (int)(left < INT32_MAX ? left : INT32_MAX));
        if (count > 0) {
            return true;
        }
        if (count < 0 && errno != EINTR) {
            return false;
        }
    }
    return false;
}

static bool send_all(const server *to, const void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t sent = send(to->fd, (const char *)data + done, size - done, MSG_NOSIGNAL | MSG_DONTWAIT);
        bool is_again = sent < 0 && (errno == EINTR || (errno == EAGAIN && is_ready(to, POLLOUT)));
        if (sent <= 0 && !is_again) {
            return false;
        }
        done += sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

static bool receive_all(const server *from, void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        if (!is_ready(from, POLLIN)) {
            return false;
        }
        ssize_t got = read(from->fd, (char *)data + done, size - done);
        if (got <= 0 && !(got < 0 && errno == EINTR)) {
            return false;
        }
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* Answer with a number of bytes, or -errno, and the bytes, which are in the buffer. */
static bool reply(const server *to, int64_t count)
{
    return send_all(to, &count, sizeof count) && (count <= 0 || send_all(to, buffer, (size_t)count));
}

/* Read memory through the pipe: its write fails with EFAULT where there is none. */
static int64_t read_through(const server *from, uint64_t address, size_t size)
{
    size_t done = 0;
    while (done < size) {
        size_t rest = PAGE - (size_t)((address + done) % PAGE),
               some = rest < size - done ? rest : size - done;
        ssize_t put = write(from->through[1], (const void *)(uintptr_t)(address + done), some);
        if (put <= 0) {
            break;
        }
        ssize_t got = read(from->through[0], buffer + done, (size_t)put);
        if (got != put) {
            return -EIO;
        }
        done += (size_t)got;
    }
    return done ? (int64_t)done : -EFAULT;
}

static bool send_memory(const server *to, const jitscope_report_request *request)
{
    size_t size = request->size < sizeof buffer ? (size_t)request->size : sizeof buffer;
    if (to->memory < 0) {
        return reply(to, read_through(to, request->address, size));
    }
    ssize_t got = pread(to->memory, buffer, size, (off_t)request->address);
    return reply(to, got < 0 ? -errno : got);
}

static bool send_file(const server *to, uint64_t number)
{
    static const char *const paths[JITSCOPE_REPORT_FILES] = {
        [JITSCOPE_REPORT_MAPS] = "/proc/self/maps",
        [JITSCOPE_REPORT_AUXV] = "/proc/self/auxv",
        [JITSCOPE_REPORT_COMMAND] = "/proc/self/cmdline",
    };
    int file = number < JITSCOPE_REPORT_FILES ? open(paths[number], O_RDONLY | O_CLOEXEC) : -1;
    ssize_t got;
    bool is_sent;
    do {
        got = read(file, buffer, sizeof buffer);
        is_sent = reply(to, got < 0 ? -errno : got);
    } while (is_sent && got > 0);
    if (file >= 0) {
        close(file);
    }
    return is_sent;
}

void serve(int fd, int64_t until)
{
    server own = {fd, open("/proc/self/mem", O_RDONLY | O_CLOEXEC), {-1, -1}, until};
    bool can_read = own.memory >= 0 || pipe2(own.through, O_CLOEXEC) == 0;
    jitscope_report_request request;
    while (can_read && receive_all(&own, &request, sizeof request)) {
        bool is_memory = request.kind == JITSCOPE_REPORT_READ_MEMORY;
        if (!(is_memory ? send_memory(&own, &request) : send_file(&own, request.address))) {
            break;
        }
    }
    const int files[] = {own.memory, own.through[0], own.through[1]};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (files[i] >= 0) {
            close(files[i]);
        }
    }
}
