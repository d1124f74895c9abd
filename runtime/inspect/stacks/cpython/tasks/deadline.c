#include "stacks/cpython/tasks/deadline.h"

#include <time.h>

bool js_deadline_is_over(uint64_t deadline)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return deadline && (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec > deadline;
}
