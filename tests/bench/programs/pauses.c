/* A thread that measures how long the process is stopped: it reads the clock every 50 microseconds, and keeps
   the longest time between two readings in a file that another process has mapped, too. It goes before other
   threads where that is allowed, so that waiting for a processor is not taken for a stop. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

int pauses_start(const char *path);

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void *measure(void *shared)
{
    _Atomic int64_t *longest = shared; /* nanoseconds; who reads it sets it to 0 */
    const struct timespec pause = {0, 50000};
    sched_setscheduler(0, SCHED_RR, &(struct sched_param){.sched_priority = 2});
    int64_t last = now();
    for (;;) {
        nanosleep(&pause, NULL);
        int64_t time = now();
        if (time - last > *longest) {
            *longest = time - last;
        }
        last = time;
    }
    return NULL;
}

/* Start the thread. path: a file of eight bytes. Return 0, or -1 if the file or the thread cannot be made. */
int pauses_start(const char *path)
{
    int file = open(path, O_RDWR);
    if (file < 0) {
        return -1;
    }
    void *shared = mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    pthread_t thread;
    return shared == MAP_FAILED || pthread_create(&thread, NULL, measure, shared) ? -1 : 0;
}
