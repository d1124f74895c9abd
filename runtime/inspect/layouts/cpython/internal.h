/* What the readers of CPython's objects share: offsets, and functions that read classes, texts and dicts.
 * Internal to layouts/cpython/. Source of the offsets here and in those files:
 * Include/cpython/{object,unicodeobject,longintrepr,setobject}.h and Include/internal/pycore_{dict,object}.h
 * of CPython 3.9 to 3.15. */
#ifndef JS_LAYOUTS_CPYTHON_INTERNAL_H
#define JS_LAYOUTS_CPYTHON_INTERNAL_H

#include "layouts/cpython/object.h"

enum version { PY_3_9, PY_3_10, PY_3_11, PY_3_12, PY_3_13, PY_3_14, PY_3_15 };

/* Facts about one version of CPython. A target's version is found by the size of its class `type`. */
struct js_object_facts {
    uint64_t type_size; /* type.__basicsize__ of the version */
    enum version version;
    uint64_t cached_keys; /* offset, in a class, of the keys of its instances' attributes */
    unsigned shift;       /* bytes that each member lies further than with a GIL (js_object_member) */
};

/* Bytes that the head of an object is longer in a free-threaded build. Include/object.h, with a GIL:
 * {reference count, type @8}; without: {thread, flags …, references of that thread @12, of others @16,
 * type @24}. */
enum { FREE_THREADED_SHIFT = 16 };

/* Offsets that all of these versions have, with a GIL. */
enum {
    OBJECT_TYPE = 8,
    VAR_SIZE = 16,
    VAR_ITEMS = 24,
    TYPE_NAME = 24,
    TYPE_BASICSIZE = 32,
    TYPE_ITEMSIZE = 40,
    TYPE_REPR = 88,
    TYPE_FLAGS = 168,
    TYPE_BASE = 256,
    TYPE_DICT = 264,
    TYPE_DICTOFFSET = 288,
    TYPE_BASES = 336,
    TYPE_HEAD = 344, /* number of bytes of a class that are read */
    TYPE_MRO = 344,
};

enum flags {
    FLAG_INLINE_VALUES = 1 << 2,
    FLAG_MANAGED_DICT = 1 << 4,
    FLAG_HEAP = 1 << 9,
    FLAG_TUPLE = 1 << 26,
    FLAG_DICT = 1 << 29,
    FLAG_EXCEPTION = 1 << 30,
};
static const uint64_t FLAG_CLASS = (uint64_t)1 << 31;

/* The first bytes of a class, at the offsets that they have with a GIL. */
typedef struct js_class_head {
    uint8_t bytes[TYPE_HEAD];
} js_class_head;

/* class_head.c */
/* Return the word at an offset of a class's first bytes. */
uint64_t js_class_word(const js_class_head *type, unsigned offset);
int js_class_read(js_bytes *bytes, const js_object_facts *facts, uint64_t address, js_class_head *out);
/* Find the facts about the target's version of CPython, from any class; `is_free_threaded`: of a build
 * without a GIL. */
int js_class_facts(js_bytes *bytes, uint64_t type, bool is_free_threaded, const js_object_facts **out);
/* class.c */
/* Give the name of a class, "module.name", or "name" if its module is not known or a builtin's; *module:
 * bytes of the module and its dot. */
int js_class_name(js_bytes *bytes, const js_object_facts *facts, uint64_t address, const js_class_head *type,
                  char out[JS_OBJECT_NAME], size_t *module);
/* Return the address of an attribute of a class, looked up in the dicts of the classes of its __mro__; 0:
 * none has it. *owner, unless `owner` is NULL: the class that has it. */
uint64_t js_class_find(js_bytes *bytes, const js_object_facts *facts, uint64_t type, const char *name,
                       uint64_t *owner);
/* Give the name, with its module, of the class whose __repr__ instances of this one have. */
int js_class_writer(js_bytes *bytes, const js_object_facts *facts, uint64_t type, char out[JS_OBJECT_NAME]);
/* contents.c: Find the contents of an object of a builtin class, by its kind. */
int js_builtin_contents(js_bytes *bytes, js_python_object *object);

/* str.c: Find length, width and data of the str at object->address. */
int js_str_read(js_bytes *bytes, js_python_object *object);
/* Read a str of ASCII shorter than `room`. False: it is no such str. */
bool js_str_short(js_bytes *bytes, const js_object_facts *facts, uint64_t address, char *out, size_t room);

/* dict.c: Find length, slots and their place of the dict at object->address. */
int js_dict_read(js_bytes *bytes, js_python_object *object);
/* Return the address of dict[name], for a name of ASCII; 0: the dict does not have it. */
uint64_t js_dict_find(js_bytes *bytes, const js_python_object *dict, const char *name);

/* known.c, times.c: find where an object has what its repr() says. */
typedef struct js_form_search {
    js_bytes *bytes;
    const js_python_object *object;
    js_object_known *out;
} js_form_search;

/* Read the word at an offset of the object. */
static inline int js_know_word(const js_form_search *self, unsigned offset, uint64_t *out)
{
    return js_bytes_read_word(self->bytes, js_object_member(self->object, offset), out);
}

/* Set the form, and read `count` words at an offset of the object into its fields. */
static inline int js_know_words(const js_form_search *self, js_object_form form, unsigned offset,
                                unsigned count)
{
    self->out->form = form;
    return js_bytes_read(self->bytes, js_object_member(self->object, offset), self->out->fields,
                         (size_t)count * 8);
}

/* templates.c, library.c: one function for each class or family of classes; each fills in self->out, and
 * returns a status. js_know_template: true if the class has a template. */
bool js_know_template(const js_form_search *self, const char *class_name);
/* numpy.c: True if the object is one of NumPy's; *status is then the result. */
bool js_know_numpy(const js_form_search *self, int *status);
int js_know_deque(const js_form_search *self);
int js_know_ordered(const js_form_search *self);
int js_know_counter(const js_form_search *self);
int js_know_view(const js_form_search *self);
int js_know_buffer(const js_form_search *self);
int js_know_pattern(const js_form_search *self);
int js_know_uuid(const js_form_search *self);
int js_know_path(const js_form_search *self);
int js_know_simple(const js_form_search *self);
int js_know_lock(const js_form_search *self);
int js_know_file(const js_form_search *self);
int js_know_typevar(const js_form_search *self);

/* times.c: likewise for dates and times. */
int js_know_date(const js_form_search *self);
int js_know_time(const js_form_search *self);
int js_know_datetime(const js_form_search *self);
int js_know_timedelta(const js_form_search *self);
int js_know_timezone(const js_form_search *self);
#endif
