/* Errors of this library: functions that return int return JS_OK or one of these, unless their comment says
 * otherwise. */
#ifndef JS_BYTES_STATUS_H
#define JS_BYTES_STATUS_H

#define JS_API __attribute__((visibility("default")))

enum js_status {
    JS_OK = 0,
    JS_ENOMEM = -1,    /* there is no memory in this process */
    JS_EFAULT = -2,    /* the target's memory cannot be read there */
    JS_EBAD = -3,      /* malformed: a structure, object, name or type text that contradicts itself */
    JS_ELIMIT = -4,    /* a bound was reached */
    JS_ENOTFOUND = -5, /* nothing has that name, or is at that place */
    JS_EUNSUP = -6,    /* well formed, but of a kind that is not known here */
    JS_ECANCEL = -7,   /* the poll callback asked to stop */
    JS_EARG = -8,      /* the caller's argument is out of range */
    JS_ESYS = -9,      /* a system call failed; errno says how */
    JS_EBUSY = -10,    /* the target was writing it at each try */
};

/* Return a short English phrase for a status; never NULL, static storage. */
JS_API const char *js_strerror(int status);

#endif
