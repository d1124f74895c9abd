/* What keeps a program from noticing that it compiles functions for a debugger in the middle of a call: its
 * signals wait until the end, its tracers see nothing, and a thread whose stack is small does not compile. */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "debugger/serving.h"

enum {
    ROOM = 1 << 20,  /* bytes of stack; Numba and LLVM use less than half of it for large functions */
    PAUSE = 2000000, /* nanoseconds */
};

/* Python's, where it has them: PyThreadState_EnterTracing since 3.11. */
extern int PyErr_CheckSignals(void) __attribute__((weak));
extern void *PyEval_SaveThread(void) __attribute__((weak));
extern void PyEval_RestoreThread(void *state) __attribute__((weak));
extern void *PyThreadState_Get(void) __attribute__((weak));
extern void PyThreadState_EnterTracing(void *state) __attribute__((weak));
extern void PyThreadState_LeaveTracing(void *state) __attribute__((weak));

static struct sigaction before[NSIG]; /* actions of the signals that wait */
static bool waits[NSIG];
static atomic_bool came[NSIG];

bool serving_takes_signals(void)
{
    return !PyErr_CheckSignals || PyErr_CheckSignals() == 0;
}

bool serving_pause(void)
{
    if (!PyEval_SaveThread || !PyEval_RestoreThread) {
        return false;
    }
    void *state = PyEval_SaveThread();
    nanosleep(&(struct timespec){.tv_nsec = PAUSE}, NULL);
    PyEval_RestoreThread(state);
    return true;
}

bool serving_has_room(void)
{
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes)) {
        return false;
    }
    void *low = NULL;
    size_t size = 0;
    bool found = !pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    return found && (uintptr_t)__builtin_frame_address(0) > (uintptr_t)low + ROOM;
}

static void note(int number)
{
    atomic_store(&came[number], true);
}

/* True if Python's own handler is there, which only notes that the signal has come. Signals by which the
 * kernel reports an error of the thread do not wait. */
static bool is_pythons(int number, const struct sigaction *action)
{
    static const int errors[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (number == errors[i]) {
            return false;
        }
    }
    Dl_info handler, python;
    return !(action->sa_flags & SA_SIGINFO) && action->sa_handler != SIG_DFL &&
           action->sa_handler != SIG_IGN && dladdr((void *)(uintptr_t)action->sa_handler, &handler) &&
           dladdr((void *)(uintptr_t)PyErr_CheckSignals, &python) && handler.dli_fbase == python.dli_fbase;
}

void serving_begin(void)
{
    for (int number = 1; PyErr_CheckSignals && number < NSIG; number++) {
        waits[number] = !sigaction(number, NULL, &before[number]) && is_pythons(number, &before[number]);
        if (waits[number]) {
            struct sigaction waiting = before[number];
            waiting.sa_handler = note;
            atomic_store(&came[number], false);
            sigaction(number, &waiting, NULL);
        }
    }
    if (PyThreadState_Get && PyThreadState_EnterTracing) {
        PyThreadState_EnterTracing(PyThreadState_Get());
    }
}

void serving_end(void)
{
    if (PyThreadState_Get && PyThreadState_LeaveTracing) {
        PyThreadState_LeaveTracing(PyThreadState_Get());
    }
    for (int number = 1; number < NSIG; number++) {
        if (waits[number]) {
            sigaction(number, &before[number], NULL);
            if (atomic_load(&came[number])) {
                raise(number); /* Python's handler notes it, as it would have when the signal came */
            }
        }
    }
}
