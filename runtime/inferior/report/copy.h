/* A copy of this process whose memory is read by the reader. Async-signal-safe. */
#ifndef JITSCOPE_COPY_H
#define JITSCOPE_COPY_H

#include <stdint.h>

#include "report/reader.h"

enum { COPY_LATE = 255 /* the reader has taken too long, and was ended */ };

/* Fork a copy, without the handlers that pthread_atfork has. It starts the reader, and answers its requests
 * (jitscope_report.h) until `until` (clock_ms()). This process itself does so where it cannot be copied, or
 * where the copy of its page tables would take too long. Returns 0, errno, or COPY_LATE. */
int copy_report(const reader_command *command, int64_t until);

#endif
