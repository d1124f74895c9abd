/* Finds the code of the function that a module has under a name. */
#include "stacks/cpython/modules/definition.h"

#include <string.h>

#include "stacks/cpython/modules/modules.h"
#include "stacks/python.h"

enum { WRAPPED_MAX = 16 };

/* Offsets of the code in a function object: Include/(cpython/)funcobject.h, 3.10 to 3.14, and 3.9. An object
 * that is no code object is recognised by its type. */
static const unsigned code_at[] = {48, 16};

static int put_code(js_python *python, const js_python_object *function, js_text *out)
{
    for (size_t i = 0; i < sizeof code_at / sizeof *code_at; i++) {
        const js_python_code *code;
        uint64_t address;
        if (js_memory_read_word(&python->memory, js_object_member(function, code_at[i]), &address) ||
            !address || js_python_find_code(python, address, &code)) {
            continue;
        }
        js_text_printf(out, "{%s, \"line\": %d}", code->json, (int)code->first_line);
        return out->status;
    }
    return JS_ENOTFOUND;
}

int js_python_definition(js_python *python, const char *module, const char *name, js_text *out)
{
    js_python_object object, inner;
    int status = js_python_find_module(python, module, &object);
    if (!status) {
        status = js_python_find_attribute(python, &object, name, &inner);
    }
    for (unsigned i = 0; !status && i < WRAPPED_MAX; i++) {
        object = inner;
        if (js_python_find_attribute(python, &object, "__wrapped__", &inner) &&
            js_python_find_attribute(python, &object, "py_func", &inner)) {
            break;
        }
    }
    if (status) {
        return status;
    }
    return strcmp(object.class_name, "function") == 0 ? put_code(python, &object, out) : JS_ENOTFOUND;
}

int js_python_global(js_python *python, const char *module, const char *name, uint64_t *address)
{
    js_python_object of, held;
    int status = js_python_find_module(python, module, &of);
    status = status ? status : js_python_find_attribute(python, &of, name, &held);
    *address = status ? 0 : held.address;
    return !status && strcmp(held.class_name, "module") == 0 ? JS_ENOTFOUND : status;
}
