/* The guard: a process that GDB starts beside itself, and that outlives it. When GDB is killed, the kernel
 * detaches what it has traced. SIGSTOPs that were meant for GDB only (it stops each thread by one) then stop
 * the program, and GDB's breakpoints stay in the code. So the guard continues the program and asks it to take
 * them out; if nothing in the program listens, it takes them out itself.
 *
 * Standard input: lines with the processes that GDB has attached to, "PID:VALUE@ADDRESS=BYTE@… PID:VALUE …";
 * the last line counts. VALUE is jitscope_descriptor.leftover, or 0 if nothing listens; then follow the
 * places where breakpoints may be in code of no file, and the bytes that were there. The input ends when GDB
 * ends. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "guard_code.h"

enum {
    PROCESSES = 64,
    PLACES = 4096,
    LOOK_MS = 5,
    LOOKS = 400,
    RESTORES = 8
}; /* looks for 2 s, because signals may still be on their way */

/* What /proc/PID/status says (proc(5)). */
typedef struct status {
    char state;
    int tracer;
    unsigned long caught; /* bit N - 1: the process handles signal N */
} status;

static bool status_read(int pid, status *out)
{
    char path[64], line[256];
    snprintf(path, sizeof(path), "/proc/%d/status", pid);
    FILE *file = fopen(path, "re");
    if (!file) {
        return false;
    }
    *out = (status){.tracer = -1};
    while (fgets(line, sizeof(line), file)) {
        if (strncmp(line, "State:\t", 7) == 0) {
            out->state = line[7];
        } else if (strncmp(line, "TracerPid:\t", 11) == 0) {
            out->tracer = (int)strtol(line + 11, NULL, 10);
        } else if (strncmp(line, "SigCgt:\t", 8) == 0) {
            out->caught = strtoul(line + 8, NULL, 16);
        }
    }
    fclose(file);
    return true;
}

typedef struct process {
    int pid;
    unsigned long value;
    bool is_reported;
    size_t first, count; /* its places: index of the first, and number */
} process;

static guard_place places[PLACES];

static void look_after(process *of)
{
    status now;
    if (!status_read(of->pid, &now) || now.tracer != 0) {
        return; /* the process has ended, or GDB still traces it, or another debugger does */
    }
    if (now.state == 'T') {
        kill(of->pid, SIGCONT); /* also removes SIGSTOPs that are on their way */
    } else if (of->value && !of->is_reported && (now.caught >> (SIGTRAP - 1) & 1)) {
        /* NOLINTNEXTLINE(performance-no-int-to-ptr) */
        of->is_reported = sigqueue(of->pid, SIGTRAP, (union sigval){.sival_ptr = (void *)of->value}) == 0;
    }
}

static int processes_read(const char *line, process *all)
{
    int count = 0;
    size_t taken = 0;
    char *end = NULL;
    for (const char *at = line; count < PROCESSES; at = end) {
        int pid = (int)strtol(at, &end, 10);
        if (pid <= 0 || *end != ':') {
            break;
        }
        process *of = &all[count++];
        *of = (process){.pid = pid, .value = strtoul(end + 1, &end, 10), .first = taken};
        while (*end == '@' && taken < PLACES) {
            guard_place *place = &places[taken];
            place->address = strtoul(end + 1, &end, 16);
            place->byte = *end == '=' ? (uint8_t)strtoul(end + 1, &end, 16) : 0;
            taken++;
        }
        of->count = taken - of->first;
    }
    return count;
}

static void look_after_all(const char *line)
{
    const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
    process all[PROCESSES];
    int count = processes_read(line, all);
    for (int look = 0; count && look < LOOKS; look++) {
        for (int i = 0; i < count; i++) {
            /* at once, because GDB, which has ended or is about to, inserts no more breakpoints */
            if (!all[i].value && look < RESTORES) {
                guard_code_restore(all[i].pid, &places[all[i].first], all[i].count);
            }
            look_after(&all[i]);
        }
        nanosleep(&pause, NULL);
    }
}

int main(void)
{
    static char line[PROCESSES * 32 + PLACES * 24], last[sizeof(line)];
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL); /* GDB's mask, which is inherited, blocks some */
    while (fgets(line, sizeof(line), stdin)) {
        memcpy(last, line, sizeof(last));
    }
    look_after_all(last);
    return 0;
}
