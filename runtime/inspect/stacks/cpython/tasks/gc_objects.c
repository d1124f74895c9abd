/* Source: Include/internal/pycore_gc.h of CPython 3.9 to 3.14: a generation begins with a PyGC_Head {next,
 * previous}, as each of its objects does. The heads are found by their links, because their number and places
 * differ between versions. */
#include "stacks/cpython/tasks/gc_objects.h"

#include "stacks/cpython/interpreter.h"
#include "stacks/cpython/tasks/deadline.h"

enum {
    STATE = 512,           /* bytes of struct _gc_runtime_state in which its generations are */
    HEAD = 16,             /* bytes of a PyGC_Head */
    FLAGS = 3,             /* flags in the low bits of both links */
    MAX_OBJECTS = 1 << 26, /* objects of all generations */
    TIMED = 256,           /* objects between two looks at the clock */
};

typedef struct gc_walk {
    js_python *python;
    uint64_t deadline, count;
    int (*each)(void *context, uint64_t object, uint64_t class);
    void *context;
} gc_walk;

static int read_words(const gc_walk *self, uint64_t address, uint64_t *out, size_t count)
{
    return address % 8 ? JS_EBAD : js_memory_read(&self->python->memory, address, out, count * 8);
}

/* True if the links at `head` lead to objects, or to itself, that lead back. */
static bool is_head(const gc_walk *self, uint64_t head)
{
    uint64_t links[2], next[2], previous[2], flags = FLAGS;
    return read_words(self, head, links, 2) == JS_OK && links[0] > head % 8 &&
           read_words(self, links[0] & ~flags, next, 2) == JS_OK && (next[1] & ~flags) == head &&
           read_words(self, links[1] & ~flags, previous, 2) == JS_OK && (previous[0] & ~flags) == head;
}

static int walk_generation(gc_walk *self, uint64_t head)
{
    uint64_t object[4], node, before = head, flags = FLAGS; /* links, references, class */
    int status = read_words(self, head, object, 2);
    for (node = object[0] & ~flags; status == JS_OK && node != head; node = object[0] & ~flags) {
        status = self->count++ == MAX_OBJECTS ? JS_ELIMIT : read_words(self, node, object, 4);
        if (status == JS_OK && (object[1] & ~flags) != before) {
            status = JS_EBAD;
        }
        if (status == JS_OK && self->count % TIMED == 0 && js_deadline_is_over(self->deadline)) {
            status = JS_ECANCEL;
        }
        status = status ? status : self->each(self->context, node + HEAD, object[3]);
        before = node;
    }
    return status;
}

int js_gc_each(js_python *python, uint64_t interpreter, uint64_t deadline,
               int (*each)(void *context, uint64_t object, uint64_t class), void *context)
{
    gc_walk self = {.python = python, .deadline = deadline, .each = each, .context = context};
    uint64_t start = interpreter + python->offsets.interp_gc;
    unsigned heads = 0;
    int status = python->offsets.free_threaded ? JS_EBAD : JS_OK; /* objects are in no lists there */
    for (uint64_t at = start; at + HEAD <= start + STATE && status == JS_OK; at += 8) {
        if (is_head(&self, at)) {
            status = walk_generation(&self, at);
            heads++;
            at += HEAD - 8;
        }
    }
    return status || heads ? status : JS_EBAD;
}
