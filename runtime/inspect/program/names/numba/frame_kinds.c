/* Compares paths and names with patterns. */
#include "program/names/numba/frame_kinds.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

typedef struct rule {
    const char *pattern; /* for fnmatch(), with GNU's alternatives (FNM_EXTMATCH) */
    js_numba_frame frame;
} rule;

/* numba/_dispatcher.cpp, _helperlib.c, _dynfunc.c; numba/np/ufunc/{workqueue,omppool}.c, tbbpool.cpp, and the
 * pools' own libraries (0.42-0.68). */
static const rule files[] = {
    {"*/numba/@(_dispatcher|_helperlib|_dynfunc)*.so*", JS_NUMBA_FRAME_DISPATCHER},
    {"*/numba/np/ufunc/*.so*", JS_NUMBA_FRAME_POOL},
    {"*/lib@(gomp|iomp5|omp|tbb)*.so*", JS_NUMBA_FRAME_POOL},
};

static const rule names[] = {
    {"@(Dispatcher_|compile_and_invoke|call_cfunc)*", JS_NUMBA_FRAME_DISPATCHER},
    {"call_trace", JS_NUMBA_FRAME_DISPATCHER},
    {"@(numba_parallel_for|gomp_|GOMP_)*", JS_NUMBA_FRAME_POOL},
    {"parallel_for?(.*)", JS_NUMBA_FRAME_POOL}, /* parallel_for._omp_fn.0 */
    {"thread_worker", JS_NUMBA_FRAME_POOL},
};

static const struct {
    const char *pattern, *layer;
} layers[] = {
    {"*/numba/np/ufunc/workqueue*.so*", "workqueue"},
    {"*/numba/np/ufunc/omppool*.so*", "omp"},
    {"*/numba/np/ufunc/tbbpool*.so*", "tbb"},
    {"*/lib@(gomp|iomp5|omp)[-.]*so*", "omp"},
    {"*/libtbb[-.]*so*", "tbb"},
};

static js_numba_frame find(const rule *rules, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++) {
        if (!fnmatch(rules[i].pattern, text, FNM_EXTMATCH)) {
            return rules[i].frame;
        }
    }
    return JS_NUMBA_FRAME_NONE;
}

js_numba_frame js_numba_frame_in_file(const char *path)
{
    return find(files, sizeof files / sizeof *files, path);
}

js_numba_frame js_numba_frame_of_name(const char *name)
{
    return find(names, sizeof names / sizeof *names, name);
}

bool js_numba_asks(const char *function)
{
    static const char injected[] = "_gdb_func_injection";
    size_t length = strlen(function), wanted = sizeof injected - 1;
    return length >= wanted && strcmp(function + length - wanted, injected) == 0;
}

bool js_numba_file_asks(const char *path)
{
    return fnmatch("*/numba/misc/@(special|gdb_hook).py", path, FNM_EXTMATCH) == 0;
}

const char *js_numba_layer(const char *path)
{
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        if (!fnmatch(layers[i].pattern, path, FNM_EXTMATCH)) {
            return layers[i].layer;
        }
    }
    return NULL;
}
