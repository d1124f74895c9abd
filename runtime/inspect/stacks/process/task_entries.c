#include "stacks/process/task_entries.h"

#include <string.h>

#include "stacks/cpython/tasks/waits.h"
#include "stacks/process/copy.h"
#include "stacks/process/frame_place.h"
#include "stacks/process/thread_frames.h"

enum { RSP = 7 };

/* Add the variables of the frames of each task or greenlet. *late: frames for which there was no time. */
static int add_frames_values(js_frame_values *values, const json_t *list, size_t *late)
{
    json_t *each, *frame;
    size_t i, j;
    int status = JS_OK;
    json_array_foreach(list, i, each)
    {
        json_array_foreach(json_object_get(each, "frames"), j, frame)
        {
            uint64_t address = (uint64_t)json_integer_value(json_object_get(frame, "address"));
            *late += js_frame_values_is_late(values);
            status = status ? status : js_frame_values_python(values, address, frame);
        }
    }
    return status;
}

static int add_values(js_copy *copy, js_stack_target *target, uint64_t deadline, json_t *read)
{
    js_frame_values values = {.program = target->program,
                              .python = target->python,
                              .memory = target->paused,
                              .raw = &copy->values,
                              .deadline = deadline};
    size_t late = 0;
    int status = add_frames_values(&values, json_object_get(read, "tasks"), &late);
    status = status ? status : add_frames_values(&values, json_object_get(read, "greenlets"), &late);
    int failed = json_object_set_new(read, "late_frames", json_integer((json_int_t)late));
    return failed ? JS_ENOMEM : status;
}

/* Return the tasks as JSON; NULL: there is no memory. */
static json_t *json_of(const js_python_tasks *tasks)
{
    char *text = NULL;
    json_t *read = js_python_tasks_json(tasks, &text) ? NULL : json_loads(text, JSON_ALLOW_NUL, NULL);
    js_free(text);
    return read;
}

int js_task_entries_read(js_copy *copy, js_stack_target *target, bool wants_values, uint64_t deadline)
{
    int status =
        target->python ? js_python_tasks_create(target->python, deadline, &copy->tasks) : JS_ENOTFOUND;
    if (status || !wants_values) {
        return status == JS_ENOMEM ? status : JS_OK;
    }
    copy->task_values = json_of(copy->tasks);
    return copy->task_values ? add_values(copy, target, deadline, copy->task_values) : JS_ENOMEM;
}

/* Return the number of the thread that runs a task's loop, or null. A child of fork may have its parent's
 * numbers, so that the thread's own address counts. */
static json_t *thread_of(const json_t *task, const js_copy *copy)
{
    uint64_t pthread = (uint64_t)json_integer_value(json_object_get(task, "pthread"));
    for (size_t i = 0; pthread && i < copy->count; i++) {
        if (copy->threads[i].is_at_rest && copy->threads[i].registers.thread_pointer == pthread) {
            return json_integer(copy->threads[i].id);
        }
    }
    return json_null();
}

/* Append a frame to those that are shown. */
static int put_frame(json_t *frames, json_t *read)
{
    static const char *const copied[] = {"file", "line", "address", "arguments", "locals"};
    const char *name = json_string_value(json_object_get(read, "qualname"));
    name = name ? name : json_string_value(json_object_get(read, "function"));
    json_t *frame = json_pack("{ss so}", "kind", "python", "name", js_json_text(name ? name : "?"));
    int failed = !frame;
    for (size_t i = 0; i < sizeof copied / sizeof *copied && !failed; i++) {
        json_t *value = json_object_get(read, copied[i]);
        failed = value && json_object_set(frame, copied[i], value);
    }
    return json_array_append_new(frames, frame) || failed;
}

/* Return the frames of a task. Those of asyncio itself are left out, unless there are no others. */
static json_t *frames_of(const json_t *task, bool shows_all)
{
    json_t *frames = json_array(), *read = json_object_get(task, "frames"), *frame;
    size_t i, count = json_array_size(read);
    int failed = !frames;
    json_array_foreach(read, i, frame)
    {
        bool is_inner = js_wait_is_asyncio(json_string_value(json_object_get(frame, "file"))) &&
                        !(i + 1 == count && json_array_size(frames) == 0);
        failed |= (shows_all || !is_inner) && put_frame(frames, frame);
    }
    if (failed) {
        json_decref(frames);
        return NULL;
    }
    return frames;
}

/* Return what a task waits for, as an object or null. */
static json_t *waits_for(const json_t *waits)
{
    static const char *const kept[] = {"for", "task", "timed", "certain"};
    if (!json_is_object(waits)) {
        return json_null();
    }
    json_t *entry = js_frame_summary(json_object_get(waits, "frame"));
    int failed = !entry;
    for (size_t i = 0; i < sizeof kept / sizeof *kept && !failed; i++) {
        failed = json_object_set(entry, kept[i], json_object_get(waits, kept[i]));
    }
    if (failed) {
        json_decref(entry);
        return NULL;
    }
    return entry;
}

/* Append what a task waits for that waits for a lock of asyncio, and who holds it. */
static void put_lock(js_text *text, const json_t *waits)
{
    const char *task = json_string_value(json_object_get(waits, "task"));
    bool is_itself = json_is_true(json_object_get(waits, "is_itself"));
    js_text owner;
    if (json_is_true(json_object_get(waits, "is_free"))) {
        js_text_put(text, "waits for a lock that is handed over");
        return;
    }
    js_text_init(&owner, 0);
    if (task && !is_itself) {
        js_frame_put_place(&owner, json_object_get(waits, "frame"));
        js_text_put(&owner, " in task '");
        js_text_plain(&owner, task);
        js_text_put(&owner, "'");
    }
    char *words = js_text_take(&owner);
    bool is_certain = json_is_true(json_object_get(waits, "certain"));
    js_python_put_wait(text, is_certain ? "lock" : "seeming-asyncio-lock", task ? words : NULL);
    js_free(words);
}

/* Return what a task does, as a string; NULL: there is no memory. */
static json_t *does(const json_t *task)
{
    const json_t *waits = json_object_get(task, "waits");
    const char *kind = json_string_value(json_object_get(waits, "for"));
    js_text text;
    js_text_init(&text, 0);
    if (kind && strcmp(kind, "lock") == 0) {
        put_lock(&text, waits);
    } else {
        js_text_put(&text, json_string_value(json_object_get(task, "does")));
    }
    if (json_is_true(json_object_get(waits, "timed"))) {
        js_text_put(&text, ", with a timeout");
    }
    char *words = js_text_take(&text);
    json_t *said = words ? js_json_text(words) : NULL;
    js_free(words);
    return said;
}

static int put_task(json_t *tasks, const json_t *task, const js_copy *copy, bool shows_all)
{
    json_t *why = json_object_get(task, "why"), *notes = json_array();
    int failed = json_is_string(why) && json_array_append(notes, why);
    json_t *entry = json_pack("{so sO sO so so so sO so}", "native_id", thread_of(task, copy), "name",
                              json_object_get(task, "name"), "state", json_object_get(task, "state"), "does",
                              does(task), "waits_for", waits_for(json_object_get(task, "waits")), "frames",
                              frames_of(task, shows_all), "awaited_by", json_object_get(task, "awaited_by"),
                              "notes", notes);
    return failed | json_array_append_new(tasks, entry) ? JS_ENOMEM : JS_OK;
}

/* Return the number of the thread whose stack has this address, or null. */
static json_t *thread_at(uint64_t stack, const js_copy *copy, const js_stack_target *target)
{
    const js_mapping *mapping = js_mappings_at(&target->mappings, stack);
    for (size_t i = 0; mapping && i < copy->count; i++) {
        const js_thread_copy *thread = &copy->threads[i];
        if (thread->is_at_rest &&
            js_mappings_at(&target->mappings, thread->registers.general[RSP]) == mapping) {
            return json_integer(thread->id);
        }
    }
    return json_null();
}

static int put_greenlet(json_t *greenlets, const json_t *greenlet, const js_copy *copy,
                        const js_stack_target *target)
{
    uint64_t stack = (uint64_t)json_integer_value(json_object_get(greenlet, "stack"));
    json_t *why = json_object_get(greenlet, "why"), *notes = json_array();
    int failed = json_is_string(why) && json_array_append(notes, why);
    json_t *entry = json_pack("{so so so}", "native_id", thread_at(stack, copy, target), "frames",
                              frames_of(greenlet, true), "notes", notes);
    return failed | json_array_append_new(greenlets, entry) ? JS_ENOMEM : JS_OK;
}

/* Note what is missing. */
static int put_notes(json_t *notes, const json_t *read, const js_copy *copy, bool is_python)
{
    json_int_t left_out = json_integer_value(json_object_get(read, "left_out"));
    json_int_t late = json_integer_value(json_object_get(read, "late_frames"));
    json_t *why = json_object_get(read, "why"), *lost = json_object_get(read, "greenlets_why");
    int failed = 0;
    if (is_python && copy->count && copy->threads[0].is_unpaused) {
        failed |=
            json_array_append_new(notes, json_string("tasks and greenlets are not shown without a pause"));
    }
    if (left_out) {
        failed |= json_array_append_new(
            notes, json_sprintf("%lld tasks were left out, to end in time", (long long)left_out));
    }
    if (late) {
        failed |= json_array_append_new(
            notes, json_sprintf("the variables of %lld frames of tasks were left out, to end in time",
                                (long long)late));
    }
    if (json_is_string(why)) {
        failed |=
            json_array_append_new(notes, json_sprintf("tasks may be missing: %s", json_string_value(why)));
    }
    if (json_is_string(lost)) {
        failed |= json_array_append_new(
            notes, json_sprintf("greenlets may be missing: %s", json_string_value(lost)));
    }
    return failed ? JS_ENOMEM : JS_OK;
}

/* Return how many tasks wait for a lock of asyncio whose owner is not known. */
static size_t count_ownerless(const json_t *tasks)
{
    const json_t *task;
    size_t i, count = 0;
    json_array_foreach(tasks, i, task)
    {
        const json_t *waits = json_object_get(task, "waits");
        const char *kind = json_string_value(json_object_get(waits, "for"));
        count += kind && strcmp(kind, "lock") == 0 && json_is_null(json_object_get(waits, "task")) &&
                 json_is_false(json_object_get(waits, "is_free"));
    }
    return count;
}

/* Return the summary with what is found among the tasks; NULL: it stays as it is. */
static json_t *summary_of(const char *before, size_t circles, const json_t *tasks)
{
    static const char none[] = "no circle of threads was found";
    size_t unknown = count_ownerless(tasks), length = sizeof none - 1;
    bool is_none = circles == 0 && strncmp(before, none, length) == 0;
    js_text text;
    if (json_array_size(tasks) == 0) {
        return NULL;
    }
    js_text_init(&text, 0);
    js_text_put(&text, is_none ? "no circle of threads or tasks was found" : "");
    js_text_put(&text, is_none ? before + length : before);
    if (circles) {
        js_text_printf(&text, "; circles of tasks that wait for each other: %zu", circles);
    }
    if (unknown) {
        js_text_printf(&text,
                       unknown == 1 ? "; %zu task waits for a lock whose owner is not known"
                                    : "; %zu tasks wait for locks whose owner is not known",
                       unknown);
    }
    char *words = js_text_take(&text);
    json_t *summary = words ? json_string(words) : NULL;
    js_free(words);
    return summary;
}

/* Add the circles of tasks to what is said of threads that wait for each other. */
static int put_circles(json_t *whole, const json_t *read, const json_t *tasks)
{
    static const char *const kept[] = {"native_id", "name", "does", "waits_for"};
    json_t *circles = json_array(), *circle, *place;
    json_t *deadlock = json_object_get(whole, "deadlock");
    const char *before = json_string_value(json_object_get(deadlock, "summary"));
    size_t i, j;
    int failed = !circles;
    json_array_foreach(json_object_get(read, "circles"), i, circle)
    {
        json_t *entries = json_array();
        bool is_certain = true;
        json_array_foreach(circle, j, place)
        {
            const json_t *task = json_array_get(tasks, (size_t)json_integer_value(place));
            json_t *entry = json_object();
            for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
                failed |= json_object_set(entry, kept[k], json_object_get(task, kept[k]));
            }
            is_certain &= json_is_true(json_object_get(json_object_get(task, "waits_for"), "certain"));
            failed |= json_array_append_new(entries, entry);
        }
        json_t *made = json_pack("{so sb}", "tasks", entries, "certain", is_certain);
        failed |= json_array_append_new(circles, made);
    }
    json_t *summary = summary_of(before, json_array_size(circles), json_object_get(read, "tasks"));
    failed |= summary && json_object_set_new(deadlock, "summary", summary);
    failed |= json_object_set_new(deadlock, "task_circles", circles);
    return failed ? JS_ENOMEM : JS_OK;
}

int js_task_entries_put(json_t *whole, const js_copy *copy, const js_stack_target *target, bool shows_all)
{
    json_t *tasks = json_array(), *greenlets = json_array(), *notes = json_array(), *each;
    json_t *read = copy->task_values ? json_incref(copy->task_values)
                   : copy->tasks     ? json_of(copy->tasks)
                                     : NULL;
    size_t i;
    int status = tasks && greenlets && notes && (read || !copy->tasks) ? JS_OK : JS_ENOMEM;
    json_array_foreach(json_object_get(read, "tasks"), i, each)
    {
        status = status ? status : put_task(tasks, each, copy, shows_all);
    }
    json_array_foreach(json_object_get(read, "greenlets"), i, each)
    {
        status = status ? status : put_greenlet(greenlets, each, copy, target);
    }
    status = status ? status : put_circles(whole, read, tasks);
    status = status ? status : put_notes(notes, read, copy, json_is_string(json_object_get(whole, "python")));
    json_decref(read);
    int failed = json_object_set_new(whole, "tasks", tasks) |
                 json_object_set_new(whole, "greenlets", greenlets) |
                 json_object_set_new(whole, "task_notes", notes);
    return failed ? JS_ENOMEM : status;
}
