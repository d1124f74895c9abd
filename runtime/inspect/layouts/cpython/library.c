/* Finds how repr() of objects of the standard library is written. Source:
 * Modules/{_collections,array,_ctypes/_ctypes}module.c, Modules/_sre/sre.h, Objects/odictobject.c,
 * Modules/_threadmodule.c, Lib/{uuid,pathlib}.py of CPython 3.9 to 3.15. */
#include "layouts/cpython/internal.h"

#include <stdio.h>
#include <string.h>

/* {size @16, first block @24, last block @32, index in the first @40, …, maxlen @64} */
int js_know_deque(const js_form_search *self)
{
    uint64_t fields[7];
    int status = js_bytes_read(self->bytes, js_object_member(self->object, 16), fields, sizeof fields);
    self->out->form = JS_FORM_DEQUE;
    self->out->data = fields[1];
    self->out->numbers[0] = (int64_t)fields[0];
    self->out->numbers[1] = (int64_t)fields[3];
    self->out->numbers[2] = (int64_t)fields[6];
    return status ? status : fields[3] >= JS_DEQUE_BLOCK ? JS_EBAD : JS_OK;
}

/* A dict, then {first node @48, …}. */
int js_know_ordered(const js_form_search *self)
{
    self->out->form = JS_FORM_ORDERED;
    self->out->numbers[0] = self->object->facts->version >= PY_3_12; /* as a dict, not as pairs */
    return js_know_word(self, 48, &self->out->data);
}

int js_know_counter(const js_form_search *self)
{
    self->out->form = JS_FORM_COUNTER;
    return JS_OK;
}

/* {dict @16} */
int js_know_view(const js_form_search *self)
{
    const char *part = strchr(self->object->class_name, '_');
    self->out->numbers[0] = part && strcmp(part, "_keys") == 0     ? JS_VIEW_KEYS
                            : part && strcmp(part, "_values") == 0 ? JS_VIEW_VALUES
                                                                   : JS_VIEW_ITEMS;
    return js_know_words(self, JS_FORM_VIEW, 16, 1);
}

/* {size @16, items @24, allocated, {char typecode, …} @40} */
int js_know_buffer(const js_form_search *self)
{
    uint64_t fields[4];
    int status = js_bytes_read(self->bytes, js_object_member(self->object, 16), fields, sizeof fields);
    self->out->form = JS_FORM_BUFFER;
    self->out->numbers[0] = (int64_t)fields[0];
    self->out->data = fields[1];
    self->out->text[1] = '\0';
    return status ? status : js_bytes_read(self->bytes, fields[3], self->out->text, 1);
}

/* {…, pattern @48, int flags @56} */
int js_know_pattern(const js_form_search *self)
{
    uint32_t flags;
    int status = js_bytes_read(self->bytes, js_object_member(self->object, 56), &flags, sizeof flags);
    self->out->numbers[0] = flags;
    return status ? status : js_know_words(self, JS_FORM_PATTERN, 48, 1);
}

int js_know_uuid(const js_form_search *self)
{
    self->out->form = JS_FORM_UUID;
    self->out->fields[0] = js_object_attribute(self->bytes, self->object, "int");
    return self->out->fields[0] ? JS_OK : JS_EBAD;
}

/* Find a path: its text, if the program has asked for it, or its parts. */
int js_know_path(const js_form_search *self)
{
    bool is_windows = strstr(self->object->class_name, "Windows") != NULL;
    self->out->form = JS_FORM_PATH;
    self->out->fields[0] = js_object_attribute(self->bytes, self->object, "_str");
    if (!self->out->fields[0] && !is_windows) {
        const char *parts = self->object->facts->version < PY_3_12 ? "_parts" : "_raw_paths";
        self->out->fields[1] = js_object_attribute(self->bytes, self->object, parts);
    }
    self->out->numbers[0] = is_windows;
    return self->out->fields[0] || self->out->fields[1] ? JS_OK : JS_EBAD;
}

/* {address of the contents @16}; the class has a letter in _type_. */
int js_know_simple(const js_form_search *self)
{
    uint64_t letter = js_class_find(self->bytes, self->object->facts, self->object->type, "_type_", NULL);
    js_class_head class;
    char base[24];
    if (js_class_read(self->bytes, self->object->facts, self->object->type, &class) ||
        js_class_read(self->bytes, self->object->facts, js_class_word(&class, TYPE_BASE), &class) ||
        js_bytes_read_string(self->bytes, js_class_word(&class, TYPE_NAME), sizeof base, base) ||
        strcmp(base, "_ctypes._SimpleCData") != 0 ||
        !js_str_short(self->bytes, self->object->facts, letter, self->out->text, 2)) {
        return JS_EUNSUP; /* a subclass: it is not known what its value is, and where */
    }
    self->out->form = JS_FORM_SIMPLE;
    return js_know_word(self, 16, &self->out->data);
}

/* Modules/_threadmodule.c, lockobject: {semaphore @16, weak references, char locked @32}, or in later
 * releases of 3.13 and since 3.14 {PyMutex @16}; rlockobject: {semaphore @16, owner @24, count @32, weak
 * references}, or since 3.14 {PyMutex @16, owner @24, level @32}. The size of the class tells them apart. */
int js_object_lock_read(js_bytes *bytes, const js_python_object *object, js_object_lock *out)
{
    enum { PLACE = 16, OWNER = 24, LOCKED = 32, COUNT = 32, MUTEX_LOCKED = 1 };
    enum { LOCK = 40, MUTEX_LOCK = 24, RLOCK = 48, MUTEX_RLOCK = 40 };
    js_class_head type;
    uint8_t byte;
    uint64_t count;
    bool is_lock = strcmp(object->class_name, "_thread.lock") == 0;
    if (!is_lock && strcmp(object->class_name, "_thread.RLock") != 0) {
        return JS_ENOTFOUND;
    }
    int status = js_class_read(bytes, object->facts, object->type, &type);
    uint64_t size = status ? 0 : js_class_word(&type, TYPE_BASICSIZE) - object->facts->shift;
    *out = (js_object_lock){.place = js_object_member(object, PLACE), .is_reentrant = !is_lock};
    out->has_mutex = size == (is_lock ? MUTEX_LOCK : MUTEX_RLOCK);
    if (status || (!out->has_mutex && size != (is_lock ? LOCK : RLOCK))) {
        return status ? status : JS_EBAD;
    }
    if (out->has_mutex) {
        status = js_bytes_read(bytes, out->place, &byte, 1);
        out->is_locked = status == JS_OK && byte & MUTEX_LOCKED;
    } else if (is_lock) {
        status = js_bytes_read(bytes, js_object_member(object, LOCKED), &byte, 1);
        out->is_locked = status == JS_OK && byte == 1;
    } else {
        status = js_bytes_read_word(bytes, js_object_member(object, COUNT), &count);
        out->is_locked = status == JS_OK && count;
    }
    return status || is_lock ? status
                             : js_bytes_read_word(bytes, js_object_member(object, OWNER), &out->owner);
}

int js_know_lock(const js_form_search *self)
{
    js_object_lock lock;
    int status = js_object_lock_read(self->bytes, self->object, &lock);
    if (status) {
        return status;
    }
    self->out->form = JS_FORM_TEXT;
    snprintf(self->out->text, sizeof self->out->text, "<%s _thread.lock object at 0x%llx>",
             lock.is_locked ? "locked" : "unlocked", (unsigned long long)self->object->address);
    return JS_OK;
}

/* Modules/_io/fileio.c (fileio): the descriptor @16, bits @20; 3.15 has inserted the one of truncation */
int js_know_file(const js_form_search *self)
{
    enum {
        CREATED = 1,
        READABLE = 2,
        WRITABLE = 4,
        APPENDING = 8,
        CLOSES = 64,
        TRUNCATES_3_15 = 64,
        CLOSES_3_15 = 128
    };
#define FILE_OF(mode)                                                                                        \
    {                                                                                                        \
        "<_io.FileIO name={.name} mode='" mode "' closefd=False>",                                           \
            "<_io.FileIO name={.name} mode='" mode "' closefd=True>"                                         \
    }
    static const char *const modes[][2] = {FILE_OF("xb"), FILE_OF("xb+"), FILE_OF("ab"),  FILE_OF("ab+"),
                                           FILE_OF("wb"), FILE_OF("rb"),  FILE_OF("rb+"), FILE_OF("wb+")};
#undef FILE_OF
    uint64_t word;
    int status = js_know_word(self, 16, &word);
    if (status) {
        return status;
    }
    unsigned bits = (unsigned)(word >> 32);
    bool has_truncation = self->object->facts->version >= PY_3_15;
    unsigned truncates = has_truncation && bits & WRITABLE ? bits & TRUNCATES_3_15 : 0;
    if ((int32_t)word < 0) {
        self->out->form = JS_FORM_TEXT;
        snprintf(self->out->text, sizeof self->out->text, "<_io.FileIO [closed]>");
        return JS_OK;
    }
    unsigned mode = bits & CREATED     ? (bits & READABLE) != 0
                    : bits & APPENDING ? 2 + ((bits & READABLE) != 0)
                    : bits & READABLE  ? 5 + ((bits & WRITABLE) != 0) + (truncates != 0)
                                       : 4;
    self->out->form = JS_FORM_TEMPLATE;
    self->out->words = modes[mode][(bits & (has_truncation ? CLOSES_3_15 : CLOSES)) != 0];
    return JS_OK;
}

static bool is_set(const js_form_search *self, const char *name)
{
    js_python_object found;
    return js_object_read(self->bytes, js_object_attribute(self->bytes, self->object, name), &found) ==
               JS_OK &&
           found.kind == JS_OBJECT_BOOL && found.length;
}

/* Lib/typing.py until 3.11, Objects/typevarobject.c since */
int js_know_typevar(const js_form_search *self)
{
    if (self->object->facts->version >= PY_3_12) {
        self->out->form = JS_FORM_NONE;
        js_know_template(self, self->object->class_name);
        return JS_OK;
    }
    self->out->form = JS_FORM_TEMPLATE;
    self->out->words = is_set(self, "__covariant__")       ? "+{=.__name__}"
                       : is_set(self, "__contravariant__") ? "-{=.__name__}"
                                                           : "~{=.__name__}";
    return JS_OK;
}
