/* The memory of a process that answers reads over a socket (jitscope_report.h), in the place of a core's
 * file. */
#ifndef JS_BYTES_CORE_SERVED_H
#define JS_BYTES_CORE_SERVED_H

#include <stddef.h>
#include <stdint.h>

typedef struct js_served js_served;

/* Begin with the first bytes of the core, its headers and notes, which are copied. Bytes at the offset
 * JITSCOPE_REPORT_MEMORY + A are those at the address A. `fd` is borrowed. JS_ENOMEM. */
int js_served_create(int fd, const void *head, size_t size, js_served **out);
void js_served_destroy(js_served *served);
/* JS_EFAULT: the process has no such memory, or does not answer any more. */
int js_served_read(js_served *served, uint64_t offset, void *buffer, size_t size);

#endif
