/* The texts of statuses. */
#include "bytes/status.h"

const char *js_strerror(int status)
{
    static const char *const phrases[] = {
        [-JS_OK] = "no error",
        [-JS_ENOMEM] = "out of memory",
        [-JS_EFAULT] = "the program's memory cannot be read",
        [-JS_EBAD] = "malformed",
        [-JS_ELIMIT] = "a limit was reached",
        [-JS_ENOTFOUND] = "not found",
        [-JS_EUNSUP] = "not supported",
        [-JS_ECANCEL] = "cancelled",
        [-JS_EARG] = "argument out of range",
        [-JS_ESYS] = "system call failed",
        [-JS_EBUSY] = "the program is writing it",
    };
    if (status > 0 || status < JS_EBUSY) {
        return "unknown status";
    }
    return phrases[-status];
}
