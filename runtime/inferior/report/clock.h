/* The time by which something has to be over. Async-signal-safe. */
#ifndef JITSCOPE_CLOCK_H
#define JITSCOPE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Return milliseconds of CLOCK_MONOTONIC. */
static inline int64_t clock_ms(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

/* Wait for a moment between two looks at something. */
static inline void clock_step(void)
{
    const struct timespec step = {0, 500000};
    nanosleep(&step, NULL);
}

#endif
