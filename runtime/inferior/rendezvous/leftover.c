/* Takes out what a debugger that was killed has left in this process: a SIGTRAP that is on its way, and
 * breakpoint instructions. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "registration/descriptor.h"
#include "registration/registered.h"
#include "rendezvous/gather.h"
#include "rendezvous/leftover.h"
#include "system/maps.h"
#include "system/syscalls.h"

#ifdef __x86_64__

enum { INT3 = 0xcc, RESTORED = 4096, PAGE = 4096 };

static _Atomic pid_t busy;          /* the process of the thread that is restoring; 0: none */
static uint64_t restored[RESTORED]; /* addresses whose byte was put back: a hash table */
static maps mapped;
/* True while this thread takes breakpoints out. If it then runs into one, that one is in code which
 * restore_all calls. */
static __thread bool is_restoring __attribute__((tls_model("initial-exec")));

/* ---- one thread at a time ---- */

static void enter(void)
{
    pid_t self = syscall_getpid(), owner = 0;
    while (!atomic_compare_exchange_weak(&busy, &owner, self)) {
        if (owner == self || !owner) {
            owner = 0;
            syscall_yield();
        } /* otherwise the owner is a thread of the process that this one was forked from */
    }
}

static void leave(void)
{
    atomic_store(&busy, 0);
}

/* ---- original bytes ---- */

/* Find the byte of an address in the file that is mapped there. False: no file is. */
static bool file_byte(uint64_t address, uint8_t *byte)
{
    map_line line;
    bool found = false;
    maps_open(&mapped);
    while (!found && maps_next(&mapped, &line)) {
        if (address < line.start || address >= line.end || !line.path) {
            continue;
        }
        int fd = syscall_open(line.path, O_RDONLY | O_CLOEXEC);
        found = fd >= 0 && syscall_pread(fd, byte, 1, (off_t)(line.offset + (address - line.start))) == 1;
        if (fd >= 0) {
            syscall_close(fd);
        }
    }
    maps_close(&mapped);
    return found;
}

static bool is_equal(const volatile uint8_t *bytes, const uint8_t *others, size_t size)
{
    size_t same = 0;
    while (same < size && bytes[same] == others[same]) {
        same++;
    }
    return same == size;
}

/* Write bytes by /proc/self/mem, which also writes pages that are read-only, as a debugger does. */
static bool put_bytes(uint64_t address, const uint8_t *bytes, size_t size)
{
    int fd = syscall_open("/proc/self/mem", O_WRONLY | O_CLOEXEC);
    bool written = fd >= 0 && syscall_pwrite(fd, bytes, size, (off_t)address) == (ssize_t)size;
    if (fd >= 0) {
        syscall_close(fd);
    }
    return written;
}

static uint64_t *restored_slot(uint64_t address)
{
    for (size_t i = 0; i < RESTORED; i++) {
        uint64_t *slot = &restored[(address + i) % RESTORED];
        if (*slot == address || *slot == 0) {
            return slot;
        }
    }
    return NULL;
}

static bool put_back(uint64_t address, uint8_t original)
{
    if (original == INT3 || !put_bytes(address, &original, 1)) {
        return false;
    }
    uint64_t *slot = restored_slot(address);
    if (slot) {
        *slot = address;
    }
    return true;
}

static bool restore(uint64_t address)
{
    uint8_t original;
    return (file_byte(address, &original) || registered_byte(address, &original)) &&
           put_back(address, original);
}

/* ---- all breakpoints ---- */

/* True if a page of a file's code was written to, by its entry in pagemap: only the process's own copy is no
 * page of the file. Source: Linux, Documentation/admin-guide/mm/pagemap.rst. */
static bool is_written(uint64_t entry)
{
    return (entry >> 63 & 1) && !(entry >> 61 & 1);
}

static void compare_page(uint64_t address, int fd, uint64_t offset)
{
    static uint8_t original[PAGE];
    ssize_t size = syscall_pread(fd, original, PAGE, (off_t)offset);
    for (ssize_t i = 0; i < size; i++) {
        if (((const volatile uint8_t *)address)[i] == INT3 && original[i] != INT3) {
            put_back(address + (uint64_t)i, original[i]);
        }
    }
}

static void compare_file(int pages, const map_line *line)
{
    static uint64_t entries[PAGE / sizeof(uint64_t)];
    int fd = -1;
    for (uint64_t at = line->start; at < line->end;) {
        ssize_t got = syscall_pread(pages, entries, sizeof(entries), (off_t)(at / PAGE * sizeof(*entries)));
        if (got < (ssize_t)sizeof(*entries)) {
            break;
        }
        for (size_t i = 0; i < (size_t)got / sizeof(*entries) && at < line->end; i++, at += PAGE) {
            if (is_written(entries[i])) {
                fd = fd >= 0 ? fd : syscall_open(line->path, O_RDONLY | O_CLOEXEC);
                compare_page(at, fd, line->offset + (at - line->start));
            }
        }
    }
    if (fd >= 0) {
        syscall_close(fd);
    }
}

/* Replace a call that gathers workers at a line by the marker. Other threads may run there: once the first
 * byte that differs is the marker's, the rest of the call is harmless. */
static void end_line_call(const registered_code *code, uint64_t at)
{
    const jitscope_gather *g = &gather_here;
    uint32_t size = g->line_size, opcode = 0;
    if (!size || code->size - at < size || !is_equal(code->bytes + at, g->line_marker, size) ||
        is_equal(code->now + at, g->line_marker, size)) {
        return;
    }
    while (opcode < size - 1 && g->line_marker[opcode] == g->line_call[opcode]) {
        opcode++;
    }
    put_bytes(code->address + at + opcode, g->line_marker + opcode, 1);
    put_bytes(code->address + at, g->line_marker, size);
}

static void compare_code(void *context, const registered_code *code)
{
    (void)context;
    for (uint64_t i = 0; i < code->size; i++) {
        if (code->now[i] == INT3 && code->bytes[i] != INT3 && !code->is_filled[i]) {
            put_back(code->address + i, code->bytes[i]);
        }
        end_line_call(code, i);
    }
}

static void restore_all(void)
{
    map_line line;
    int pages = syscall_open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    maps_open(&mapped);
    while (pages >= 0 && maps_next(&mapped, &line)) {
        if (line.is_code && line.path) {
            compare_file(pages, &line);
        }
    }
    maps_close(&mapped);
    if (pages >= 0) {
        syscall_close(pages);
    }
    registered_each(compare_code, NULL);
}

void leftover_restore(void)
{
    enter();
    is_restoring = true;
    if (!jitscope_tracer()) {
        restore_all();
    }
    is_restoring = false;
    leave();
}

/* ---- the signal ---- */

/* Handle a SIGTRAP: the thread has run into a breakpoint of a debugger that is gone, or had stopped at one
 * when the debugger died. If several threads run into one breakpoint, the first puts back the original byte.
 */
static void handle(int number, siginfo_t *info, void *context)
{
    int saved = errno;
    greg_t *rip = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    uint64_t address = (uint64_t)*rip - 1;
    bool is_own = info->si_code <= 0; /* sent by a process */
    uint8_t original;
    if (info->si_code == SI_QUEUE &&
        info->si_value.sival_ptr == restored) { /* jitscope_descriptor.leftover */
        is_own = false;
        if (!is_restoring) {
            leftover_restore();
        }
    } else if (!is_own && is_restoring) {
        is_own = !(file_byte(address, &original) && put_back(address, original));
        *rip -= !is_own;
    } else if (info->si_code == SI_KERNEL &&
               !jitscope_tracer()) { /* and not the end of a single step just after a breakpoint */
        enter();
        const uint64_t *slot = restored_slot(address);
        if (*(const uint8_t *)address == INT3) {
            is_own = !restore(address); /* otherwise it is the program's own, or in unknown code */
            *rip -= !is_own;
            if (!is_own) {
                restore_all(); /* there may be others */
            }
        } else if (slot && *slot == address) {
            *rip = (greg_t)address;
        }
        leave();
    }
    if (is_own) { /* as without this handler */
        signal(number, SIG_DFL);
        raise(number);
    }
    errno = saved;
}

void jitscope_survive_debugger(void)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK},
                     before;
    if (sigaction(SIGTRAP, NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) &&
        before.sa_handler == SIG_DFL) {
        sigaction(SIGTRAP, &action, NULL);
        __jitscope_descriptor.leftover = (uint64_t)(uintptr_t)restored;
    }
}

#else

void leftover_restore(void)
{
}

void jitscope_survive_debugger(void)
{
}

#endif
