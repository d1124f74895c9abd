/* Source: Lib/asyncio/{tasks,futures}.py, Objects/genobject.c and Objects/iterobject.c of CPython 3.9 to
 * 3.14. */
#include "stacks/cpython/tasks/async_class.h"

#include <string.h>

#include "stacks/cpython/modules/modules.h"
#include "stacks/cpython/tasks/generator.h"

enum { TYPE_FLAGS = 168, FLAG_HEAP = 1 << 9 };

/* Return the address of a class that a module has under a name; 0: none. */
static uint64_t find_class(js_python *python, const js_python_object *module, const char *name)
{
    js_python_object class;
    bool is_class =
        js_python_find_attribute(python, module, name, &class) == JS_OK && class.kind == JS_OBJECT_CLASS;
    return is_class ? class.address : 0;
}

int js_async_classes_init(js_async_classes *classes, js_python *python, uint64_t interpreter)
{
    js_python_object tasks, futures;
    *classes = (js_async_classes){.python = python, .interpreter = interpreter};
    int status = js_python_find_module_in(python, interpreter, "asyncio.tasks", &tasks);
    status = status ? status : js_python_find_module_in(python, interpreter, "asyncio.futures", &futures);
    if (status) {
        return status;
    }
    classes->tasks = tasks.address;
    classes->task = find_class(python, &tasks, "_CTask");
    classes->python_task = find_class(python, &tasks, "_PyTask");
    classes->future = find_class(python, &futures, "_CFuture");
    classes->python_future = find_class(python, &futures, "_PyFuture");
    classes->has_layout =
        classes->task && js_asyncio_layout_find(python, classes->task, &classes->layout) == JS_OK;
    return classes->python_task && classes->python_future ? JS_OK : JS_ENOTFOUND; /* it is being imported */
}

void js_async_classes_deinit(js_async_classes *classes)
{
    js_address_map_deinit(&classes->kinds);
}

/* True if the class is part of the interpreter itself, so that its name is a proof. */
static bool is_static(js_python *python, uint64_t type)
{
    uint64_t flags;
    return js_memory_read_word(&python->memory, js_python_member(python, type, TYPE_FLAGS), &flags) ==
               JS_OK &&
           !(flags & FLAG_HEAP);
}

static js_async_kind classify(const js_async_classes *classes, const js_python_object *object)
{
    static const char *const wrappers[] = {"coroutine_wrapper", "async_generator_asend",
                                           "async_generator_athrow", "anext_awaitable"};
    const struct {
        uint64_t class;
        js_async_kind kind;
    } bases[] = {
        {classes->task, JS_ASYNC_TASK},
        {classes->python_task, JS_ASYNC_PYTHON_TASK},
        {classes->future, JS_ASYNC_FUTURE},
        {classes->python_future, JS_ASYNC_PYTHON_FUTURE},
    };
    js_python *python = classes->python;
    if (object->kind == JS_OBJECT_NONE) {
        return JS_ASYNC_NONE;
    }
    if (object->kind != JS_OBJECT_INSTANCE) {
        return JS_ASYNC_OTHER;
    }
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        if (bases[i].class && js_object_is_a(python->bytes, object, bases[i].class)) {
            return bases[i].kind;
        }
    }
    if (!is_static(python, object->type)) {
        return JS_ASYNC_OTHER;
    }
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++) {
        if (strcmp(object->class_name, wrappers[i]) == 0) {
            return JS_ASYNC_WRAPPER;
        }
    }
    return js_generator_is(object) ? JS_ASYNC_GENERATOR : JS_ASYNC_OTHER;
}

js_async_kind js_async_kind_of(js_async_classes *classes, uint64_t address)
{
    js_python *python = classes->python;
    js_python_object object;
    uint64_t type;
    uint32_t kind;
    if (!address || address % 8 ||
        js_memory_read_word(&python->memory, address + python->offsets.object_type, &type)) {
        return JS_ASYNC_OTHER;
    }
    if (js_address_map_find(&classes->kinds, type, &kind)) {
        return (js_async_kind)kind;
    }
    if (js_object_read(python->bytes, address, &object)) {
        return JS_ASYNC_OTHER;
    }
    kind = classify(classes, &object);
    js_address_map_add(&classes->kinds, type, kind); /* without memory it is found again the next time */
    return (js_async_kind)kind;
}

bool js_async_is_gathering(const js_python_object *object)
{
    return strcmp(object->class_name, "asyncio.tasks._GatheringFuture") == 0;
}
