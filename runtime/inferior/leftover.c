#include "leftover.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "jitscope.h"

#ifdef __x86_64__

enum { INT3 = 0xcc, LINE_SIZE = 4352 }; /* /proc/PID/maps: a path of at most PATH_MAX bytes, and numbers */

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

/* A line of /proc/PID/maps (proc(5)): `start-end perms offset device inode path`. The byte that the file has
 * at this address is in `byte`. */
static bool file_byte(const char *line, uint64_t address, uint8_t *byte)
{
    uint64_t start = take_hex(&line);
    if (*line++ != '-' || address < start || address >= take_hex(&line)) {
        return false;
    }
    const char *path = strchr(line, '/');
    line = strchr(line + 1, ' '); /* behind the permissions */
    if (!path || !line) {
        return false;
    }
    line++;
    uint64_t offset = take_hex(&line);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool read_it = fd >= 0 && pread(fd, byte, 1, (off_t)(offset + (address - start))) == 1;
    if (fd >= 0) {
        close(fd);
    }
    return read_it;
}

static bool original_byte(uint64_t address, uint8_t *byte)
{
    char line[LINE_SIZE];
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    bool found = false;
    char c;
    while (fd >= 0 && !found && read(fd, &c, 1) == 1) {
        if (c != '\n') {
            line[length] = c;
            length += length + 1 < sizeof(line);
            continue;
        }
        line[length] = '\0';
        length = 0;
        found = file_byte(line, address, byte);
    }
    if (fd >= 0) {
        close(fd);
    }
    return found;
}

/* /proc/self/mem writes where the pages themselves are read-only, as a debugger does. */
static bool restore(uint64_t address, uint8_t byte)
{
    int fd = open("/proc/self/mem", O_WRONLY | O_CLOEXEC);
    bool written = fd >= 0 && pwrite(fd, &byte, 1, (off_t)address) == 1;
    if (fd >= 0) {
        close(fd);
    }
    return written;
}

/* The thread has run into a breakpoint that nobody waits for, or was stopped at one when the debugger died.
 */
static void handle(int number, siginfo_t *info, void *context)
{
    (void)info;
    int saved = errno;
    greg_t *at = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    uint64_t address = (uint64_t)*at - 1;
    uint8_t original;
    if (*(const uint8_t *)address == INT3 && !jitscope_tracer()) {
        if (original_byte(address, &original) && original != INT3 && restore(address, original)) {
            *at = (greg_t)address;
        } else {
            signal(number, SIG_DFL); /* the program's own, or in code that no file has: as ever */
            raise(number);
        }
    }
    errno = saved;
}

void leftover_survive(void)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK},
                     before;
    if (sigaction(SIGTRAP, NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) &&
        before.sa_handler == SIG_DFL) {
        sigaction(SIGTRAP, &action, NULL);
    }
}

#else

void leftover_survive(void)
{
}

#endif
