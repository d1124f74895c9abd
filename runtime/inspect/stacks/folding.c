/* Sorts native frames into classes by their file and function. */
#include "stacks/folding.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "program/names/numba/frame_kinds.h"
#include "stacks/cpython/symbols.h"

static js_frame_class of_numba(js_numba_frame frame)
{
    return frame == JS_NUMBA_FRAME_POOL         ? JS_FRAME_POOL
           : frame == JS_NUMBA_FRAME_DISPATCHER ? JS_FRAME_DISPATCHER
                                                : JS_FRAME_NATIVE;
}

/* True for libjitscope.so, which is on the stack when the program or a signal has asked for a stop. */
static bool is_runtime(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strncmp(slash ? slash + 1 : path, "libjitscope.so", strlen("libjitscope.so")) == 0;
}

static js_frame_class in_file(const char *path)
{
    return is_runtime(path)                       ? JS_FRAME_RUNTIME
           : js_cpython_is_interpreter_file(path) ? JS_FRAME_INTERPRETER
                                                  : of_numba(js_numba_frame_in_file(path));
}

js_frame_class js_frame_classify(const char *path, const char *name)
{
    if (name && js_cpython_is_evaluation(name)) {
        return JS_FRAME_EVALUATION;
    }
    bool is_known = path && *path;
    js_frame_class class = is_known ? in_file(path) : JS_FRAME_NATIVE;
    char *real = is_known && class == JS_FRAME_NATIVE ? realpath(path, NULL) : NULL;
    if (real) {
        class = in_file(real);
    }
    free(real);
    if (class != JS_FRAME_NATIVE || !name) {
        return class;
    }
    class = of_numba(js_numba_frame_of_name(name));
    if (class != JS_FRAME_NATIVE) {
        return class;
    }
    if (js_cpython_is_start(name)) {
        return JS_FRAME_INTERPRETER;
    }
    bool may = !is_known || js_cpython_may_hold_interpreter(path);
    return may && js_cpython_is_interpreter(name) ? JS_FRAME_INTERPRETER : JS_FRAME_NATIVE;
}

const char *js_frame_phase(const char *name)
{
    return js_cpython_phase(name);
}

bool js_frame_asks(const char *path)
{
    return fnmatch("*/jitscope/@(stops|compiler/services/numba_gdb).py", path, FNM_EXTMATCH) == 0 ||
           js_numba_file_asks(path);
}
