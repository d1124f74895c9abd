/* The signal handler that starts GDB: jitscope_attach_on. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "debugger/attach.h"
#include "jitscope.h"
#include "system/lines.h"

/* The plan of each signal. A plan that is replaced is never freed, because its handler may be running. */
static _Atomic(attach_plan *) plans[NSIG];

static void handle(int signal_number)
{
    int saved = errno;
    attach_plan *plan = atomic_load(&plans[signal_number]);
    if (plan) {
        int status = attach_run(plan);
        if (status >= 0) {
            jitscope_breakpoint();
        } else if (status != JITSCOPE_EBUSY) {
            line_write(plan->message);
        }
    }
    errno = saved;
}

int jitscope_attach_on(int signal_number, const char *const *arguments, int32_t wait_ms, char *message,
                       size_t size)
{
    line_text line;
    line_init(&line, message, message ? size : 0);
    bool is_signal = signal_number > 0 && signal_number < NSIG;
    attach_plan *plan = is_signal ? malloc(sizeof(*plan)) : NULL;
    if (!plan) {
        line_add(&line, "jitscope: ");
        line_add_number(&line, signal_number);
        line_add(&line,
                 is_signal ? " cannot be handled: there is no memory" : " is not the number of a signal");
        return JITSCOPE_ESYSTEM;
    }
    int status = plan_init(plan, arguments, wait_ms, 0);
    if (status) {
        line_add(&line, plan->message);
        free(plan);
        return status;
    }
    atomic_store(&plans[signal_number], plan);
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART | SA_ONSTACK};
    if (sigaction(signal_number, &action, NULL) < 0) {
        line_add(&line, "jitscope: a program cannot handle signal ");
        line_add_number(&line, signal_number);
        return JITSCOPE_ESYSTEM;
    }
    return 0;
}
