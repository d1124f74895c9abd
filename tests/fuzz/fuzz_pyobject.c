/* Reads any bytes as objects of the interpreter, whose classes are valid: the first byte is the version, the
 * other bytes are at OBJECTS and may point to the classes and to themselves. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bound.h"
#include "layouts/numba/boxed.h"
#include "values/api/render_api.h"
#include "values/base/rendering.h"
#include "values/base/value.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    CLASSES = 0x10000,
    CLASS_SIZE = 0x400,
    BASES = 0x3a0,
    NAMES = 0x380,
    OBJECTS = 0x20000,
    END = 4 << 20,
    BYTES_MAX = 32 << 20,
    CODED_MAX = 1024 /* calls of the target for one type of all */
};
static const uint64_t FLAG_HEAP = 1 << 9, FLAG_INLINE = 1 << 2, FLAG_MANAGED = 1 << 4, FLAG_CLASS = 1U << 31;

/* A class a place; the first is the class of all. */
static const char *const names[] = {
    "type",
    "NoneType",
    "ellipsis",
    "bool",
    "int",
    "float",
    "complex",
    "str",
    "bytes",
    "list",
    "bytearray",
    "object",
    "tuple",
    "set",
    "frozenset",
    "dict",
    "Heap",
    "numpy.ndarray",
    "collections.deque",
    "collections.OrderedDict",
    "collections.Counter",
    "dict_items",
    "array.array",
    "re.Pattern",
    "functools.partial",
    "itertools.count",
    "itertools.repeat",
    "method",
    "generator",
    "method-wrapper",
    "method_descriptor",
    "cell",
    "numpy.dtypes.Int64DType",
    "numpy.void",
    "numpy.random._generator.Generator",
    "Record",
};
enum { COUNT = sizeof names / sizeof names[0], HEAP = 16, TUPLE = 12, RECORD = COUNT - 1 };
static const uint64_t type_sizes[] = {880, 888, 904, 920, 928, 936};

typedef struct image {
    const uint8_t *classes; /* COUNT times CLASS_SIZE */
    const uint8_t *objects;
    size_t size;
} image;

static void put(uint8_t *at, size_t offset, uint64_t word)
{
    memcpy(at + offset, &word, sizeof word);
}

/* Offsets: Include/cpython/object.h; of attributes' keys, all versions' places. */
static const uint8_t *make_classes(unsigned version)
{
    static uint8_t *made[6];
    if (made[version]) {
        return made[version];
    }
    uint8_t *classes = made[version] = calloc(COUNT, CLASS_SIZE);
    for (unsigned i = 0; i < COUNT; i++) {
        uint8_t *class = classes + i * CLASS_SIZE;
        put(class, 0, 1);
        put(class, 8, CLASSES);
        put(class, 24, CLASSES + i * CLASS_SIZE + NAMES);
        put(class, 32, i ? 16 : type_sizes[version]);
        put(class, 40, i ? 8 : 40);
        put(class, 168,
            i == 0                     ? FLAG_CLASS
            : i == HEAP || i == RECORD ? FLAG_HEAP | FLAG_INLINE | FLAG_MANAGED
                                       : 0);
        put(class, 264, OBJECTS);
        put(class, 288, 16);
        put(class, 336, CLASSES + BASES);
        put(class, 864, OBJECTS + 16);
        put(class, 872, OBJECTS + 16);
        put(class, 880, OBJECTS + 16);
        strcpy((char *)class + NAMES, names[i]);
    }
    put(classes, BASES + 8, CLASSES + TUPLE * CLASS_SIZE); /* a tuple */
    put(classes, TUPLE * CLASS_SIZE + 32, version == 5 ? 32 : 24);
    return classes;
}

static int memory(void *context, uint64_t address, void *buffer, size_t size)
{
    const image *m = context;
    memset(buffer, 0, size);
    if (address >= CLASSES && address - CLASSES < COUNT * CLASS_SIZE &&
        size <= COUNT * CLASS_SIZE - (address - CLASSES)) {
        memcpy(buffer, m->classes + (address - CLASSES), size);
        return JS_OK;
    }
    if (address < OBJECTS || address >= END) {
        return JS_EFAULT;
    }
    size_t from = address - OBJECTS;
    if (from < m->size) {
        memcpy(buffer, m->objects + from, size < m->size - from ? size : m->size - from);
    }
    return JS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint64_t variable = OBJECTS;
    js_types *types;
    js_bytes bytes;
    if (size < 17 || js_types_create(&types)) {
        return 0;
    }
    image all = {make_classes(data[0] % 6), data + 1, size - 1};
    js_bytes_init_callback(&bytes, memory, &all);
    js_render_options options = bound_options(data, size);
    for (int json = 0; json < 2; json++) {
        char *text = NULL;
        bound_start(&bytes, data, size);
        js_api_render(types, &bytes, "pyobject", NULL, &variable, sizeof variable, NULL, &options, json,
                      &text, NULL);
        js_free(text);
        bound_check(&bytes, BYTES_MAX, CALLS);
    }
    char coded[64];
    bound_start(&bytes, data, size);
    bytes.effort = CODED_MAX * JS_CALL;
    js_boxed_coded(&bytes, OBJECTS, data[1], coded, sizeof coded); /* as the table of all types */
    bound_check(&bytes, BYTES_MAX, CODED_MAX);
    js_bytes_deinit(&bytes);
    js_types_destroy(types);
    return 0;
}
