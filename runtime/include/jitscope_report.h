/* What a process leaves for the reader of its report: libjitscope.so writes it, jitscope.report reads it. */
#ifndef JITSCOPE_REPORT_H
#define JITSCOPE_REPORT_H

#include <stdint.h>

#include "jitscope.h"

#define JITSCOPE_REPORT_VERSION 1u

enum {
    JITSCOPE_REPORT_THREADS = 1024,
    JITSCOPE_REPORT_REGISTERS =
        27, /* struct user_regs_struct of Linux for x86-64 (arch/x86/include/asm/user_64.h) */
    JITSCOPE_REPORT_NAME = 16, /* bytes of a thread's name, with a NUL (proc(5), comm) */
};

/* The name of the thread that waits to report, which is in no report. */
#define JITSCOPE_REPORT_WATCHER "jitscope-report"

/* What is known of a thread. */
enum {
    JITSCOPE_REPORT_SILENT = 0,   /* it has not answered, and does not wait in the kernel */
    JITSCOPE_REPORT_IN_CALL = 1,  /* only pc, sp and the number of its system call */
    JITSCOPE_REPORT_ANSWERED = 2, /* all registers */
};

/* A thread of the process. */
typedef struct jitscope_report_thread {
    int32_t native_id;
    uint32_t known; /* JITSCOPE_REPORT_SILENT … */
    char name[JITSCOPE_REPORT_NAME];
    uint64_t registers[JITSCOPE_REPORT_REGISTERS];
    int32_t signal,
        code; /* that it has received, too, and waits with, while another one reports; signal 0: none */
    uint64_t address; /* si_addr of that */
} jitscope_report_thread;

/* A process at the instant of its report. The thread that reports is the first. */
typedef struct jitscope_report_process {
    uint32_t version, size; /* JITSCOPE_REPORT_VERSION, size of this structure */
    int32_t pid;
    int32_t signal, code; /* si_signo and si_code; signal 0: none, the report was asked for */
    uint32_t thread_count;
    uint64_t address;  /* si_addr */
    uint64_t left_out; /* number of threads for which there was no room */
    uint64_t
        abort_message; /* glibc's struct abort_msg_s, with the text by which it ends the process; 0: none */
    jitscope_report_thread threads[JITSCOPE_REPORT_THREADS];
} jitscope_report_process;

/* Kinds of requests to the copy of the process, over its socket. */
enum {
    JITSCOPE_REPORT_READ_MEMORY = 0, /* `address`, `size` (at most JITSCOPE_REPORT_LARGEST): answered by an
                                        int64_t, the number of bytes or -errno, and the bytes */
    JITSCOPE_REPORT_READ_FILE = 1, /* `address`: JITSCOPE_REPORT_MAPS …; answered by parts, each an int64_t
                                      and as many bytes, until one of 0 or below */
    JITSCOPE_REPORT_LARGEST = 65536,
};

/* Files of /proc/self. */
enum {
    JITSCOPE_REPORT_MAPS = 0,
    JITSCOPE_REPORT_AUXV = 1,
    JITSCOPE_REPORT_COMMAND = 2,
    JITSCOPE_REPORT_FILES = 3
};

/* A request. */
typedef struct jitscope_report_request {
    uint64_t kind, address, size;
} jitscope_report_request;

/* Offset in the core of a process that is served from which on its memory begins. */
#define JITSCOPE_REPORT_MEMORY (UINT64_C(1) << 56)

/* How reports are made. */
typedef struct jitscope_report_plan {
    const char *const *argv, *const *envp; /* the reader, by its path, and its environment; they end in NULL.
                                              The reader gets the socket as its standard input */
    int32_t output;                        /* the file that is its standard output and error; -1: none */
    int32_t limit_ms;                      /* how long it may take */
} jitscope_report_plan;

/* Prepare reports, and give the threads that are there stacks for signals. The plan is copied. Returns 0 or
 * -errno; -ENOSYS: the registers of this machine are not known here. */
JITSCOPE_API int jitscope_report_enable(const jitscope_report_plan *plan);
/* Return where the process is described when it reports. */
JITSCOPE_API const jitscope_report_process *jitscope_report_described(void);
/* Report a signal that ends the process, before the handler that is there now, or the end. Returns 0 or
 * -errno. */
JITSCOPE_API int jitscope_report_catch(int number);
/* Like jitscope_report_catch(), but only if the process has sent the signal to itself by raise(), and only
 * while the signal has its default action. Returns 0 or -errno. */
JITSCOPE_API int jitscope_report_catch_raised(int number);
/* Report the process when this signal comes, and let it go on. Returns 0 or -errno. */
JITSCOPE_API int jitscope_report_on(int number);
/* Report the process once, in this many milliseconds, and let it go on; 0: do not. Returns 0 or -errno. */
JITSCOPE_API int jitscope_report_later(int64_t delay_ms);
/* Set the handler that was there before again. Returns 0 or -errno. */
JITSCOPE_API int jitscope_report_release(int number);
/* Give the calling thread a stack for signals, unless it has one: without one an overflow of its stack cannot
 * be reported. Returns 0 or -errno. */
JITSCOPE_API int jitscope_report_thread_begin(void);
/* Have the threads that the loaded libraries start from now on begin with a stack for signals: the libraries'
 * calls of pthread_create() are led through this one. Call it again when others may have been loaded. */
JITSCOPE_API void jitscope_report_loaded(void);
/* Report the process as it is, and go on. */
JITSCOPE_API void jitscope_report_now(void);

#endif
