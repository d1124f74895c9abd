/* Reads numpy.ndarray. Source: numpy/core/include/numpy/ndarraytypes.h of NumPy 1.x and 2.x. */
#include <string.h>

#include "layouts/cpython/internal.h"

int js_object_array_read(js_bytes *bytes, const js_python_object *object, js_object_array *out)
{
    uint64_t fields[7], number; /* data, nd, dimensions, strides, base, descr, flags */
    uint8_t descr[48];
    *out = (js_object_array){0};
    int status = js_bytes_read(bytes, js_object_member(object, 16), fields, sizeof fields);
    if (status == JS_OK) {
        status = js_bytes_read(bytes, fields[5] + object->facts->shift, descr, sizeof descr);
    }
    if (status) {
        return status;
    }
    out->data = fields[0];
    out->ndim = (unsigned)fields[1];
    out->dimensions = fields[2];
    out->strides = fields[3];
    out->dtype = fields[5];
    out->base = fields[4];
    out->is_owner = fields[6] >> 2 & 1;
    out->is_writeable = fields[6] >> 10 & 1;
    out->kind = (char)descr[24];
    out->is_swapped = descr[26] == '>';
    /* 1.x: int elsize, int alignment (never 0); 2.x: 64 bits of flags, then the size. */
    memcpy(&number, descr + 32, 8);
    if (number >> 32) {
        out->itemsize = number & 0xffffffff;
    } else {
        memcpy(&out->itemsize, descr + 40, 8);
    }
    return out->ndim > 64 ? JS_EBAD : JS_OK;
}
