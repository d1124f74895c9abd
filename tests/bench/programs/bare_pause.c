/* Usage: bare_pause PID. Stops all threads of a process, copies their registers and the used part of each
 * stack, and lets them run on: what any tool must do that shows all stacks of one instant. */
#define _GNU_SOURCE
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

enum { MAX_THREADS = 1024, MAX_RANGES = 4096, MAX_STACK = 8 << 20 };

static struct {
    unsigned long start, end;
} ranges[MAX_RANGES];
static char copy[MAX_STACK];

static size_t list_ranges(const char *pid)
{
    char path[64], line[512];
    size_t count = 0;
    snprintf(path, sizeof path, "/proc/%s/maps", pid);
    FILE *file = fopen(path, "r");
    while (file && count < MAX_RANGES && fgets(line, sizeof line, file)) {
        count += sscanf(line, "%lx-%lx", &ranges[count].start, &ranges[count].end) == 2;
    }
    if (file) {
        fclose(file);
    }
    return count;
}

int main(int argc, char **argv)
{
    pid_t threads[MAX_THREADS];
    size_t count = 0;
    char path[64];
    if (argc != 2) {
        return 2;
    }
    sched_setscheduler(0, SCHED_RR, &(struct sched_param){.sched_priority = 1}); /* as jitscope stack does */
    size_t range_count = list_ranges(argv[1]);
    snprintf(path, sizeof path, "/proc/%s/task", argv[1]);
    DIR *tasks = opendir(path);
    for (struct dirent *entry; tasks && count < MAX_THREADS && (entry = readdir(tasks));) {
        if (entry->d_name[0] != '.') {
            threads[count++] = atoi(entry->d_name);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (ptrace(PTRACE_SEIZE, threads[i], 0, 0)) {
            return 1;
        }
    }
    for (size_t i = 0; i < count; i++) {
        ptrace(PTRACE_INTERRUPT, threads[i], 0, 0);
    }
    for (size_t i = 0; i < count; i++) {
        waitpid(threads[i], NULL, __WALL);
    }
    for (size_t i = 0; i < count; i++) {
        struct user_regs_struct registers;
        ptrace(PTRACE_GETREGS, threads[i], 0, &registers);
        for (size_t r = 0; r < range_count; r++) {
            if (ranges[r].start <= registers.rsp && registers.rsp < ranges[r].end) {
                size_t size = ranges[r].end - registers.rsp;
                struct iovec here = {copy, size < MAX_STACK ? size : MAX_STACK};
                struct iovec there = {(void *)registers.rsp, here.iov_len};
                process_vm_readv(atoi(argv[1]), &here, 1, &there, 1, 0);
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        ptrace(PTRACE_DETACH, threads[i], 0, 0);
    }
    return 0;
}
