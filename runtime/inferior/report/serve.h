/* Answers reads of this process's memory. Async-signal-safe. */
#ifndef JITSCOPE_SERVE_H
#define JITSCOPE_SERVE_H

#include <stdint.h>

/* Answer requests (jitscope_report.h) on the socket until its other end is closed, or until `until`
 * (clock_ms()). */
void serve(int fd, int64_t until);

#endif
