/* Builds the types of pointers to counted memory (numba/core/runtime/nrt.cpp, struct MemInfo), and of
 * functions as values (numba/experimental/function_type.py, FunctionModel; jit_addr from 0.61 on). */
#include "layouts/numba/numba.h"

int js_numba_managed(const js_build *build, const js_type *payload, const js_type **out)
{
    const js_type *data = NULL, *whole, *pointer = NULL;
    int status = payload ? js_numba_pointer(build, payload, &data) : JS_OK;
    if (status) {
        return status;
    }
    const js_numba_row rows[] = {
        {"refct", "uint64", JS_ROLE_REFCOUNT, NULL},
        {"dtor", "void*", JS_ROLE_DESTRUCTOR, NULL},
        {"dtor_info", "void*", JS_ROLE_NONE, NULL},
        {"data", "void*", payload ? JS_ROLE_STORE : JS_ROLE_DATA, data},
        {"size", "uint64", JS_ROLE_SIZE, NULL},
    };
    status = js_numba_structure(build, "MemInfo", rows, sizeof rows / sizeof rows[0], &whole);
    if (status == JS_OK) {
        status = js_numba_pointer(build, whole, &pointer);
    }
    if (status == JS_OK) {
        ((js_type *)pointer)->kind = JS_KIND_MANAGED; /* may be changed until this returns */
    }
    *out = pointer;
    return status;
}

int js_types_counted(js_types *types, const js_type **out)
{
    const js_build build = {.types = types, .name = js_span_of("MemInfo")};
    const js_type *pointer;
    int status = js_numba_managed(&build, NULL, &pointer);
    if (status == JS_OK) {
        *out = pointer->target;
    }
    return status;
}

static int managed_type(const js_build *build, js_type *type)
{
    const js_type *managed;
    int status = js_numba_managed(build, NULL, &managed);
    if (status == JS_OK) {
        const char *name = type->name;
        *type = *managed;
        type->name = name;
    }
    return status;
}

/* Parse "FunctionType[int64(int64)]". Older ones have no third address. */
static int function_type(const js_build *build, js_type *type)
{
    static const js_numba_row rows[] = {{"c_addr", "void*", JS_ROLE_ADDRESS, NULL},
                                        {"py_addr", "pyobject", JS_ROLE_PYOBJECT, NULL},
                                        {"jit_addr", "void*", JS_ROLE_NONE, NULL}};
    bool has_third = !build->storage.at || js_storage_member(build->storage, 2).size != 0;
    type->kind = JS_KIND_FUNCTION;
    return js_numba_rows(build, rows, has_third ? 3 : 2, type);
}

/* Build a random generator: what it draws by, and its object in Python (numba/core/datamodel/models.py,
 * NumPyRandomGeneratorTypeModel). */
static int random_type(const js_build *build, js_type *type)
{
    static const js_numba_row rows[] = {{"bits", "UniTuple(uintp x 7)", JS_ROLE_NONE, NULL},
                                        {"meminfo", "void*", JS_ROLE_NONE, NULL},
                                        {"parent", "pyobject", JS_ROLE_PYOBJECT, NULL}};
    type->kind = JS_KIND_FUNCTION;
    return js_numba_rows(build, rows, 3, type);
}

int js_numba_reference(const js_build *build, js_type *type)
{
    if (js_span_starts(build->name, "memory-managed *") || js_span_is(build->name, "MemInfo*")) {
        return managed_type(build, type);
    }
    if (js_span_is(build->name, "NumPyRandomGeneratorType")) {
        return random_type(build, type);
    }
    if (js_span_starts(build->name, "FunctionType[")) {
        return function_type(build, type);
    }
    return JS_EUNSUP;
}
