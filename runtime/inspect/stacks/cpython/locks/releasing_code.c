/* Source: Include/cpython/funcobject.h, code.h and classobject.h of CPython 3.9 to 3.15. Code is not followed
 * from call to call, because a call does not say which function it reaches: all code that could be reached is
 * looked at. */
#include "stacks/cpython/locks/releasing_code.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"
#include "layouts/cpython/object.h"
#include "stacks/cpython/interpreter.h"
#include "stacks/cpython/modules/modules.h"
#include "stacks/cpython/object.h"
#include "stacks/cpython/symbols.h"

enum {
    MAX_NAMES = 1 << 12,
    MAX_CONSTANTS = 1 << 12,
    MAX_SLOTS = 1 << 13,   /* names of one module or class, and modules */
    MAX_OBJECTS = 1 << 15, /* objects that are looked at, of all kinds */
    FIRST = 16,            /* PyFunctionObject.func_globals; 3.9: func_code; PyMethodObject.im_func */
    SECOND = 24,           /* 3.9: func_globals */
    CODE = 48,             /* func_code, >= 3.10 */
    METHOD_SELF = 24,      /* PyCFunctionObject.m_self, PyMethodObject.im_self */
    CONSTANTS = 8,         /* co_consts stands so many bytes before co_names */
};

typedef struct release_search {
    js_python *python;
    uint64_t lock;
    js_address_map seen; /* addresses of objects that were looked at, or that will be */
    uint64_t *waiting;   /* objects that are still to be looked at */
    size_t count, capacity;
    bool is_found;
} release_search;

int js_code_names_release(js_python *python, uint64_t code, bool *out)
{
    char name[JS_PYTHON_NAME_LIMIT + 4];
    js_python_object names;
    uint64_t address, unused;
    size_t length;
    *out = false;
    int status = js_memory_read_word(&python->memory, code + python->offsets.code_names, &address);
    status = status ? status : js_object_read(python->bytes, address, &names);
    if (status || names.kind != JS_OBJECT_TUPLE || names.length > MAX_NAMES) {
        return status ? status : JS_EBAD;
    }
    for (uint64_t i = 0; i < names.length && status == JS_OK && !*out; i++) {
        status = js_object_item(python->bytes, &names, i, &address, &unused);
        status =
            status ? status : js_python_read_str(&python->memory, &python->offsets, address, name, &length);
        *out = status == JS_OK && (strcmp(name, "release") == 0 || strcmp(name, "__exit__") == 0 ||
                                   strcmp(name, "__aexit__") == 0);
    }
    return status;
}

/* Look at this object later, unless it is known. */
static int add(release_search *self, uint64_t address)
{
    int added = address ? js_address_map_add(&self->seen, address, 0) : 1;
    if (added) {
        return added < 0 ? added : JS_OK;
    }
    uint64_t *grown = self->seen.count > MAX_OBJECTS
                          ? NULL
                          : js_vector_reserve(self->waiting, &self->capacity, self->count + 1, sizeof *grown);
    if (!grown) {
        return JS_ELIMIT;
    }
    self->waiting = grown;
    grown[self->count++] = address;
    return JS_OK;
}

static int add_member(release_search *self, uint64_t object, uint64_t offset)
{
    uint64_t address;
    int status =
        js_memory_read_word(&self->python->memory, js_python_member(self->python, object, offset), &address);
    return status ? status : add(self, address);
}

/* Look at the values of a dict, or the items of a tuple, later. */
static int add_items(release_search *self, const js_python_object *container)
{
    uint64_t key, value;
    bool is_dict = container->kind == JS_OBJECT_DICT;
    int status = container->slots > MAX_SLOTS ? JS_ELIMIT : JS_OK;
    for (uint64_t i = 0; i < container->slots && status == JS_OK; i++) {
        status = js_object_item(self->python->bytes, container, i, &key, &value);
        status = status ? status : add(self, is_dict ? value : key);
    }
    return status;
}

static int look_at_code(release_search *self, uint64_t address)
{
    const js_python_code *code;
    js_python_object constants;
    uint64_t place;
    int status = js_python_find_code(self->python, address, &code);
    if (status || js_cpython_is_installed(code->file)) {
        return status;
    }
    status = js_code_names_release(self->python, address, &self->is_found);
    status = status ? status
                    : js_memory_read_word(&self->python->memory,
                                          address + self->python->offsets.code_names - CONSTANTS, &place);
    status = status ? status : js_object_read(self->python->bytes, place, &constants);
    return status || constants.kind != JS_OBJECT_TUPLE ? status : add_items(self, &constants);
}

static int look_at_function(release_search *self, uint64_t address)
{
    bool is_old = self->python->offsets.version == JS_PYTHON_3_9;
    const js_python_code *code;
    uint64_t place;
    int status = js_memory_read_word(&self->python->memory,
                                     js_python_member(self->python, address, is_old ? FIRST : CODE), &place);
    status = status ? status : js_python_find_code(self->python, place, &code);
    if (status || js_cpython_is_installed(code->file)) {
        return status;
    }
    status = add(self, place);
    return status ? status : add_member(self, address, is_old ? SECOND : FIRST);
}

/* Read the name of a module; "": it is not ASCII, or long. */
static void read_name(const release_search *self, const js_python_object *module, char *out, size_t room)
{
    js_python_object name;
    uint64_t address = js_object_attribute(self->python->bytes, module, "__name__");
    if (!address || js_object_read(self->python->bytes, address, &name) ||
        !js_object_short(self->python->bytes, &name, out, room)) {
        *out = '\0';
    }
}

/* True for a module of the program: its file is not in the library or an installed package, or it is __main__
 * of `python -c` or of a notebook, which has no file. jitscope's own need not be installed. */
static bool is_of_program(const release_search *self, const js_python_object *module)
{
    char path[JS_PYTHON_NAME_LIMIT + 4], name[256];
    size_t length;
    uint64_t file = js_object_attribute(self->python->bytes, module, "__file__");
    read_name(self, module, name, sizeof name);
    if (!file) {
        return strcmp(name, "__main__") == 0;
    }
    return strcmp(name, "jitscope") != 0 && strncmp(name, "jitscope.", 9) != 0 &&
           js_python_read_str(&self->python->memory, &self->python->offsets, file, path, &length) == JS_OK &&
           !js_cpython_is_installed(path);
}

/* Look at a module of the program. */
static int look_at_module(release_search *self, const js_python_object *module)
{
    js_python_object dict;
    int status =
        is_of_program(self, module) ? js_object_attributes(self->python->bytes, module, &dict) : JS_ENOTFOUND;
    return status == JS_ENOTFOUND ? JS_OK : status ? status : add(self, dict.address);
}

static int look_at_class(release_search *self, const js_python_object *class)
{
    js_python_object dict;
    int status = js_object_attributes(self->python->bytes, class, &dict);
    return status == JS_ENOTFOUND ? JS_OK : status ? status : add_items(self, &dict);
}

/* Look at the object of a bound method, which may be the lock. PyCFunctionObject and PyMethodObject have it
 * in the same place. */
static int look_at_self(release_search *self, uint64_t address)
{
    uint64_t of;
    int status =
        js_memory_read_word(&self->python->memory, js_python_member(self->python, address, METHOD_SELF), &of);
    self->is_found |= status == JS_OK && of == self->lock;
    return status;
}

static int look_at(release_search *self, uint64_t address)
{
    static const char *const wrappers[] = {"staticmethod", "classmethod", "method"};
    js_python_object object;
    int status = js_object_read(self->python->bytes, address, &object);
    if (status) {
        return status;
    }
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++) {
        if (strcmp(object.class_name, wrappers[i]) == 0) {
            status = strcmp(wrappers[i], "method") == 0 ? look_at_self(self, address) : JS_OK;
            return status ? status : add_member(self, address, FIRST);
        }
    }
    bool is_container =
        object.kind == JS_OBJECT_DICT || object.kind == JS_OBJECT_TUPLE || object.kind == JS_OBJECT_LIST;
    if (is_container) {
        return add_items(self, &object);
    }
    if (object.kind == JS_OBJECT_CLASS) {
        return look_at_class(self, &object);
    }
    if (strcmp(object.class_name, "function") == 0) {
        return look_at_function(self, address);
    }
    if (strcmp(object.class_name, "code") == 0) {
        return look_at_code(self, address);
    }
    if (strcmp(object.class_name, "module") == 0) {
        return look_at_module(self, &object);
    }
    if (strcmp(object.class_name, "builtin_function_or_method") == 0) {
        return look_at_self(self, address);
    }
    return object.kind == JS_OBJECT_INSTANCE ? add(self, object.type) : JS_OK;
}

bool js_may_release(js_python *python, uint64_t lock, uint64_t globals)
{
    release_search self = {.python = python, .lock = lock};
    js_python_object modules;
    int status = js_python_list_modules(python, &modules);
    status = status ? status : add(&self, modules.address);
    status = status ? status : add(&self, globals);
    while (self.count && status == JS_OK && !self.is_found) {
        status = look_at(&self, self.waiting[--self.count]);
    }
    free(self.waiting);
    js_address_map_deinit(&self.seen);
    return status || self.is_found;
}
