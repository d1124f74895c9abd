/* Reads and writes files by system calls, without libc. A breakpoint that a debugger has left may
 * be in libc's functions, and would end the program if the SIGTRAP handler, which takes breakpoints out, ran
 * into it. Each function returns what the system call returns, or -errno. */
#ifndef JITSCOPE_SYSCALLS_H
#define JITSCOPE_SYSCALLS_H

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __x86_64__

#include <sys/syscall.h>

static inline long syscall_of(long number, long first, long second, long third, long fourth)
{
    register long r10 __asm__("r10") = fourth; /* System V ABI x86-64 psABI 1.0, A.2.1 */
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(first), "S"(second), "d"(third), "r"(r10)
                     : "rcx", "r11", "memory");
    return result;
}

static inline int syscall_open(const char *path, int flags)
{
    return (int)syscall_of(SYS_open, (long)(intptr_t)path, flags, 0, 0);
}

static inline ssize_t syscall_read(int fd, void *data, size_t size)
{
    return syscall_of(SYS_read, fd, (long)(intptr_t)data, (long)size, 0);
}

static inline ssize_t syscall_pread(int fd, void *data, size_t size, off_t offset)
{
    return syscall_of(SYS_pread64, fd, (long)(intptr_t)data, (long)size, offset);
}

static inline ssize_t syscall_pwrite(int fd, const void *data, size_t size, off_t offset)
{
    return syscall_of(SYS_pwrite64, fd, (long)(intptr_t)data, (long)size, offset);
}

static inline void syscall_close(int fd)
{
    syscall_of(SYS_close, fd, 0, 0, 0);
}

static inline pid_t syscall_getpid(void)
{
    return (pid_t)syscall_of(SYS_getpid, 0, 0, 0, 0);
}

static inline void syscall_yield(void)
{
    syscall_of(SYS_sched_yield, 0, 0, 0, 0);
}

#else /* breakpoints are taken out on x86-64 only */

#include <errno.h>
#include <unistd.h>

static inline int syscall_open(const char *path, int flags)
{
    int fd = open(path, flags);
    return fd < 0 ? -errno : fd;
}

static inline ssize_t syscall_read(int fd, void *data, size_t size)
{
    ssize_t got = read(fd, data, size);
    return got < 0 ? -errno : got;
}

static inline ssize_t syscall_pread(int fd, void *data, size_t size, off_t offset)
{
    ssize_t got = pread(fd, data, size, offset);
    return got < 0 ? -errno : got;
}

static inline void syscall_close(int fd)
{
    close(fd);
}

#endif

#endif
