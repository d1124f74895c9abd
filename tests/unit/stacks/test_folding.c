/* stacks/folding.c: classes of native frames. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stacks/folding.h"

static void classes_by_file_and_name(void **state)
{
    (void)state;
    static const struct {
        const char *path, *name;
        js_frame_class expected;
    } cases[] = {
        {"/usr/bin/python3.11", "_PyEval_EvalFrameDefault", JS_FRAME_EVALUATION},
        {"/usr/bin/python3.11", "_PyEval_EvalFrameDefault.cold", JS_FRAME_EVALUATION},
        {NULL, "_TAIL_CALL_CALL", JS_FRAME_EVALUATION},
        {"/usr/bin/python3.11", NULL, JS_FRAME_INTERPRETER},
        {"/usr/lib/libpython3.12.so.1.0", "anything", JS_FRAME_INTERPRETER},
        {"/opt/python-app/bin/server", "PyObject_Call", JS_FRAME_NATIVE},
        {"/opt/bin/my-python-app", "PyObject_Call", JS_FRAME_INTERPRETER},
        {"/opt/bin/my-python-app", "compute", JS_FRAME_NATIVE},
        {"/x/numba/_dispatcher.cpython-311-x86_64-linux-gnu.so", NULL, JS_FRAME_DISPATCHER},
        {"/x/numba/np/ufunc/workqueue.cpython-311-x86_64-linux-gnu.so", "f", JS_FRAME_POOL},
        {"/usr/lib/libgomp.so.1", NULL, JS_FRAME_POOL},
        {"/usr/lib/libtbb.so.12", NULL, JS_FRAME_POOL},
        {"/x/jitscope/lib/libjitscope.so", "attach_run", JS_FRAME_RUNTIME},
        {"libjitscope.so", NULL, JS_FRAME_RUNTIME},
        {"/x/libjitscope-inspect.so", "f", JS_FRAME_NATIVE},
        {"/usr/lib/libblas.so", "parallel_for._omp_fn.0", JS_FRAME_POOL},
        {"/usr/lib/libblas.so", "parallel_format", JS_FRAME_NATIVE},
        {"/usr/lib/libc.so.6", "__libc_start_main", JS_FRAME_INTERPRETER},
        {"/lib/x86_64-linux-gnu/libffi.so.8", "ffi_call", JS_FRAME_INTERPRETER},
        {"/x/cffi.libs/libffi-72499c49.so.8.1.4", NULL, JS_FRAME_INTERPRETER},
        {"/x/lib-dynload/_ctypes.cpython-311-x86_64-linux-gnu.so", NULL, JS_FRAME_INTERPRETER},
        {"/x/lib-dynload/_asyncio.cpython-311-x86_64-linux-gnu.so", "task_step", JS_FRAME_INTERPRETER},
        {"/x/_ctypes_test.cpython-311-x86_64-linux-gnu.so", "f", JS_FRAME_NATIVE},
        {"/usr/lib/libc.so.6", "__GI___clone3", JS_FRAME_INTERPRETER},
        {"/usr/lib/libc.so.6", "clone3x", JS_FRAME_NATIVE},
        {"/usr/lib/libc.so.6", "malloc", JS_FRAME_NATIVE},
        {NULL, "method_vectorcall", JS_FRAME_INTERPRETER},
        {NULL, "dgesdd_", JS_FRAME_NATIVE},
        {NULL, NULL, JS_FRAME_NATIVE},
        {"", "", JS_FRAME_NATIVE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (js_frame_classify(cases[i].path, cases[i].name) != cases[i].expected) {
            fail_msg("%s in %s: %d", cases[i].name ? cases[i].name : "NULL",
                     cases[i].path ? cases[i].path : "NULL", js_frame_classify(cases[i].path, cases[i].name));
        }
    }
}

static void phases_of_the_interpreter(void **state)
{
    (void)state;
    static const char around[] = "the interpreter has not begun the program's module, or has ended it";
    assert_string_equal(js_frame_phase("Py_RunMain"), around);
    assert_string_equal(js_frame_phase("Py_BytesMain"), around);
    assert_string_equal(js_frame_phase("pymain_init"), "the interpreter is starting");
    assert_string_equal(js_frame_phase("Py_FinalizeEx"), "the interpreter is ending");
    assert_null(js_frame_phase("PyObject_Call"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_by_file_and_name),
        cmocka_unit_test(phases_of_the_interpreter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
