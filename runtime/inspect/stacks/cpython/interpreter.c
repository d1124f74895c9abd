/* Lists the threads of a CPython process, finds their innermost frames, and proves the offsets. */
#include "stacks/cpython/interpreter.h"

#include <stdlib.h>

#include "bytes/vector.h"
#include "stacks/cpython/frame.h"

enum {
    MAX_INTERPRETERS = 4096,
    MAX_THREADS = 1 << 17,
    /* Frames that are tried for one whose code object proves the version: shims come first. */
    MAX_PROOF_FRAMES = 64,
    MAX_INLINED_FRAMES = 1000000,
    MAX_EVALUATIONS = 1000000,
};

static int word_at(js_python *python, uint64_t address, uint64_t *out)
{
    return js_memory_read_word(&python->memory, address, out);
}

static int add_thread(js_python_threads_list *list, const js_python_thread *thread)
{
    js_python_thread *threads =
        js_vector_reserve(list->threads, &list->capacity, list->count + 1, sizeof *threads);
    if (!threads) {
        return JS_ENOMEM;
    }
    list->threads = threads;
    list->threads[list->count++] = *thread;
    return JS_OK;
}

void js_python_threads_list_deinit(js_python_threads_list *list)
{
    free(list->threads);
    *list = (js_python_threads_list){0};
}

static int read_thread(js_python *python, uint64_t address, js_python_thread *out)
{
    const js_python_offsets *o = &python->offsets;
    int status = word_at(python, address + o->thread_id, &out->id);
    if (status == JS_OK) {
        status = word_at(python, address + o->thread_pthread, &out->pthread);
    }
    if (status == JS_OK && o->thread_native != 0) {
        status = word_at(python, address + o->thread_native, &out->native_id);
    } else if (status == JS_OK) {
        out->native_id = js_thread_record_read(&python->record, &python->memory, out->pthread);
    }
    out->address = address;
    return status;
}

int js_python_find_gil(js_python *python, uint64_t interpreter, uint64_t *gil)
{
    const js_python_offsets *o = &python->offsets;
    *gil = python->runtime + o->runtime_gil;
    return o->runtime_gil != 0 ? JS_OK : word_at(python, interpreter + o->interp_gil, gil);
}

/* Find the thread state that holds the interpreter's GIL; 0: none does. False: that is not known. */
static bool find_gil_holder(js_python *python, uint64_t interpreter, const js_python_threads_list *list,
                            uint64_t *holder)
{
    const js_python_offsets *o = &python->offsets;
    uint64_t gil;
    int32_t locked, enabled = 1;
    if (js_python_find_gil(python, interpreter, &gil) < 0 ||
        (o->free_threaded && js_memory_read_int(&python->memory, gil + o->gil_enabled, &enabled) < 0) ||
        !enabled || /* there is no GIL */
        js_memory_read_int(&python->memory, gil + o->gil_locked, &locked) < 0 ||
        word_at(python, gil + o->gil_holder, holder) < 0) {
        return false;
    }
    if (locked == 0) {
        *holder = 0;
        return true;
    }
    /* The field keeps the last holder. While the lock is taken, the holder must exist: this checks the
     * offsets. */
    for (size_t i = 0; locked == 1 && i < list->count; i++) {
        if (list->threads[i].address == *holder) {
            return true;
        }
    }
    return false;
}

static int list_interpreter(js_python *python, uint64_t interpreter, js_python_threads_list *list)
{
    const js_python_offsets *o = &python->offsets;
    uint64_t address, previous = 0, id;
    if (word_at(python, interpreter + o->interp_threads, &address) < 0 ||
        word_at(python, interpreter + o->interp_id, &id) < 0) {
        list->why = "an interpreter cannot be read";
        return JS_OK;
    }
    while (address != 0) {
        js_python_thread thread = {
            .interpreter = interpreter, .interpreter_id = (int64_t)id, .holds_gil = -1};
        uint64_t owner, back, next;
        if (word_at(python, address + o->thread_interp, &owner) < 0 ||
            word_at(python, address + o->thread_prev, &back) < 0 ||
            word_at(python, address + o->thread_next, &next) < 0 ||
            read_thread(python, address, &thread) < 0) {
            list->why = "a thread state cannot be read";
            return JS_OK;
        }
        /* The list is doubly linked, so a cycle cannot pass this. */
        if (owner != interpreter || back != previous) {
            list->why = "the list of threads contradicts itself";
            return JS_OK;
        }
        if (list->count >= MAX_THREADS) {
            list->why = "there are too many threads";
            return JS_OK;
        }
        int status = add_thread(list, &thread);
        if (status < 0) {
            return status;
        }
        previous = address;
        address = next;
    }
    return JS_OK;
}

int js_python_list_threads(js_python *python, js_python_threads_list *out)
{
    const js_python_offsets *o = &python->offsets;
    *out = (js_python_threads_list){0};
    uint64_t interpreter;
    int status = word_at(python, python->runtime + o->interpreters_head, &interpreter);
    for (unsigned n = 0; status == JS_OK && interpreter != 0 && !out->why; n++) {
        if (n == MAX_INTERPRETERS) {
            out->why = "there are too many interpreters";
            break;
        }
        status = list_interpreter(python, interpreter, out);
        if (status == JS_OK && word_at(python, interpreter + o->interp_next, &interpreter) < 0) {
            out->why = "the list of interpreters cannot be read";
        }
    }
    if (status < 0) {
        js_python_threads_list_deinit(out);
        return status;
    }
    /* This comes after all threads are listed, because interpreters may share a GIL. */
    bool known = false;
    uint64_t holder = 0;
    for (size_t i = 0; i < out->count; i++) {
        js_python_thread *thread = &out->threads[i];
        if (i == 0 || thread->interpreter != thread[-1].interpreter) {
            known = find_gil_holder(python, thread->interpreter, out, &holder);
        }
        thread->holds_gil = !known ? -1 : holder == thread->address;
    }
    return JS_OK;
}

/* True if the evaluation in C that runs `frame` as its innermost frame ends in `caller`. */
static bool evaluation_ends_in(js_python *python, uint64_t frame, uint64_t caller)
{
    for (unsigned n = 0; n < MAX_INLINED_FRAMES; n++) {
        js_python_frame read;
        if (js_python_read_frame(python, frame, &read) < 0) {
            return n > 0; /* garbage from the start, or a corrupt stack, which the walk itself will report */
        }
        if (read.shim || read.is_entry) {
            return read.previous == caller;
        }
        frame = read.previous;
    }
    return true;
}

/* True if the list of evaluations ends in the thread state; otherwise its head is just being linked. */
static bool cframes_reach(js_python *python, uint64_t cframe, uint64_t root)
{
    for (unsigned n = 0; n < MAX_EVALUATIONS && cframe != 0 && cframe % 8 == 0; n++) {
        if (cframe == root) {
            return true;
        }
        if (word_at(python, cframe + python->offsets.cframe_previous, &cframe) < 0) {
            return false;
        }
    }
    return false;
}

/* Find the innermost frame of 3.11 and 3.12, which keep it in the _PyCFrame of the innermost evaluation.
 * _PyEval_EvalFrameDefault links that before it sets its members, so for some instructions they are garbage
 * of the C stack (Python/ceval.c). */
static int innermost_of_cframe(js_python *python, uint64_t thread, uint64_t *frame)
{
    const js_python_offsets *o = &python->offsets;
    uint64_t root = thread + o->thread_root_cframe, cframe, previous, caller;
    *frame = 0;
    int status = word_at(python, thread + o->thread_frame, &cframe);
    if (status < 0 || cframe == root) {
        return status;
    }
    if (!cframes_reach(python, cframe, root)) {
        return JS_EBAD;
    }
    status = word_at(python, cframe + o->cframe_current, frame);
    if (status == JS_OK) {
        status = word_at(python, cframe + o->cframe_previous, &previous);
    }
    if (status == JS_OK) {
        status = word_at(python, previous + o->cframe_current, &caller);
    }
    if (status == JS_OK && !evaluation_ends_in(python, *frame, caller)) {
        *frame = caller;
    }
    return status;
}

uint64_t js_python_cframe(js_python *python, uint64_t thread, uint64_t frame)
{
    const js_python_offsets *o = &python->offsets;
    uint64_t cframe, current;
    bool is_there = word_at(python, thread + o->thread_frame, &cframe) == JS_OK && cframe &&
                    cframe % 8 == 0 && word_at(python, cframe + o->cframe_current, &current) == JS_OK &&
                    current == frame;
    return is_there ? cframe : 0;
}

int js_python_innermost_frame(js_python *python, uint64_t thread, uint64_t *frame)
{
    const js_python_offsets *o = &python->offsets;
    bool by_cframe = o->version == JS_PYTHON_3_11 || o->version == JS_PYTHON_3_12;
    return by_cframe ? innermost_of_cframe(python, thread, frame)
                     : word_at(python, thread + o->thread_frame, frame);
}

/* Prove the offsets by the thread's frames. JS_OK: a code object proves them; JS_ENOTFOUND: the thread runs
 * none; any other error: they do not fit. */
static int prove_by_frames(js_python *python, uint64_t thread)
{
    uint64_t address;
    int status = js_python_innermost_frame(python, thread, &address);
    for (unsigned n = 0; status == JS_OK && address != 0 && n < MAX_PROOF_FRAMES; n++) {
        js_python_frame frame;
        status = js_python_read_frame(python, address, &frame);
        if (status == JS_OK && !frame.shim) {
            return js_python_check_code_type(python, frame.code);
        }
        address = frame.previous;
    }
    return status < 0 && status != JS_EBAD ? status : JS_ENOTFOUND;
}

int js_python_validate(js_python *python, bool strict)
{
    const js_python_offsets *o = &python->offsets;
    js_python_threads_list list;
    js_memory_reset(&python->memory);
    int status = js_python_list_threads(python, &list);
    if (status < 0) {
        return status;
    }
    status = list.why ? JS_EUNSUP : JS_OK;
    bool proven = false;
    for (size_t i = 0; i < list.count && status == JS_OK && !proven; i++) {
        uint64_t back;
        if (o->interp_runtime != 0 &&
            (word_at(python, list.threads[i].interpreter + o->interp_runtime, &back) < 0 ||
             back != python->runtime)) {
            status = JS_EUNSUP;
            break;
        }
        int proof = prove_by_frames(python, list.threads[i].address);
        proven = proof == JS_OK;
        status = proven || proof == JS_ENOTFOUND ? JS_OK : JS_EUNSUP;
    }
    js_python_threads_list_deinit(&list);
    return status == JS_OK && strict && !proven ? JS_EUNSUP : status;
}

/* Choose among the thread states with this native id, or if that is 0, with this pthread. None is chosen if
 * those with the native id are of several threads: a state can be left behind when its thread ends. */
static void match_threads(js_python *python, const js_python_threads_list *list, uint64_t native_id,
                          uint64_t pthread, js_python_chosen *out)
{
    uint64_t found = 0;
    for (size_t i = 0; i < list->count; i++) {
        const js_python_thread *thread = &list->threads[i];
        bool fits = native_id != 0 ? thread->native_id == native_id : thread->pthread == pthread;
        uint64_t frame = 0;
        if (!fits) {
            continue;
        }
        if (out->states && thread->pthread != found) {
            *out = (js_python_chosen){0};
            return;
        }
        found = thread->pthread;
        out->states++;
        if (js_python_innermost_frame(python, thread->address, &frame) < 0) {
            frame = 0;
        }
        bool better = out->holds_gil != 1 && (thread->holds_gil == 1 || (out->frame == 0 && frame != 0));
        if (out->address == 0 || better) {
            *out = (js_python_chosen){thread->address, thread->interpreter, frame, out->states,
                                      thread->holds_gil};
        }
    }
}

int js_python_choose(js_python *python, uint64_t native_id, uint64_t pthread, js_python_chosen *out)
{
    js_python_threads_list list;
    *out = (js_python_chosen){0};
    int status = js_python_list_threads(python, &list);
    if (status < 0) {
        return status;
    }
    if (native_id != 0) {
        match_threads(python, &list, native_id, 0, out);
    }
    if (out->address == 0 && pthread != 0) {
        match_threads(python, &list, 0, pthread, out);
    }
    status = out->address != 0 ? JS_OK : list.why ? JS_EBAD : JS_ENOTFOUND;
    js_python_threads_list_deinit(&list);
    return status;
}
