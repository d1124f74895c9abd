#include "stacks/process/doing.h"

#include <string.h>

#include "bytes/text.h"
#include "stacks/process/frame_place.h"
#include "stacks/process/system_calls.h"
#include "stacks/process/thread_frames.h"
#include "stacks/python.h"

enum {
    RDX = 1,
    RSI = 4,
    RDI = 5,
    R10 = 10,
    P_PROCESS = 1, /* P_PID of waitid(2) */
    P_ANY = 0,     /* P_ALL */
};

typedef struct doing {
    json_t *threads, *activities; /* activities: what the interpreter says of each thread, or null */
    const js_thread_copy *copies;
    size_t count;
    size_t index; /* number of the thread that is looked at */
    json_t *thread;
    const js_thread_copy *copy;
    js_awaited *awaited;
    const char *task;   /* name of the task that holds the lock, in the thread that is awaited; NULL: none */
    bool is_certain;    /* the thread that is awaited holds the lock; false: it seems so */
    const char *reason; /* "for" of docs/schema/stack.json; NULL: it waits for nothing */
    json_t *place;      /* frame of what is awaited, borrowed; NULL: not known */
    js_text text;
} doing;

static const char *string(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static bool is_code(const json_t *frame)
{
    return js_frame_is_function(frame) || js_frame_has_kind(frame, "native") ||
           js_frame_has_kind(frame, "wrapper");
}

/* Append the frame of the user's that waits, in brackets. */
static void put_waiter(doing *self)
{
    json_t *frame = js_frame_of_user(self->thread);
    if (frame) {
        js_text_put(&self->text, " (");
        js_frame_put_place(&self->text, frame);
        js_text_put(&self->text, ")");
    }
}

/* Return the outermost native function of a thread that runs nothing else: what the thread is for. */
static json_t *find_purpose(const json_t *thread)
{
    json_t *frames = json_object_get(thread, "frames");
    for (size_t i = json_array_size(frames); i > 0; i--) {
        json_t *frame = json_array_get(frames, i - 1);
        if (js_frame_has_kind(frame, "native")) {
            return frame;
        }
    }
    return NULL;
}

static void put_caller(doing *self)
{
    json_t *frame = js_frame_of_user(self->thread);
    frame = frame ? frame : find_purpose(self->thread);
    if (frame) {
        js_text_put(&self->text, ", called by ");
        js_frame_put_place(&self->text, frame);
    }
}

/* ---- threads ---- */

static void put_thread(js_text *out, const js_thread_copy *copy)
{
    js_text_printf(out, "thread %d", (int)copy->id);
    if (copy->name[0]) {
        js_text_put(out, " (");
        js_text_plain(out, copy->name);
        js_text_put(out, ")");
    }
}

/* Return the index of the thread that "owner" of js_python_activity() is; JS_NO_THREAD. A process in a
 * container may have other thread ids than this one sees, but the address of its pthread is the same. */
static int64_t find_owner(const doing *self, const json_t *owner)
{
    uint64_t pthread = (uint64_t)json_integer_value(json_object_get(owner, "pthread"));
    pid_t id = (pid_t)json_integer_value(json_object_get(owner, "native_id"));
    for (size_t i = 0; pthread && i < self->count; i++) {
        const js_thread_copy *copy = &self->copies[i];
        bool is_known = copy->is_in_call && copy->python; /* by its id: there are no registers */
        if (copy->is_at_rest ? copy->registers.thread_pointer == pthread : is_known && copy->own_id == id) {
            return (int64_t)i;
        }
    }
    return JS_NO_THREAD;
}

/* Return true, false or null, borrowed; NULL: the interpreter says nothing of the thread. */
static json_t *holds_gil(const doing *self, size_t index)
{
    return json_object_get(json_array_get(self->activities, index), "holds_gil");
}

/* Return the index of the only thread that holds a GIL; there are several if interpreters have their own. */
static int64_t find_holder(const doing *self)
{
    int64_t found = JS_NO_THREAD;
    for (size_t i = 0; i < self->count; i++) {
        if (json_is_true(holds_gil(self, i))) {
            if (found != JS_NO_THREAD) {
                return JS_NO_THREAD;
            }
            found = (int64_t)i;
        }
    }
    return found;
}

/* ---- waits of Python ---- */

/* Find the thread that holds what is waited for, or whose end is, and the frame in which it does. */
static void find_awaited(doing *self, const json_t *owner)
{
    bool is_lock = strcmp(self->reason, "lock") == 0 || strcmp(self->reason, "rlock") == 0;
    bool is_gil = strcmp(self->reason, "gil") == 0;
    int64_t thread = is_gil ? find_holder(self) : find_owner(self, owner);
    self->awaited->thread = thread;
    self->is_certain = !json_is_false(json_object_get(owner, "certain"));
    self->task = thread == JS_NO_THREAD ? NULL : string(owner, "task");
    self->awaited->is_ownerless = is_lock && thread == JS_NO_THREAD;
    if (thread == JS_NO_THREAD) {
        return;
    }
    json_t *frame = json_object_get(owner, "frame");
    self->place = !is_lock                ? js_frame_of_user(json_array_get(self->threads, (size_t)thread))
                  : json_is_object(frame) ? frame
                                          : NULL;
}

/* Return the words for the thread that find_awaited() has found; "" for the thread itself; NULL: there is no
 * memory, or none was found. The caller frees them with js_free. */
static char *owner_text(const doing *self)
{
    int64_t thread = self->awaited->thread;
    bool is_itself = thread != JS_NO_THREAD && self->copy == &self->copies[thread] && !self->task;
    js_text text;
    if (thread == JS_NO_THREAD) {
        return NULL;
    }
    js_text_init(&text, 0);
    if (!is_itself && self->place && strstr(self->reason, "lock")) {
        js_frame_put_place(&text, self->place);
        js_text_put(&text, " in ");
    }
    if (self->task) {
        js_text_put(&text, "task '");
        js_text_plain(&text, self->task);
        js_text_put(&text, "' of ");
    }
    if (!is_itself) {
        put_thread(&text, &self->copies[thread]);
    }
    return js_text_take(&text);
}

/* Write what Python records. False: nothing. */
static bool put_python_wait(doing *self)
{
    json_t *waits = json_object_get(json_array_get(self->activities, self->index), "waits");
    self->reason = string(waits, "for");
    if (!self->reason) {
        return false;
    }
    find_awaited(self, json_object_get(waits, "owner"));
    char *owner = owner_text(self);
    js_python_put_wait(&self->text, owner && !self->is_certain ? "seeming-lock" : self->reason, owner);
    bool is_other = owner && *owner;
    js_free(owner);
    bool is_held = is_other && strcmp(self->reason, "thread") != 0;
    if (!is_held && strcmp(self->reason, "work") != 0 && strcmp(self->reason, "gil") != 0) {
        put_waiter(self);
    }
    return true;
}

/* ---- other waits ---- */

/* Write that the thread waits for work of a pool, or for the workers of one. False: neither. */
static bool put_pool(doing *self)
{
    const js_pool_frames *pool = &self->copy->pool;
    if (!pool->is_inside || (pool->has_function && !pool->is_called)) {
        return false;
    }
    if (!pool->has_function) {
        self->reason = "work";
        js_text_printf(&self->text, pool->layer ? "waits for work (%s)" : "waits for work", pool->layer);
        return true;
    }
    self->reason = "workers";
    self->awaited->is_workers = true;
    self->place = js_frame_find(self->thread, js_frame_is_function);
    js_text_put(&self->text, "waits for the workers of the parallel loop");
    if (self->place) {
        js_text_put(&self->text, " of ");
        js_frame_put_place(&self->text, self->place);
    }
    return true;
}

/* Write that the thread waits for another process. False: it does not. */
static bool put_process(doing *self)
{
    const uint64_t *registers = self->copy->registers.general;
    uint64_t called = self->copy->registers.called;
    int32_t process = called == JS_CALL_WAIT4 ? (int32_t)registers[RDI]
                      : called == JS_CALL_WAITID && (int32_t)registers[RDI] == P_PROCESS
                          ? (int32_t)registers[RSI]
                      : called == JS_CALL_WAITID && (int32_t)registers[RDI] == P_ANY ? -1
                                                                                     : 0;
    if (process > 0) {
        js_text_printf(&self->text, "waits for process %d to end", (int)process);
    } else if (process == -1) {
        js_text_put(&self->text, "waits for a child process to end");
    } else {
        return false;
    }
    self->reason = "process";
    put_waiter(self);
    return true;
}

static void put_system_call(doing *self)
{
    const char *name = js_system_call_name(self->copy->registers.called);
    if (name) {
        js_text_printf(&self->text, "in %s", name);
    } else {
        js_text_printf(&self->text, "in syscall %llu", (unsigned long long)self->copy->registers.called);
    }
    self->reason = "system call";
    put_caller(self);
}

/* Write which iterations of its parallel loop a kernel runs, if that is known. */
static void put_iterations(js_text *out, json_t *frame)
{
    json_t *first = json_array_get(json_object_get(frame, "chunk"), 0);
    if (first) {
        js_text_printf(out, ", iterations %lld..%lld", json_integer_value(json_array_get(first, 0)),
                       json_integer_value(json_array_get(first, 1)));
    }
}

static void put_running(doing *self)
{
    json_t *frame = js_frame_find(self->thread, is_code);
    if (!frame) {
        js_text_put(&self->text, "runs code that is not known");
        return;
    }
    js_text_put(&self->text, "runs ");
    js_frame_put_place(&self->text, frame);
    put_iterations(&self->text, frame);
    if (!js_frame_is_function(frame) && js_frame_of_user(self->thread)) {
        put_caller(self);
    }
}

/* Write that the thread holds the GIL, where that is not usual: a thread that runs Python code holds it. */
static void put_holds_gil(doing *self)
{
    json_t *frame = js_frame_find(self->thread, is_code);
    bool is_usual = !self->reason && frame && js_frame_has_kind(frame, "python");
    if (json_is_true(holds_gil(self, self->index)) && !is_usual) {
        js_text_put(&self->text, ", and holds the GIL");
    }
}

/* ---- the entry ---- */

static json_t *native_id(const doing *self, int64_t thread)
{
    return thread == JS_NO_THREAD ? json_null() : json_integer(self->copies[thread].id);
}

static json_t *waits_for(const doing *self)
{
    const json_t *place = self->place;
    if (!self->reason) {
        return json_null();
    }
    const char *name = string(place, "name") ? "name" : string(place, "qualname") ? "qualname" : "function";
    json_t *function = json_object_get(place, name), *file = json_object_get(place, "file");
    json_t *line = json_object_get(place, "line");
    json_t *entry =
        json_pack("{ss so sb sb so so so}", "for", self->reason, "native_id",
                  native_id(self, self->awaited->thread), "timed", self->awaited->is_timed, "certain",
                  self->is_certain, "function", function ? json_incref(function) : json_null(), "file",
                  file ? json_incref(file) : json_null(), "line", line ? json_incref(line) : json_null());
    if (self->task && json_object_set_new(entry, "task", js_json_text(self->task))) {
        json_decref(entry);
        return NULL;
    }
    return entry;
}

static json_t *system_call(const js_thread_copy *copy)
{
    const char *name = js_system_call_name(copy->registers.called);
    return !copy->is_at_rest || copy->registers.called == UINT64_MAX ? json_null()
           : name                                                    ? json_string(name)
                  : json_sprintf("%llu", (unsigned long long)copy->registers.called);
}

/* True if the system call that the thread waits in ends at a time. */
static bool is_timed(const js_traced *registers)
{
    return registers->called == JS_CALL_RESTART ||
           (registers->called == JS_CALL_FUTEX && registers->general[R10] != 0) ||
           (registers->called == JS_CALL_PPOLL && registers->general[RDX] != 0) ||
           (registers->called == JS_CALL_POLL && (int32_t)registers->general[RDX] >= 0);
}

static int describe(doing *self)
{
    bool is_in_call = self->copy->registers.called != UINT64_MAX;
    *self->awaited = (js_awaited){.thread = JS_NO_THREAD};
    self->reason = NULL;
    self->is_certain = true;
    self->task = NULL;
    self->place = NULL;
    js_text_init(&self->text, 0);
    if (self->copy->is_unpaused) {
        json_t *frame = js_frame_find(self->thread, is_code);
        js_text_put(&self->text, frame ? self->copy->state == 'R' ? "runs " : "is in " : "");
        if (frame) {
            js_frame_put_place(&self->text, frame);
        }
    } else if (!self->copy->is_at_rest) {
        js_text_put(&self->text, "did not answer");
        put_waiter(self);
    } else if (put_python_wait(self)) {
        self->awaited->is_timed = is_timed(&self->copy->registers);
        if (self->awaited->is_timed && strcmp(self->reason, "gil") != 0) {
            js_text_put(&self->text, ", with a timeout"); /* the GIL is waited for until it is there */
        }
        put_holds_gil(self);
    } else {
        bool is_known = put_pool(self) || (is_in_call && put_process(self));
        if (!is_known && is_in_call) {
            put_system_call(self);
        } else if (!is_known) {
            put_running(self);
        }
        put_holds_gil(self);
    }
    char *does = js_text_take(&self->text);
    int failed = !does || json_object_set_new(self->thread, "does", js_json_text(does));
    js_free(does);
    json_t *holds = holds_gil(self, self->index);
    failed = failed ||
             json_object_set_new(self->thread, "holds_gil", holds ? json_incref(holds) : json_null()) ||
             json_object_set_new(self->thread, "waits_for", waits_for(self)) ||
             json_object_set_new(self->thread, "system_call", system_call(self->copy));
    return failed ? JS_ENOMEM : JS_OK;
}

static int read_activities(doing *self)
{
    self->activities = json_array();
    int failed = !self->activities;
    for (size_t i = 0; i < self->count && !failed; i++) {
        const char *text = self->copies[i].activity;
        json_t *activity = text ? json_loads(text, JSON_ALLOW_NUL, NULL) : NULL;
        failed = json_array_append_new(self->activities, activity ? activity : json_null());
    }
    return failed ? JS_ENOMEM : JS_OK;
}

int js_doing(json_t *threads, const js_thread_copy *copies, js_awaited *awaited)
{
    doing self = {.threads = threads, .copies = copies, .count = json_array_size(threads)};
    int status = read_activities(&self);
    for (size_t i = 0; i < self.count && status == JS_OK; i++) {
        self.index = i;
        self.thread = json_array_get(threads, i);
        self.copy = &copies[i];
        self.awaited = &awaited[i];
        status = describe(&self);
    }
    json_decref(self.activities);
    return status;
}
