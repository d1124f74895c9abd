/* Closes files by their numbers, as a process does that shares the files of another one. */
#ifndef JITSCOPE_FILES_H
#define JITSCOPE_FILES_H

#include <sys/syscall.h>
#include <unistd.h>

enum { FILES_FIRST_OTHER = 3 }; /* the number after those of the standard files */

/* Close the files from `first` to `last`. Linux before 5.9 cannot: there files without O_CLOEXEC stay open.
 */
static inline void files_close(unsigned first, unsigned last)
{
#ifdef SYS_close_range
    syscall(SYS_close_range, first, last, 0);
#else
    (void)first;
    (void)last;
#endif
}

#endif
