/* Finds whether a debugger is there that sees compiled code (jitscope_is_debugged). The compiler hook asks
 * once for each function. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "debugger/attach.h"
#include "jitscope.h"
#include "registration/descriptor.h"

/* True if the breakpoint instruction that GDB and LLDB write is at this address: gdb/arch-utils.c, lldb's
 * Platform.cpp. */
static bool has_breakpoint(uintptr_t address)
{
    /* another process writes it: NOLINTBEGIN(performance-no-int-to-ptr) */
#if defined __x86_64__
    return *(const volatile uint8_t *)address == 0xcc;
#elif defined __aarch64__
    return *(const volatile uint32_t *)address == 0xd4200000;
#else
    (void)address;
    return false;
#endif
    /* NOLINTEND(performance-no-int-to-ptr) */
}

/* True if `jitscope run` has started this tracer: it leaves GDB's process id in the environment. A child that
 * is not traced inherits the variable. */
static bool is_started_for(int tracer)
{
    const char *started = getenv("JITSCOPE_RUN_PID");
    return started && strtol(started, NULL, 10) == tracer;
}

int jitscope_is_debugged(void)
{
    static _Atomic uintptr_t watched; /* found once, which takes milliseconds */
    if (!watched) {
        watched = (uintptr_t)jitscope_watched_code();
    }
    if (has_breakpoint(watched) ||
        has_breakpoint(announce_code())) { /* LLDB sets its breakpoint in one library only */
        return true;
    }
    if (!attach_debugger() && !getenv("JITSCOPE_RUN_PID")) {
        return false;
    }
    int tracer = jitscope_tracer();
    return tracer && (tracer == attach_debugger() || is_started_for(tracer));
}
