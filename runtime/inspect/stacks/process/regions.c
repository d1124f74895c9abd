#include "stacks/process/regions.h"

#include <stdbool.h>
#include <string.h>

static const char *text(json_t *frame, const char *key)
{
    return json_string_value(json_object_get(frame, key));
}

/* Return the index of the first frame from `from` on that runs this function, and not a kernel of it; the
 * number of frames: there is none. */
static size_t find(json_t *frames, size_t from, const char *name)
{
    size_t index = from;
    for (; index < json_array_size(frames); index++) {
        json_t *frame = json_array_get(frames, index);
        const char *kind = text(frame, "kind"), *own = text(frame, "name");
        if (kind && strcmp(kind, "jit") == 0 && !text(frame, "parent") && own && strcmp(own, name) == 0) {
            break;
        }
    }
    return index;
}

/* Return the function that has started the outermost loop whose kernel the thread runs, if the thread itself
 * has not; else NULL. */
static const char *parent_of(json_t *frames)
{
    for (size_t i = json_array_size(frames); i > 0; i--) {
        const char *parent = text(json_array_get(frames, i - 1), "parent");
        if (parent) {
            return find(frames, i, parent) == json_array_size(frames) ? parent : NULL;
        }
    }
    return NULL;
}

/* Append frames of the thread that has started the loop. */
static int append(json_t *frames, json_t *starter, json_t *start_frames, size_t from)
{
    json_t *region =
        json_pack("{ss sO}", "kind", "region", "native_id", json_object_get(starter, "native_id"));
    int status = json_array_append_new(frames, region);
    for (size_t i = from; i < json_array_size(start_frames) && !status; i++) {
        status = json_array_append(frames, json_array_get(start_frames, i));
    }
    return status ? JS_ENOMEM : JS_OK;
}

static int join_one(json_t *threads, json_t *originals, size_t index)
{
    json_t *thread = json_array_get(threads, index), *starter = NULL;
    json_t *frames = json_object_get(thread, "frames");
    const char *parent = parent_of(frames);
    size_t starters = 0, from = 0, which = 0;
    for (size_t i = 0; parent && i < json_array_size(originals); i++) {
        json_t *others = json_array_get(originals, i);
        size_t found = find(others, 0, parent);
        if (i != index && found < json_array_size(others)) {
            starter = json_array_get(threads, i);
            which = i;
            from = found;
            starters++;
        }
    }
    if (!parent) {
        return JS_OK;
    }
    if (starters == 1) {
        return append(frames, starter, json_array_get(originals, which), from);
    }
    json_t *note =
        json_sprintf(starters ? "several threads have started loops of %s, and it is not known which "
                                "one has started this"
                              : "the thread that started the loop of %s is not found",
                     parent);
    return json_array_append_new(json_object_get(thread, "notes"), note) ? JS_ENOMEM : JS_OK;
}

int js_join_regions(json_t *threads)
{
    json_t *originals = json_array();
    int status = originals ? JS_OK : JS_ENOMEM;
    for (size_t i = 0; i < json_array_size(threads) && status == JS_OK; i++) {
        json_t *frames = json_object_get(json_array_get(threads, i), "frames");
        status = json_array_append_new(originals, json_copy(frames)) ? JS_ENOMEM : JS_OK;
    }
    for (size_t i = 0; i < json_array_size(threads) && status == JS_OK; i++) {
        status = join_one(threads, originals, i);
    }
    json_decref(originals);
    return status;
}

/* ---- iterations ---- */

/* Return the outermost kernel's frame of the thread with this number; NULL: there is none. */
static json_t *kernel_of(json_t *threads, json_int_t id)
{
    json_t *kernel = NULL, *thread, *frame;
    size_t i, k;
    json_array_foreach(threads, i, thread)
    {
        if (json_integer_value(json_object_get(thread, "native_id")) != id) {
            continue;
        }
        json_array_foreach(json_object_get(thread, "frames"), k, frame)
        {
            kernel = text(frame, "parent") ? frame : kernel;
        }
    }
    return kernel;
}

int js_regions_put_chunks(json_t *threads, const char *launches)
{
    json_t *list = launches ? json_loads(launches, JSON_ALLOW_NUL, NULL) : NULL, *launch, *worker;
    size_t i, k;
    int failed = 0;
    json_array_foreach(list, i, launch)
    {
        json_array_foreach(json_object_get(launch, "workers"), k, worker)
        {
            json_int_t begin = json_integer_value(json_object_get(worker, "begin"));
            json_int_t end = json_integer_value(json_object_get(worker, "end"));
            bool is_outermost = json_integer_value(json_object_get(worker, "level")) == 0;
            json_int_t id = json_integer_value(json_object_get(worker, "thread"));
            json_t *kernel = is_outermost && end > begin ? kernel_of(threads, id) : NULL;
            failed |= kernel && json_object_set_new(kernel, "chunk", json_pack("[[II]]", begin, end - 1));
        }
    }
    json_decref(list);
    return failed ? JS_ENOMEM : JS_OK;
}
