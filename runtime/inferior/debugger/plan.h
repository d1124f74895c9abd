/* All that starting GDB takes, made beforehand, so that a signal handler only has to use it. */
#ifndef JITSCOPE_PLAN_H
#define JITSCOPE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLAN_MESSAGE = 512, PLAN_HANDSHAKE = 256 };

typedef struct attach_plan {
    char *gdb;       /* path */
    char **argv;     /* GDB's arguments, NULL at the end */
    char **envp;     /* GDB's environment; `handshake` is one of its strings */
    bool commands;   /* there is something to do without a terminal */
    int32_t wait_ms; /* for another debugger, where there is no terminal; negative: no limit */
    int32_t timeout_ms;
    char handshake[PLAN_HANDSHAKE]; /* JITSCOPE_HANDSHAKE=…, written when GDB is started */
    char message[PLAN_MESSAGE];     /* what went wrong */
} attach_plan;

/* Not async-signal-safe. On an error (JITSCOPE_E…) `message` says which, and there is nothing to deinit. */
int plan_init(attach_plan *plan, const char *const *arguments, int32_t wait_ms, uint32_t flags);
void plan_deinit(attach_plan *plan);

#endif
