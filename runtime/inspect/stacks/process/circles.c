/* A depth-first search: a thread waits for one other, or for all that run iterations of its parallel loop. A
 * thread on the path that is met again closes a circle. Waits of one kind, which are all asleep at the same
 * moment, cannot end; a wait for the GIL can, unless the holder's own wait is on the path, too. */
#include "stacks/process/circles.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/text.h"
#include "program/names/loop_name.h"
#include "stacks/process/frame_place.h"
#include "stacks/process/thread_frames.h"

typedef struct circle_search {
    const json_t *threads;
    const js_awaited *awaited;
    size_t count;
    size_t *path, depth; /* indices of the threads from the first on, and their number */
    size_t *next;        /* for each thread: the next one that it may wait for */
    uint8_t *seen;       /* for each thread: on the path, or done */
    json_t *circles;
} circle_search;

enum { NEW, ON_PATH, DONE };

static const char *string(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* True if a frame of the thread runs this compiled function, or, with `is_loop`, the body of a loop of it. */
static bool has_compiled(const json_t *thread, const char *name, bool is_loop)
{
    json_t *frames = json_object_get(thread, "frames");
    for (size_t i = 0; i < json_array_size(frames); i++) {
        json_t *frame = json_array_get(frames, i);
        const char *kind = string(frame, "kind"), *own = string(frame, "name");
        bool is_compiled = kind && (strcmp(kind, "jit") == 0 || strcmp(kind, "wrapper") == 0);
        size_t length = !own ? 0 : is_loop ? js_loop_name_function(own) : strlen(own);
        if (is_compiled && length && length == strlen(name) && strncmp(own, name, length) == 0) {
            return true;
        }
    }
    return false;
}

/* True if the thread runs a kernel of the function that the other one waits in, and no third thread is in
 * that function. This is for kernels whose objects do not say which function they are of. */
static bool is_worker_by_name(const circle_search *self, size_t worker, size_t starter)
{
    json_t *waits = json_object_get(json_array_get(self->threads, starter), "waits_for");
    const char *name = string(waits, "function");
    if (!name || !has_compiled(json_array_get(self->threads, worker), name, true)) {
        return false;
    }
    for (size_t i = 0; i < self->count; i++) {
        if (i != starter && has_compiled(json_array_get(self->threads, i), name, false)) {
            return false;
        }
    }
    return true;
}

/* True if the thread runs iterations of a loop that the other one has started. */
static bool is_worker_of(const circle_search *self, size_t worker, size_t starter)
{
    json_t *frames = json_object_get(json_array_get(self->threads, worker), "frames");
    json_t *id = json_object_get(json_array_get(self->threads, starter), "native_id");
    bool has_region = false;
    for (size_t i = 0; worker != starter && i < json_array_size(frames); i++) {
        json_t *thread = json_object_get(json_array_get(frames, i), "native_id");
        if (thread && json_equal(thread, id)) {
            return true;
        }
        has_region |= thread != NULL;
    }
    return worker != starter && !has_region && is_worker_by_name(self, worker, starter);
}

static bool waits_for(const circle_search *self, size_t thread, size_t other)
{
    const js_awaited *awaited = &self->awaited[thread];
    return awaited->is_workers ? is_worker_of(self, other, thread) : awaited->thread == (int64_t)other;
}

/* True if the thread's wait may be part of a circle. A wait for the GIL always has a time, after which the
 * thread asks again. */
static bool may_last(const circle_search *self, size_t thread)
{
    json_t *waits = json_object_get(json_array_get(self->threads, thread), "waits_for");
    const char *reason = string(waits, "for");
    return !self->awaited[thread].is_timed || (reason && strcmp(reason, "gil") == 0);
}

static json_t *circle_entry(const circle_search *self, size_t thread)
{
    static const char *const kept[] = {"native_id", "name", "does", "waits_for"};
    json_t *whole = json_array_get(self->threads, thread);
    json_t *entry = js_frame_summary(js_frame_of_user(whole));
    int failed = !entry;
    for (size_t i = 0; i < sizeof kept / sizeof *kept && !failed; i++) {
        failed = json_object_set(entry, kept[i], json_object_get(whole, kept[i]));
    }
    if (failed) {
        json_decref(entry);
        return NULL;
    }
    return entry;
}

/* Add the circle that the path closes with this thread. */
static int add_circle(const circle_search *self, size_t thread)
{
    size_t from = self->depth;
    json_t *threads = json_array();
    while (from > 0 && self->path[--from] != thread) {
    }
    for (; threads && from < self->depth; from++) {
        if (json_array_append_new(threads, circle_entry(self, self->path[from]))) {
            json_decref(threads);
            return JS_ENOMEM;
        }
    }
    return json_array_append_new(self->circles, json_pack("{so}", "threads", threads)) ? JS_ENOMEM : JS_OK;
}

static void push(circle_search *self, size_t thread)
{
    self->seen[thread] = ON_PATH;
    self->path[self->depth++] = thread;
}

static int search_from(circle_search *self, size_t first)
{
    int status = JS_OK;
    push(self, first);
    while (self->depth && status == JS_OK) {
        size_t thread = self->path[self->depth - 1], other = self->next[thread]++;
        if (other >= self->count || !may_last(self, thread)) {
            self->seen[thread] = DONE;
            self->depth--;
        } else if (waits_for(self, thread, other)) {
            if (self->seen[other] == ON_PATH) {
                status = add_circle(self, other);
            } else if (self->seen[other] == NEW) {
                push(self, other);
            }
        }
    }
    return status;
}

static int find_circles(const json_t *threads, const js_awaited *awaited, json_t *circles)
{
    size_t count = json_array_size(threads);
    circle_search self = {.threads = threads, .awaited = awaited, .count = count, .circles = circles};
    self.path = calloc(count + 1, sizeof *self.path);
    self.next = calloc(count + 1, sizeof *self.next);
    self.seen = calloc(count + 1, sizeof *self.seen);
    int status = self.path && self.next && self.seen ? JS_OK : JS_ENOMEM;
    for (size_t i = 0; i < count && status == JS_OK; i++) {
        if (self.seen[i] == NEW) {
            status = search_from(&self, i);
        }
    }
    free(self.path);
    free(self.next);
    free(self.seen);
    return status;
}

/* True if no wait of the circle is for a lock whose owner is not certain. */
static bool is_certain(const json_t *circle)
{
    bool is_found = false;
    json_t *threads = json_object_get(circle, "threads");
    for (size_t i = 0; i < json_array_size(threads); i++) {
        json_t *waits = json_object_get(json_array_get(threads, i), "waits_for");
        is_found |= json_is_false(json_object_get(waits, "certain"));
    }
    return !is_found;
}

static void put_summary(js_text *text, const json_t *circles, size_t unknown)
{
    size_t count = json_array_size(circles);
    for (size_t i = 0; i < count; i++) {
        size_t threads = json_array_size(json_object_get(json_array_get(circles, i), "threads"));
        js_text_printf(text, "%s%zu thread%s", i ? "; " : "", threads, threads == 1 ? "" : "s");
        js_text_put(text, is_certain(json_array_get(circles, i)) ? threads == 1 ? " waits" : " wait"
                          : threads == 1                         ? " seems to wait"
                                                                 : " seem to wait");
        js_text_put(text, threads == 1 ? " for itself" : " for each other in a circle");
    }
    if (!count) {
        js_text_put(text, "no circle of threads was found");
    }
    if (unknown) {
        js_text_printf(text,
                       unknown == 1 ? "; %zu thread waits for a lock whose owner is not known"
                                    : "; %zu threads wait for locks whose owner is not known",
                       unknown);
    }
}

int js_circles(json_t *whole, const json_t *threads, const js_awaited *awaited)
{
    js_text text;
    size_t unknown = 0;
    json_t *circles = json_array();
    int status = circles ? find_circles(threads, awaited, circles) : JS_ENOMEM;
    for (size_t i = 0; i < json_array_size(threads); i++) {
        unknown += awaited[i].is_ownerless;
    }
    js_text_init(&text, 0);
    put_summary(&text, circles, unknown);
    char *summary = js_text_take(&text);
    json_t *found = json_pack("{so sI ss}", "circles", circles, "unknown_owners", (json_int_t)unknown,
                              "summary", summary ? summary : "");
    if (!summary || json_object_set_new(whole, "deadlock", found)) {
        status = JS_ENOMEM;
    }
    js_free(summary);
    return status;
}
