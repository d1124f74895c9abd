/* The preparation of a start of GDB. It allocates what the start needs, so that a signal handler can
 * start GDB without allocating. */
#ifndef JITSCOPE_PLAN_H
#define JITSCOPE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLAN_MESSAGE = 512, PLAN_HANDSHAKE = 256 };

/* The prepared start; owned by the caller, who passes it to plan_deinit. */
typedef struct attach_plan {
    char *gdb;       /* path of GDB */
    char **argv;     /* GDB's arguments, NULL at the end */
    char **envp;     /* GDB's environment; `handshake` is one of its strings */
    bool commands;   /* true if the arguments have commands, which GDB can run without a terminal */
    int32_t wait_ms; /* how long to wait for another debugger if there is no terminal; negative: no limit */
    int32_t timeout_ms;             /* how long to wait for GDB's answer */
    char handshake[PLAN_HANDSHAKE]; /* JITSCOPE_HANDSHAKE=…, written when GDB is started */
    char message[PLAN_MESSAGE];     /* what went wrong */
} attach_plan;

/* Prepare a start with the parameters of jitscope_attach. Returns 0, or an error (JITSCOPE_E…): then
 * plan->message says what went wrong, and plan_deinit need not be called. Not async-signal-safe. */
int plan_init(attach_plan *plan, const char *const *arguments, int32_t wait_ms, uint32_t flags);
/* Free what plan_init has allocated. Not async-signal-safe. */
void plan_deinit(attach_plan *plan);

#endif
