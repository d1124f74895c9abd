/* Reports the process after a time, from a thread that only waits for that. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <time.h>

#include "jitscope_report.h"
#include "report/clock.h"
#include "report/threads.h"

enum { STACK_SIZE = 64 * 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static bool is_running;
static int64_t due; /* CLOCK_MONOTONIC in milliseconds; 0: no report is due */

static void *wait_and_report(void *unused)
{
    (void)unused;
    prctl(PR_SET_NAME, JITSCOPE_REPORT_WATCHER);
    pthread_mutex_lock(&lock);
    while (due) {
        const struct timespec until = {due / 1000, due % 1000 * 1000000};
        if (clock_ms() < due) {
            pthread_cond_timedwait(&changed, &lock, &until);
            continue;
        }
        due = 0;
        pthread_mutex_unlock(&lock);
        jitscope_report_now();
        pthread_mutex_lock(&lock);
    }
    is_running = false;
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* A child that is forked has no such thread, and the lock may be another thread's. */
static void forget(void)
{
    static const pthread_mutex_t free_lock = PTHREAD_MUTEX_INITIALIZER;
    lock = free_lock;
    is_running = false;
    due = 0;
}

static void forget_in_children(void)
{
    pthread_atfork(NULL, NULL, forget);
}

/* Start the thread, in which no signal of the program is handled. */
static int start(void)
{
    pthread_condattr_t of_clock;
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    pthread_condattr_init(&of_clock);
    pthread_condattr_setclock(&of_clock, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &of_clock);
    pthread_condattr_destroy(&of_clock);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    sigfillset(&all);
    sigdelset(&all, threads_signal());
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread, &attributes, wait_and_report, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    is_running = !error;
    return -error;
}

int jitscope_report_later(int64_t delay_ms)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int status = 0;
    pthread_once(&once, forget_in_children);
    pthread_mutex_lock(&lock);
    due = delay_ms > 0 ? clock_ms() + delay_ms : 0;
    if (is_running) {
        pthread_cond_signal(&changed);
    } else if (due) {
        status = start();
    }
    pthread_mutex_unlock(&lock);
    return status;
}
