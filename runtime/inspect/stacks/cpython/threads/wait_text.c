#include <string.h>

#include "stacks/python.h"

typedef struct wait_text {
    const char *reason, *awaited;
    const char *before, *after; /* around the owner, if it is known */
    const char *unowned;        /* what follows if it is not */
    const char *itself;         /* what follows if it is the waiting thread; NULL: "it holds itself" */
} wait_text;

static const wait_text texts[] = {
    {"gil", "the GIL", ", which ", " holds", "", NULL},
    {"lock", "a lock", " that ", " holds", " whose owner is not known", NULL},
    {"seeming-lock", "a lock", " that ", " seems to hold (by its `with`)", "",
     "it seems to hold itself (by its `with`)"},
    {"seeming-asyncio-lock", "a lock", " that ", " seems to hold (by its `async with`)", "",
     "it seems to hold itself (by its `async with`)"},
    {"rlock", "a lock (an RLock)", " that ", " holds", " whose owner is not known", NULL},
    {"thread", "", "", " to end", "a thread to end", NULL},
    {"notification", "a notification", NULL, NULL, "", NULL},
    {"item", "an item of a queue", NULL, NULL, "", NULL},
    {"room", "room in a queue", NULL, NULL, "", NULL},
    {"tasks", "the tasks of a queue to be done", NULL, NULL, "", NULL},
    {"result", "the result of a future", NULL, NULL, "", NULL},
    {"pool result", "the result of a pool", NULL, NULL, "", NULL},
    {"results", "the results of futures", NULL, NULL, "", NULL},
    {"barrier", "the other threads of a barrier", NULL, NULL, "", NULL},
    {"semaphore", "a semaphore", NULL, NULL, "", NULL},
    {"process lock", "a lock of multiprocessing", NULL, NULL, " whose owner is not known", NULL},
    {"process semaphore", "a semaphore of multiprocessing", NULL, NULL, "", NULL},
    {"events", "events (asyncio)", NULL, NULL, "", NULL},
    {"work", "work (ThreadPoolExecutor)", NULL, NULL, "", NULL},
};

int js_python_put_wait(js_text *out, const char *reason, const char *owner)
{
    const wait_text *text = NULL;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && !text; i++) {
        text = strcmp(texts[i].reason, reason) == 0 ? &texts[i] : NULL;
    }
    if (!text) {
        return JS_ENOTFOUND;
    }
    js_text_put(out, "waits for ");
    js_text_put(out, text->awaited);
    if (!owner || !text->before) {
        js_text_put(out, text->unowned);
    } else if (!*owner) {
        js_text_put(out, text->before);
        js_text_put(out, text->itself ? text->itself : "it holds itself");
    } else {
        js_text_put(out, text->before);
        js_text_plain(out, owner);
        js_text_put(out, text->after);
    }
    return JS_OK;
}
