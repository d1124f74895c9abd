/* What the readers of CPython's objects share. Offsets here and in them:
 * Include/cpython/{object,unicodeobject,longintrepr,setobject}.h, Include/internal/pycore_{dict,object}.h of
 * CPython 3.9 to 3.14. */
#ifndef JS_LAYOUTS_CPYTHON_INTERNAL_H
#define JS_LAYOUTS_CPYTHON_INTERNAL_H

#include "layouts/cpython/object.h"

enum version { PY_3_9, PY_3_10, PY_3_11, PY_3_12, PY_3_13, PY_3_14 };

struct js_object_facts {
    uint64_t type_size; /* the class's type.__basicsize__; 0: any */
    enum version version;
    uint64_t cached_keys; /* in a class: the keys of its instances' attributes */
};

/* Offsets that are the same in all of them. */
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
    TYPE_HEAD = 344, /* bytes of it that are read */
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

/* The start of a class, as it is in memory. */
typedef struct js_class_head {
    uint8_t bytes[TYPE_HEAD];
} js_class_head;

/* class_head.c */
uint64_t js_class_word(const js_class_head *type, unsigned offset);
int js_class_read(js_bytes *bytes, uint64_t address, js_class_head *out);
/* Which version this is, from any class. */
int js_class_facts(js_bytes *bytes, uint64_t type, const js_object_facts **out);
/* class.c */
/* "module.name", or "name" where that is all there is. */
int js_class_name(js_bytes *bytes, const js_object_facts *facts, uint64_t address, const js_class_head *type,
                  char out[JS_OBJECT_NAME], size_t *module);
/* An attribute of a class, from the classes of its instances' __mro__ that keep theirs in a dict; 0: none.
 * `owner`, if not NULL: the class that has it. */
uint64_t js_class_find(js_bytes *bytes, const js_object_facts *facts, uint64_t type, const char *name,
                       uint64_t *owner);
/* The name, with its module, of the class that has the __repr__ of this one's instances. */
int js_class_writer(js_bytes *bytes, const js_object_facts *facts, uint64_t type, char out[JS_OBJECT_NAME]);
/* contents.c: where the contents of a builtin lie, by its kind. */
int js_builtin_contents(js_bytes *bytes, js_python_object *object);

/* str.c: length, width and data of the str that `object` says is there */
int js_str_read(js_bytes *bytes, js_python_object *object);
/* A short ASCII str; false where it is none. */
bool js_str_short(js_bytes *bytes, const js_object_facts *facts, uint64_t address, char *out, size_t room);

/* dict.c: length, slots and where they are, of the dict that `object` says is there */
int js_dict_read(js_bytes *bytes, js_python_object *object);
/* dict[key] for a short ASCII key; 0 when it is not there. */
uint64_t js_dict_find(js_bytes *bytes, const js_python_object *dict, const char *name);

/* known.c, times.c: where what repr() says of an object lies. */
typedef struct js_knowing {
    js_bytes *bytes;
    const js_python_object *object;
    js_object_known *out;
} js_knowing;

static inline int js_know_word(const js_knowing *self, unsigned offset, uint64_t *out)
{
    return js_bytes_read_word(self->bytes, self->object->address + offset, out);
}

static inline int js_know_words(const js_knowing *self, js_object_form form, unsigned offset, unsigned count)
{
    self->out->form = form;
    return js_bytes_read(self->bytes, self->object->address + offset, self->out->fields, (size_t)count * 8);
}

/* templates.c, library.c */
bool js_know_template(const js_knowing *self, const char *class_name);
/* numpy.c: false: none of its. */
bool js_know_numpy(const js_knowing *self, int *status);
int js_know_deque(const js_knowing *self);
int js_know_ordered(const js_knowing *self);
int js_know_counter(const js_knowing *self);
int js_know_view(const js_knowing *self);
int js_know_buffer(const js_knowing *self);
int js_know_pattern(const js_knowing *self);
int js_know_uuid(const js_knowing *self);
int js_know_path(const js_knowing *self);
int js_know_simple(const js_knowing *self);
int js_know_file(const js_knowing *self);
int js_know_typevar(const js_knowing *self);

int js_know_date(const js_knowing *self);
int js_know_time(const js_knowing *self);
int js_know_datetime(const js_knowing *self);
int js_know_timedelta(const js_knowing *self);
int js_know_timezone(const js_knowing *self);
#endif
