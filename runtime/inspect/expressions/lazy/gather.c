/* Reads the elements of strided memory, in runs. */
#include <stdlib.h>
#include <string.h>

#include "bytes/watch.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/lazy/lazy.h"

/* Elements that are at most this far apart are read with the bytes between them: a read costs about 1 µs. */
enum { APART = 4096, SPAN = 256 << 10 };

static int unreadable(js_evaluation *e, int status, uint64_t address, uint64_t size)
{
    if (status == JS_ECANCEL) {
        return status;
    }
    return js_fail(e, JS_EFAULT, "<unreadable: 0x%llx (%llu byte%s)>", (unsigned long long)address,
                   (unsigned long long)size, size == 1 ? "" : "s");
}

static int read_memory(js_evaluation *e, uint64_t address, void *out, uint64_t size)
{
    int status = e->with.bytes ? js_bytes_read_elements(e->with.bytes, address, out, size) : JS_EFAULT;
    return status ? unreadable(e, status, address, size) : JS_OK;
}

/* Read `count` elements that are `stride` bytes apart. */
static int read_run(js_evaluation *e, uint64_t address, int64_t stride, uint64_t count, uint64_t size,
                    uint8_t *out)
{
    if (stride == (int64_t)size || count == 1) {
        return read_memory(e, address, out, count * size);
    }
    if (stride < -APART || stride > APART || size > APART) {
        for (uint64_t i = 0; i < count; i++) {
            int status = read_memory(e, address + i * (uint64_t)stride, out + i * size, size);
            if (status) {
                return status;
            }
        }
        return JS_OK;
    }
    uint8_t *span = malloc(SPAN);
    int status = span ? JS_OK : js_no_memory(e);
    uint64_t step = (uint64_t)(stride < 0 ? -stride : stride), most = (SPAN - size) / (step ? step : 1) + 1;
    for (uint64_t done = 0; done < count && status == JS_OK;) {
        uint64_t part = count - done < most || !step ? count - done : most;
        uint64_t first = address + done * (uint64_t)stride, reach = (part - 1) * step;
        uint64_t low = stride < 0 ? first - reach : first;
        status = e->with.bytes ? js_bytes_read_elements(e->with.bytes, low, span, reach + size) : JS_EFAULT;
        if (status == JS_EFAULT || status == JS_ELIMIT) { /* the bytes between them may not be mapped */
            status = JS_OK;
            for (uint64_t i = 0; i < part && status == JS_OK; i++) {
                status = read_memory(e, first + i * (uint64_t)stride, out + (done + i) * size, size);
            }
        } else if (status == JS_OK) {
            const uint8_t *from = span + (stride < 0 ? reach : 0);
            for (uint64_t i = 0; i < part; i++) {
                memcpy(out + (done + i) * size, from + (int64_t)i * stride, size);
            }
        }
        done += part;
    }
    free(span);
    return status;
}

static int run(js_evaluation *e, const js_lazy *leaf, uint64_t data, int64_t stride, uint64_t count,
               uint8_t *out)
{
    uint64_t size = leaf->view.itemsize;
    switch (leaf->source) {
    case JS_SOURCE_MEMORY:
        return read_run(e, data, stride, count, size, out);
    case JS_SOURCE_LOCAL:
        for (uint64_t i = 0; i < count; i++) {
            memcpy(out + i * size, leaf->local + (int64_t)(data + i * (uint64_t)stride), size);
        }
        return JS_OK;
    case JS_SOURCE_FOUND:
        break;
    }
    return leaf->fetch(e, leaf, data, stride, count, out);
}

/* Merge axes that follow each other without a gap. */
static void coalesce(const js_array_view *view, js_array_view *out)
{
    out->ndim = 0;
    out->data = view->data;
    for (unsigned i = 0; i < view->ndim; i++) {
        if (view->shape[i] == 1) {
            continue;
        }
        int64_t whole;
        if (out->ndim && !__builtin_mul_overflow(view->strides[i], view->shape[i], &whole) &&
            out->strides[out->ndim - 1] == whole) {
            out->shape[out->ndim - 1] *= view->shape[i];
            out->strides[out->ndim - 1] = view->strides[i];
        } else {
            out->shape[out->ndim] = view->shape[i];
            out->strides[out->ndim++] = view->strides[i];
        }
    }
}

int js_gather(js_evaluation *e, const js_lazy *leaf, uint64_t start, uint64_t count, uint8_t *out)
{
    js_array_view view;
    int64_t index[32];
    if (leaf->view.itemsize == 0 || count == 0) {
        return JS_OK;
    }
    coalesce(&leaf->view, &view);
    uint64_t data = view.data, rest = start;
    for (unsigned axis = view.ndim; axis-- > 0;) {
        index[axis] = (int64_t)(rest % (uint64_t)view.shape[axis]);
        rest /= (uint64_t)view.shape[axis];
        data += (uint64_t)index[axis] * (uint64_t)view.strides[axis];
    }
    if (view.ndim == 0) {
        return run(e, leaf, data, 0, 1, out);
    }
    unsigned last = view.ndim - 1;
    for (;;) {
        uint64_t part = (uint64_t)(view.shape[last] - index[last]);
        part = part < count ? part : count;
        int status = run(e, leaf, data, view.strides[last], part, out);
        count -= part;
        if (status || !count) {
            return status;
        }
        out += part * leaf->view.itemsize;
        data -= (uint64_t)index[last] * (uint64_t)view.strides[last];
        index[last] = 0;
        for (unsigned axis = last; axis-- > 0;) {
            data += (uint64_t)view.strides[axis];
            if (++index[axis] < view.shape[axis]) {
                break;
            }
            data -= (uint64_t)index[axis] * (uint64_t)view.strides[axis];
            index[axis] = 0;
        }
    }
}
