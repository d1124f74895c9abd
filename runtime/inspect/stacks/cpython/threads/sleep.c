#include "stacks/cpython/threads/sleep.h"

#include "stacks/process/system_calls.h"

enum {
    INTERRUPTED = 4, /* EINTR */
    TIMED_OUT = 110, /* ETIMEDOUT */
};

/* True for a result of a system call that a stop has interrupted: linux/errno.h, ERESTART… */
static bool is_interrupted(int64_t result)
{
    return result == JS_CALL_INTERRUPTED || result == -513 || result == -514 || result == -516;
}

/* True for a system call that a stop ends, so that its caller has to make it once more. */
static bool is_ended_by_stop(uint64_t called)
{
    return called == JS_CALL_EPOLL_WAIT || called == JS_CALL_EPOLL_PWAIT;
}

static bool may_be_at_file(uint64_t called)
{
    return called == JS_CALL_READ || called == JS_CALL_POLL || called == JS_CALL_PPOLL ||
           called == JS_CALL_RESTART || is_ended_by_stop(called);
}

js_python_sleep js_python_sleep_of(const js_python_call *call, bool is_over)
{
    js_python_sleep sleep = {0};
    bool may_sleep = call->number == JS_CALL_FUTEX || call->number == JS_CALL_RESTART;
    bool is_stopped =
        is_interrupted(call->result) || (call->result == -INTERRUPTED && is_ended_by_stop(call->number));
    sleep.is_at_file = !is_over && is_stopped && may_be_at_file(call->number);
    if (may_sleep && (is_over ? call->result == -TIMED_OUT : is_interrupted(call->result))) {
        sleep.futex = call->argument;
        sleep.stack = call->stack;
    }
    return sleep;
}
