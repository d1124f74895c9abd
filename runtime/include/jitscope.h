/* jitscope: what a debugged process and its debugger agree on.
 *
 * The one header that both sides include. Structures start with `version` and `size`, and fields are only
 * ever added at their end; a reader of another version takes as many bytes as both know.
 *
 * A program links with libjitscope.so, or loads it. Every function may be called from any thread. */
#ifndef JITSCOPE_H
#define JITSCOPE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define JITSCOPE_API __attribute__((visibility("default")))

/* ---- stops ---- */

/* A debugger with jitscope's extension stops here, on the line of the caller. Does nothing without one. */
JITSCOPE_API void jitscope_breakpoint(void);

/* What jitscope_attach and jitscope_attach_on return. */
enum {
    JITSCOPE_ATTACHED = 0,   /* a debugger is attached, and its breakpoint on jitscope_breakpoint is set */
    JITSCOPE_ALREADY = 1,    /* one was attached before */
    JITSCOPE_EGDB = -1,      /* no GDB was found, or it could not be started */
    JITSCOPE_EREFUSED = -2,  /* the debugger could not attach */
    JITSCOPE_EDIED = -3,     /* it ended, or said nothing, before it had attached */
    JITSCOPE_ETERMINAL = -4, /* no terminal, and nothing to do without one */
    JITSCOPE_EBUSY = -5,     /* called from a signal handler in the midst of itself */
    JITSCOPE_ESYSTEM = -6,   /* no memory, no descriptors, or a bad argument */
};

/* Flags of jitscope_attach. */
enum {
    JITSCOPE_BANNER = 1, /* GDB says its version and licence, as in numba.gdb() */
};

/* Starts GDB, lets it attach to this process and returns when its breakpoint on jitscope_breakpoint is set,
 * or with the reason why not; the process runs on in any case. It does not stop: call jitscope_breakpoint
 * next.
 *
 * `arguments` are GDB's, ended by NULL (NULL itself: none); commands among them run at the first stop. GDB is
 * JITSCOPE_GDB or NUMBA_GDB_BINARY of the environment, or gdb on PATH. It gets the terminal when standard
 * input is one and this process is in its foreground. Otherwise, with commands it runs them without input;
 * without commands it is not started, one line says how to attach from elsewhere, and for `wait_ms`
 * (negative: without limit) this waits for somebody to do so.
 *
 * What went wrong is one line without its line end in `message`, of `size` bytes; with NULL, on standard
 * error. */
JITSCOPE_API int jitscope_attach(const char *const *arguments, int32_t wait_ms, uint32_t flags, char *message,
                                 size_t size);

/* From now on `signal_number` does jitscope_attach and jitscope_breakpoint, in whichever thread gets it and
 * whatever it is in the midst of: the handler calls only async-signal-safe functions. `arguments` are copied.
 * A NULL `arguments` with a negative `wait_ms` is as in jitscope_attach. Errors: JITSCOPE_EGDB,
 * JITSCOPE_ESYSTEM. */
JITSCOPE_API int jitscope_attach_on(int signal_number, const char *const *arguments, int32_t wait_ms,
                                    char *message, size_t size);

/* Where GDB finds its side of this: the path of gdbext/jitscope_gdb/handshake.py. Copied. */
JITSCOPE_API int jitscope_set_script(const char *path);

/* Another function that does nothing and is to be stopped in as jitscope_breakpoint is; 0 takes it back. */
JITSCOPE_API void jitscope_set_other_stop(uintptr_t address);

/* Process id of the debugger (or other tracer) of this process; 0 none. Async-signal-safe. */
JITSCOPE_API int jitscope_tracer(void);

#ifdef __cplusplus
}
#endif

#endif
