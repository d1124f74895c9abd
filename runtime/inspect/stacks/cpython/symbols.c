/* Tables of the interpreter's native functions. */
#include "stacks/cpython/symbols.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

static bool matches(const char *const *patterns, const char *text)
{
    for (; *patterns; patterns++) {
        if (!fnmatch(*patterns, text, FNM_EXTMATCH)) {
            return true;
        }
    }
    return false;
}

bool js_cpython_is_evaluation(const char *name)
{
    /* Python/ceval.c; with tail calls (3.14) Python/generated_cases.c.h. Parts that are split off are called
     * `….cold`. */
    static const char *const patterns[] = {"_PyEval_EvalFrameDefault?(.*)", "_TAIL_CALL_*", NULL};
    return matches(patterns, name);
}

bool js_cpython_is_interpreter(const char *name)
{
    static const char *const patterns[] = {
        "?(_)Py[A-Z_]*",
        "_Py*",
        "py@(main|run|init)_*",
        "run_mod?(.*)",
        "*vectorcall*",
        "run_eval_code_obj?(.*)",
        "@(method|cfunction|slot|builtin|type|function|object|wrap|partial)_*call*",
        NULL,
    };
    return matches(patterns, name);
}

const char *js_cpython_phase(const char *name)
{
    /* Python/pylifecycle.c and Modules/main.c; Py_RunMain is last, because it calls the others. */
    static const char *const ending[] = {"Py_Finalize?(Ex)", "Py_EndInterpreter", NULL};
    static const char *const starting[] = {"Py_Initialize*", "pymain_init", "Py_NewInterpreter*", NULL};
    static const char *const around[] = {"Py_RunMain", "Py_BytesMain", "Py_Main", NULL};
    return matches(ending, name)     ? "the interpreter is ending"
           : matches(starting, name) ? "the interpreter is starting"
           : matches(around, name)   ? "the interpreter has not begun the program's module, or has ended it"
                                     : NULL;
}

bool js_cpython_is_start(const char *name)
{
    /* crt1.o; glibc's csu/libc-start.c, nptl; Python/thread_pthread.h */
    static const char *const patterns[] = {
        "_start",     "__libc_start_*",   "start_thread", "?(__GI_)?(_|__|___)clone?(3)",
        "thread_run", "pythread_wrapper", NULL,
    };
    return matches(patterns, name);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool js_cpython_is_interpreter_file(const char *path)
{
    static const char *const patterns[] = {
        "?(lib)python[23]*", "python", "_asyncio.*", "_ctypes.*", "libffi[.-]*so*", NULL,
    };
    return matches(patterns, base_name(path));
}

bool js_cpython_may_hold_interpreter(const char *path)
{
    return strstr(base_name(path), "python") != NULL;
}

bool js_cpython_is_library(const char *path)
{
    static const char *const patterns[] = {"*/lib*/python[23].*", "<frozen *", NULL};
    return matches(patterns, path) && !strstr(path, "-packages/");
}

bool js_cpython_is_installed(const char *path)
{
    return !path || js_cpython_is_library(path) || strstr(path, "-packages/");
}
