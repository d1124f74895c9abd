/* Writes the calling convention of compiled functions as JSON. */
#include "program/names/numba/return_convention.h"

#include <string.h>

#include "bytes/text.h"

/* The function by which a wrapper makes a Python object of a result shows which of several types with one
 * layout the result has (numba/core/boxing.py, 0.57-0.68). */
static const char boxing[] =
    "{\"PyLong_FromLongLong\": \"int\", \"PyLong_FromLong\": \"int\", \"PyLong_FromSsize_t\": \"int\", "
    "\"PyLong_FromUnsignedLongLong\": \"uint\", \"PyLong_FromUnsignedLong\": \"uint\", "
    "\"PyLong_FromSize_t\": \"uint\", \"PyBool_FromLong\": \"bool\", \"PyFloat_FromDouble\": \"float\"}";
static const char boxing_others[] =
    "\"PyObject_Call|NPDatetime|np_datetime|np_timedelta|PyUnicode_FromKind\"";

int js_numba_convention(char **out)
{
    js_text text;
    js_text_init(&text, 0);
    js_text_printf(
        &text,
        "{\"status\": {\"returned\": %d, \"python_raised\": %d, \"none\": %d, \"stop_iteration\": %d}, "
        "\"result\": 0, \"exception\": 1, \"pickle\": 0, \"pickle_size\": 8, "
        "\"raise\": {\"x86-64\": [\"rax\", \"edx\"], \"aarch64\": [\"x0\", \"w1\"]}, "
        "\"scalars\": {\"double\": \"float64\", \"float\": \"float32\"}, \"boxing\": %s, "
        "\"boxing_others\": %s}",
        JS_NUMBA_RETURNED, JS_NUMBA_PYTHON_RAISED, JS_NUMBA_RETURNED_NONE, JS_NUMBA_STOP_ITERATION, boxing,
        boxing_others);
    return js_text_give(&text, JS_OK, out);
}

bool js_numba_keeps_floats(const char *flags)
{
    static const char none[] = "fastmath=FastMathOptions(set())";
    const char *fast = strstr(flags, "fastmath=");
    return *flags && (!fast || strncmp(fast, none, sizeof(none) - 1) == 0);
}
