/* The numbers are those of the header asm/unistd_64.h. */
#include "stacks/process/system_calls.h"

#include <stddef.h>
#include <sys/syscall.h>

static const struct {
    uint64_t number;
    const char *name;
} calls[] = {
#define CALL(name)                                                                                           \
    {                                                                                                        \
        SYS_##name, #name                                                                                    \
    }
    CALL(read),
    CALL(write),
    CALL(open),
    CALL(close),
    CALL(poll),
    CALL(pread64),
    CALL(pwrite64),
    CALL(readv),
    CALL(writev),
    CALL(select),
    CALL(sched_yield),
    CALL(msync),
    CALL(pause),
    CALL(nanosleep),
    CALL(sendfile),
    CALL(connect),
    CALL(accept),
    CALL(sendto),
    CALL(recvfrom),
    CALL(sendmsg),
    CALL(recvmsg),
    CALL(vfork),
    CALL(wait4),
    CALL(semop),
    CALL(msgsnd),
    CALL(msgrcv),
    CALL(fcntl),
    CALL(flock),
    CALL(fsync),
    CALL(fdatasync),
    CALL(ftruncate),
    CALL(sync),
    CALL(futex),
    CALL(io_getevents),
    CALL(semtimedop),
    CALL(clock_nanosleep),
    CALL(epoll_wait),
    CALL(mq_timedsend),
    CALL(mq_timedreceive),
    CALL(waitid),
    CALL(openat),
    CALL(pselect6),
    CALL(ppoll),
    CALL(splice),
    CALL(tee),
    CALL(vmsplice),
    CALL(epoll_pwait),
    CALL(fallocate),
    CALL(accept4),
    CALL(preadv),
    CALL(pwritev),
    CALL(recvmmsg),
    CALL(sendmmsg),
    CALL(getrandom),
    CALL(copy_file_range),
    CALL(rt_sigsuspend),
    CALL(rt_sigtimedwait),
    CALL(madvise),
    CALL(mmap),
    CALL(munmap),
    CALL(ioctl),
    CALL(io_uring_enter),
#undef CALL
};

const char *js_system_call_name(uint64_t number)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (calls[i].number == number) {
            return calls[i].name;
        }
    }
    return NULL;
}
