/* Reads typed containers and jitclass instances from the interpreter's objects. Source:
 * numba/typed/typed{list,dict,set}.py, numba/core/runtime/_nrt_python.c (MemInfoObject),
 * numba/experimental/jitclass/{boxing.py,_box.c} (BoxObject). */
#include "layouts/numba/boxed.h"

#include <string.h>

#include "layouts/cpython/internal.h"

enum {
    BOX_MEMINFO = 16,
    MEMINFO_DESTRUCTOR = 8,
    MEMINFO_DATA = 24,
    MEMINFO_SIZE = 48,
    ALIGNED = 128, /* most bytes that alignment puts between a MemInfo and its data */
};

static const struct container {
    const char *class_name, *type;
} containers[] = {
    {"numba.typed.typedlist.List", "_list_type"},
    {"numba.typed.typeddict.Dict", "_dict_type"},
    {"numba.typed.typedset.Set", "_set_type"},
};

/* Read the attribute `name` of one of Numba's types. */
static int type_text(js_bytes *bytes, uint64_t address, char *out, size_t room)
{
    js_python_object type, attributes;
    int status = js_object_read(bytes, address, &type);
    status = status ? status : js_object_attributes(bytes, &type, &attributes);
    if (status) {
        return status;
    }
    uint64_t text = js_dict_find(bytes, &attributes, "name");
    return js_str_short(bytes, type.facts, text, out, room) ? JS_OK : JS_ENOTFOUND;
}

static int container(js_bytes *bytes, const js_python_object *object, const struct container *kind,
                     char *type, size_t room, uint64_t contents[2])
{
    js_python_object attributes, managed;
    uint64_t payload;
    int status = js_object_attributes(bytes, object, &attributes);
    status = status ? status : type_text(bytes, js_dict_find(bytes, &attributes, kind->type), type, room);
    status = status ? status : js_object_read(bytes, js_dict_find(bytes, &attributes, "_opaque"), &managed);
    if (status || !strstr(managed.class_name, "MemInfo")) {
        return status ? status : JS_ENOTFOUND;
    }
    status = js_bytes_read_word(bytes, js_object_member(&managed, BOX_MEMINFO), &contents[0]);
    status = status ? status : js_bytes_read_word(bytes, contents[0] + MEMINFO_DATA, &payload);
    return status ? status : js_bytes_read_word(bytes, payload, &contents[1]);
}

static int instance(js_bytes *bytes, const js_python_object *object, char *type, size_t room,
                    uint64_t contents[2])
{
    js_class_head class;
    js_python_object attributes = {.facts = object->facts, .kind = JS_OBJECT_DICT};
    int status = js_class_read(bytes, object->facts, object->type, &class);
    if (status) {
        return status;
    }
    attributes.address = js_class_word(&class, TYPE_DICT);
    status = attributes.address % 8 ? JS_EBAD : js_dict_read(bytes, &attributes);
    status = status ? status : type_text(bytes, js_dict_find(bytes, &attributes, "_numba_type_"), type, room);
    return status ? status : js_bytes_read(bytes, js_object_member(object, BOX_MEMINFO), contents, 16);
}

int js_boxed_read(js_bytes *bytes, const js_python_object *object, char *type, size_t room,
                  uint64_t contents[2])
{
    if (object->kind != JS_OBJECT_INSTANCE) {
        return JS_ENOTFOUND;
    }
    for (size_t i = 0; i < sizeof containers / sizeof containers[0]; i++) {
        if (strcmp(object->class_name, containers[i].class_name) == 0) {
            return container(bytes, object, &containers[i], type, room, contents);
        }
    }
    return strncmp(object->class_name, "numba.experimental.jitclass.boxing.", 35) == 0
               ? instance(bytes, object, type, room, contents)
               : JS_ENOTFOUND;
}

int js_boxed_meminfo(js_bytes *bytes, const js_python_object *object, uint64_t *out)
{
    char type[JS_OBJECT_NAME];
    uint64_t contents[2];
    int status;
    if (strstr(object->class_name, "MemInfo")) {
        return js_bytes_read_word(bytes, js_object_member(object, BOX_MEMINFO), out);
    }
    status = js_boxed_read(bytes, object, type, sizeof type, contents);
    if (status == JS_OK) {
        *out = contents[0];
    }
    return status;
}

int js_boxed_memory_read(js_bytes *bytes, uint64_t meminfo, js_boxed_memory *out)
{
    *out = (js_boxed_memory){0};
    int status = js_bytes_read_word(bytes, meminfo, &out->count);
    status = status ? status : js_bytes_read_word(bytes, meminfo + MEMINFO_DESTRUCTOR, &out->destructor);
    status = status ? status : js_bytes_read_word(bytes, meminfo + MEMINFO_DATA, &out->data);
    uint64_t apart = out->data - meminfo;
    out->block = status == JS_OK && apart >= MEMINFO_SIZE && apart <= MEMINFO_SIZE + ALIGNED ? meminfo : 0;
    return status;
}

bool js_boxed_is_freeing(const char *function)
{
    static const char *const starts[] = {"NRT_MemInfo_", "NRT_dealloc", "NRT_Free"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (strncmp(function, starts[i], strlen(starts[i])) == 0) {
            return true;
        }
    }
    return false;
}

int js_boxed_deferred(js_bytes *bytes, uint64_t address, char *type, size_t room)
{
    js_python_object object, attributes;
    int status = js_object_read(bytes, address, &object);
    if (status || strcmp(js_object_last_name(&object), "DeferredType") != 0) {
        return status ? status : JS_ENOTFOUND;
    }
    status = js_object_attributes(bytes, &object, &attributes);
    status = status ? status : type_text(bytes, js_dict_find(bytes, &attributes, "_define"), type, room);
    return status ? status : strncmp(type, "instance.jitclass.", 18) == 0 ? JS_OK : JS_ENOTFOUND;
}
