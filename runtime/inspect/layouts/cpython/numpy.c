/* Finds how repr() of NumPy's objects other than arrays is written. Source:
 * numpy/_core/include/numpy/arrayscalars.h, numpy/random/_generator.pyx. */
#include <string.h>

#include "layouts/cpython/internal.h"

/* {…, bytes @24, dtype @32} */
static int record(const js_form_search *self)
{
    int status = js_know_word(self, 24, &self->out->data);
    self->out->form = JS_FORM_VOID;
    return status ? status : js_know_word(self, 32, &self->out->fields[0]);
}

/* The bit generator is the first object of a class of its module that it refers to: whether a table of
 * methods precedes it depends on Cython. */
static int random(const js_form_search *self)
{
    js_python_object found;
    for (unsigned offset = 16; offset <= 32; offset += 8) {
        uint64_t address;
        if (js_know_word(self, offset, &address) == JS_OK &&
            js_object_read(self->bytes, address, &found) == JS_OK &&
            strncmp(found.class_name, "numpy.random._", 14) == 0 &&
            strstr(found.class_name, "SeedSequence") == NULL) {
            self->out->form = JS_FORM_RANDOM;
            self->out->fields[0] = address;
            return JS_OK;
        }
    }
    return JS_ENOTFOUND;
}

bool js_know_numpy(const js_form_search *self, int *status)
{
    const char *name = self->object->class_name;
    *status = JS_OK;
    if (strncmp(name, "numpy.dtype", 11) == 0) {
        self->out->form = JS_FORM_DTYPE;
    } else if (strcmp(name, "numpy.void") == 0 || strcmp(name, "numpy.record") == 0) {
        *status = record(self);
    } else if (strcmp(name, "numpy.random._generator.Generator") == 0 ||
               strcmp(name, "numpy.random.mtrand.RandomState") == 0) {
        *status = random(self);
    } else {
        return false;
    }
    return true;
}
