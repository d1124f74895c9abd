/* Explains why the first thread of a core has crashed. */
#include <signal.h>
#include <string.h>

#include "program/queries/queries.h"
#include "stacks/api/stacks_state.h"
#include "stacks/process/frame_values.h"

/* Frames between memcpy or a like function, where the fault is, and the compiled function, at most. */
enum { DEPTH = 4 };

int js_stacks_explain_fault(js_stacks *stacks, const char *subscripts, const char *maps, char **out)
{
    size_t count = 0;
    const js_core_thread *threads = stacks->core ? js_core_threads(stacks->core, &count) : NULL;
    uint64_t registers[JS_UNWIND_REGISTERS];
    *out = NULL;
    bool is_fault = count && threads->has_siginfo && threads->siginfo_code > 0 &&
                    (threads->siginfo_signal == SIGSEGV || threads->siginfo_signal == SIGBUS);
    if (!is_fault) {
        return JS_ENOTFOUND;
    }
    memcpy(registers, threads->registers, sizeof registers);
    js_fault_asked asked = {threads->siginfo_code == SI_KERNEL ? JS_FAULT_NO_ADDRESS
                                                               : threads->siginfo_address,
                            subscripts, maps};
    js_unwinder unwinder = js_stack_target_unwinder(&stacks->target, stacks->target.paused);
    js_native_stack stack;
    int status = js_native_stack_init(&stack, &unwinder, registers);
    const js_native_frame *frame = NULL;
    for (size_t i = 0; status == JS_OK && i < DEPTH && !(frame && frame->function); i++) {
        js_native_stack_at(&stack, i + 1); /* this finds the CFA of the frame before it */
        frame = js_native_stack_at(&stack, i);
    }
    if (status == JS_OK) {
        status = frame && frame->function ? js_frame_values_fault(stacks->target.program,
                                                                  stacks->target.paused, frame, &asked, out)
                                          : JS_ENOTFOUND;
    }
    js_native_stack_deinit(&stack);
    return status;
}
