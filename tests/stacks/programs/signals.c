/* Receives SIGRTMIN, whose signals are queued with a number each, in threads that are busy or asleep.
 * SIGTERM: prints the numbers in the order in which they came, and ends. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST = 1 << 20, THREADS = 3 };

static int numbers[MOST];
static atomic_int count;
static volatile sig_atomic_t ends;

static void receive(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    int at = atomic_fetch_add(&count, 1);
    if (at < MOST) {
        numbers[at] = info->si_value.sival_int;
    }
}

static void end(int signal)
{
    (void)signal;
    ends = 1;
}

static void *spin(void *context)
{
    for (volatile long turns = 0;; turns++) {
        if (context && turns % 1000 == 0) {
            usleep(100);
        }
    }
    return NULL;
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = receive, .sa_flags = SA_SIGINFO | SA_RESTART};
    pthread_t thread;
    sigaction(SIGRTMIN, &action, NULL);
    signal(SIGTERM, end);
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&thread, NULL, spin, i ? &thread : NULL);
    }
    puts("ready");
    fflush(stdout);
    while (!ends) {
        usleep(1000);
    }
    for (int i = 0; i < count && i < MOST; i++) {
        printf("%d\n", numbers[i]);
    }
    return 0;
}
