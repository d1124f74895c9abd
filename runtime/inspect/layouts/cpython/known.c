/* Finds how repr() of an object is written, and where its parts are, for the classes that are known. Source:
 * Include/funcobject.h, Objects/{range,slice,module,method,exceptions,descr}object.c,
 * Modules/_collectionsmodule.c, Modules/_decimal/libmpdec/mpdecimal.h, Lib/{enum,dataclasses,fractions}.py of
 * CPython 3.9 to 3.15, numpy/_core/include/numpy/arrayscalars.h of NumPy 1.x and 2.x,
 * numba/core/{dispatcher,ccallback}.py. */
#include "layouts/cpython/internal.h"

#include <stdio.h>
#include <string.h>

/* ---- classes of the interpreter ---- */

static int range(const js_form_search *self)
{
    return js_know_words(self, JS_FORM_RANGE, 16, 3);
}

static int slice(const js_form_search *self)
{
    return js_know_words(self, JS_FORM_SLICE, 16, 3);
}

static int holder(const js_form_search *self)
{
    return js_know_words(self, JS_FORM_HOLDER, 16, 1);
}

static int defaultdict(const js_form_search *self)
{
    return js_know_words(self, JS_FORM_DEFAULTDICT, 48, 1);
}

static int function(const js_form_search *self)
{
    return js_know_words(self, JS_FORM_FUNCTION, self->object->facts->version == PY_3_9 ? 104 : 40, 1);
}

/* m_ml, m_self; PyMethodDef begins with its name. */
static int builtin(const js_form_search *self)
{
    uint64_t definition, name;
    js_python_object holds;
    int status = js_know_word(self, 16, &definition);
    status = status ? status : js_bytes_read_word(self->bytes, definition, &name);
    status =
        status ? status : js_bytes_read_string(self->bytes, name, sizeof self->out->text, self->out->text);
    for (const char *at = self->out->text; status == JS_OK && *at; at++) {
        status = *at > ' ' && *at < 0x7f ? JS_OK : JS_EBAD;
    }
    status = status ? status : js_know_words(self, JS_FORM_BUILTIN, 24, 1);
    if (status == JS_OK && self->out->fields[0] &&
        js_object_read(self->bytes, self->out->fields[0], &holds) == JS_OK &&
        strcmp(holds.class_name, "module") == 0) {
        self->out->fields[0] = 0;
    }
    return status;
}

static int module(const js_form_search *self)
{
    js_python_object names = {.facts = self->object->facts, .kind = JS_OBJECT_DICT}, spec, is_file;
    int status = js_know_word(self, 16, &names.address);
    status = status ? status : names.address % 8 ? JS_EBAD : js_dict_read(self->bytes, &names);
    if (status) {
        return status;
    }
    self->out->form = JS_FORM_MODULE;
    self->out->fields[0] = js_dict_find(self->bytes, &names, "__name__");
    self->out->fields[1] = js_dict_find(self->bytes, &names, "__file__");
    uint64_t from = js_dict_find(self->bytes, &names, "__spec__");
    if (from && js_object_read(self->bytes, from, &spec) == JS_OK && spec.kind == JS_OBJECT_INSTANCE) {
        self->out->fields[2] = js_object_attribute(self->bytes, &spec, "origin");
        /* ModuleSpec.has_location (importlib/_bootstrap.py): frozen modules have a __file__ although it is
         * false. */
        uint64_t has_location = js_object_attribute(self->bytes, &spec, "_set_fileattr");
        if (has_location && js_object_read(self->bytes, has_location, &is_file) == JS_OK &&
            is_file.kind == JS_OBJECT_BOOL && !is_file.length) {
            self->out->fields[1] = 0;
        }
    }
    return JS_OK;
}

/* PyDecObject {hash @16, mpd_t {flags @24, exp @32, digits @40, len @48, alloc @56, data @64}} */
static int decimal(const js_form_search *self)
{
    uint64_t fields[6];
    self->out->form = JS_FORM_DECIMAL;
    int status = js_bytes_read(self->bytes, js_object_member(self->object, 24), fields, sizeof fields);
    if (status) {
        return status;
    }
    self->out->numbers[0] = (int64_t)(fields[0] & 0xff);
    for (unsigned i = 1; i < 4; i++) {
        self->out->numbers[i] = (int64_t)fields[i];
    }
    self->out->data = fields[5];
    return JS_OK;
}

static int fraction(const js_form_search *self)
{
    self->out->form = JS_FORM_FRACTION;
    self->out->fields[0] = js_object_attribute(self->bytes, self->object, "_numerator");
    self->out->fields[1] = js_object_attribute(self->bytes, self->object, "_denominator");
    return self->out->fields[0] && self->out->fields[1] ? JS_OK : JS_EBAD;
}

static int text(const js_form_search *self, const char *said)
{
    self->out->form = JS_FORM_TEXT;
    snprintf(self->out->text, sizeof self->out->text, "%s", said);
    return JS_OK;
}

static int not_implemented(const js_form_search *self)
{
    return text(self, "NotImplemented");
}

static int memory(const js_form_search *self)
{
    char said[32];
    snprintf(said, sizeof said, "<memory at 0x%llx>", (unsigned long long)self->object->address);
    return text(self, said);
}

/* ---- classes of NumPy ---- */

/* Read a NumPy scalar: its number follows the object's head; a time has its unit after the number. */
static int scalar(const js_form_search *self, const char *name)
{
    static const char *const units[] = {"Y",  "M",  "W",  "",   "D",  "h",  "m", "s",
                                        "ms", "us", "ns", "ps", "fs", "as", ""};
    static const char *const plain[] = {
        "int8",    "int16",   "int32",   "int64",     "uint8",      "uint16", "uint32",   "uint64",
        "float16", "float32", "float64", "complex64", "complex128", "bool",   "float128", "complex256"};
    static const char *const platform[][2] = {
        {"longlong", "int64"},        {"ulonglong", "uint64"}, {"intc", "int32"},
        {"uintc", "uint32"},          {"bool_", "bool"},       {"longdouble", "float128"},
        {"clongdouble", "complex256"}};
    self->out->data = js_object_member(self->object, 16);
    self->out->form = JS_FORM_SCALAR;
    for (size_t i = 0; i < sizeof platform / sizeof platform[0]; i++) {
        name = strcmp(name, platform[i][0]) == 0 ? platform[i][1] : name;
    }
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        if (strcmp(name, plain[i]) == 0) {
            snprintf(self->out->text, sizeof self->out->text, "%s", name);
            return JS_OK;
        }
    }
    if (strcmp(name, "datetime64") == 0 || strcmp(name, "timedelta64") == 0) {
        int32_t unit[2]; /* base, num */
        int status = js_bytes_read(self->bytes, js_object_member(self->object, 24), unit, sizeof unit);
        bool is_known = status == JS_OK && unit[0] >= 0 && (size_t)unit[0] < sizeof units / sizeof units[0] &&
                        unit[1] > 0;
        if (is_known && unit[1] > 1) {
            snprintf(self->out->text, sizeof self->out->text, "%s[%d%s]", name, unit[1], units[unit[0]]);
        } else if (is_known) {
            snprintf(self->out->text, sizeof self->out->text, "%s[%s]", name, units[unit[0]]);
        }
        self->out->form = is_known ? JS_FORM_SCALAR : JS_FORM_NONE;
        return status;
    }
    self->out->form = JS_FORM_NONE;
    return JS_OK;
}

/* ---- classes written in Python: recognised by the module of their __repr__ ---- */

/* True if the function at this address is defined in a module of the first or second name. */
static bool is_from(const js_form_search *self, uint64_t address, const char *first, const char *second)
{
    js_python_object function, globals = {.facts = self->object->facts, .kind = JS_OBJECT_DICT};
    char name[32];
    return js_object_read(self->bytes, address, &function) == JS_OK &&
           strcmp(function.class_name, "function") == 0 &&
           js_bytes_read_word(self->bytes,
                              js_object_member(&function, function.facts->version == PY_3_9 ? 24 : 16),
                              &globals.address) == JS_OK &&
           globals.address % 8 == 0 && js_dict_read(self->bytes, &globals) == JS_OK &&
           js_str_short(self->bytes, globals.facts, js_dict_find(self->bytes, &globals, "__name__"), name,
                        sizeof name) &&
           (strcmp(name, first) == 0 || strcmp(name, second) == 0);
}

/* Find a tuple whose class has names for its items: tp_members (Objects/structseq.c). */
static int structseq(const js_form_search *self)
{
    enum { TYPE_MEMBERS = 240 };
    self->out->form = JS_FORM_STRUCTSEQ;
    return js_bytes_read_word(self->bytes, self->object->type + self->object->facts->shift + TYPE_MEMBERS,
                              &self->out->data);
}

static int written(const js_form_search *self, uint64_t flags)
{
    js_object_known *out = self->out;
    uint64_t owner, described,
        repr = js_class_find(self->bytes, self->object->facts, self->object->type, "__repr__", &owner);
    js_python_object name;
    if (!repr) {
        return JS_OK;
    }
    if ((flags & FLAG_TUPLE) && is_from(self, repr, "collections", "")) {
        out->fields[0] = js_class_find(self->bytes, self->object->facts, owner, "_fields", NULL);
        out->form = out->fields[0] ? JS_FORM_NAMEDTUPLE : JS_FORM_NONE;
    } else if (is_from(self, repr, "enum", "")) {
        out->fields[0] = js_object_attribute(self->bytes, self->object, "_name_");
        out->fields[1] = js_object_attribute(self->bytes, self->object, "_value_");
        bool is_known = out->fields[1] && js_object_read(self->bytes, out->fields[0], &name) == JS_OK &&
                        (name.kind == JS_OBJECT_STR ||
                         (name.kind == JS_OBJECT_NONE && self->object->facts->version >= PY_3_11));
        out->form = is_known ? JS_FORM_ENUM : JS_FORM_NONE;
        out->fields[0] = is_known && name.kind == JS_OBJECT_STR ? out->fields[0] : 0;
    } else if (is_from(self, repr, "dataclasses", "reprlib")) {
        described = js_class_find(self->bytes, self->object->facts, owner, "__dataclass_fields__", NULL);
        out->fields[0] = described;
        out->form = described ? JS_FORM_DATACLASS : JS_FORM_NONE;
    }
    return JS_OK;
}

static int dispatcher(const js_form_search *self)
{
    self->out->fields[0] = js_object_attribute(self->bytes, self->object, "py_func");
    self->out->form = self->out->fields[0] ? JS_FORM_DISPATCHER : JS_FORM_NONE;
    return JS_OK;
}

static int callback(const js_form_search *self)
{
    self->out->fields[0] = js_object_attribute(self->bytes, self->object, "__qualname__");
    self->out->form = self->out->fields[0] ? JS_FORM_CALLBACK : JS_FORM_NONE;
    return JS_OK;
}

/* Find an exception, written as ValueError('bad', 1): its class's last name and its args, if no class below
 * has another __repr__. */
static int exception(const js_form_search *self, js_class_head *type)
{
    uint64_t repr = js_class_word(type, TYPE_REPR), base;
    char name[16];
    for (unsigned i = 0; i < 32; i++) {
        if (js_bytes_read_string(self->bytes, js_class_word(type, TYPE_NAME), sizeof name, name) == JS_OK &&
            strcmp(name, "BaseException") == 0) {
            js_python_object args;
            int status = js_class_word(type, TYPE_REPR) == repr
                             ? js_know_words(self, JS_FORM_EXCEPTION, 24, 1)
                             : JS_OK;
            bool is_whole = status || self->out->form == JS_FORM_NONE ||
                            (js_object_read(self->bytes, self->out->fields[0], &args) == JS_OK &&
                             args.kind == JS_OBJECT_TUPLE);
            return is_whole ? status : JS_EBAD; /* it is none, but looked like one */
        }
        base = js_class_word(type, TYPE_BASE);
        if (!base || js_class_read(self->bytes, self->object->facts, base, type)) {
            return JS_OK;
        }
    }
    return JS_OK;
}

static const struct {
    const char *class_name;
    int (*know)(const js_form_search *self);
    bool is_inherited; /* also for subclasses that have no __repr__ of their own */
} classes[] = {
    {"range", range, false},
    {"slice", slice, false},
    {"mappingproxy", holder, false},
    {"types.SimpleNamespace", holder, false},
    {"collections.defaultdict", defaultdict, false},
    {"function", function, false},
    {"builtin_function_or_method", builtin, false},
    {"builtin_method", builtin, false},
    {"module", module, false},
    {"datetime.date", js_know_date, false},
    {"datetime.time", js_know_time, false},
    {"datetime.datetime", js_know_datetime, false},
    {"datetime.timedelta", js_know_timedelta, false},
    {"datetime.timezone", js_know_timezone, false},
    {"decimal.Decimal", decimal, false},
    {"fractions.Fraction", fraction, false},
    {"NotImplementedType", not_implemented, false},
    {"memoryview", memory, false},
    {"_thread.lock", js_know_lock, false},
    {"_io.FileIO", js_know_file, false},
    {"typing.TypeVar", js_know_typevar, false},
    {"typing.ParamSpec", js_know_typevar, false},
    {"numba.core.registry.CPUDispatcher", dispatcher, false},
    {"numba.core.ccallback.CFunc", callback, false},
    {"dict_keys", js_know_view, false},
    {"dict_values", js_know_view, false},
    {"dict_items", js_know_view, false},
    {"odict_keys", js_know_view, false},
    {"odict_values", js_know_view, false},
    {"odict_items", js_know_view, false},
    {"collections.deque", js_know_deque, true},
    {"collections.OrderedDict", js_know_ordered, true},
    {"collections.Counter", js_know_counter, true},
    {"array.array", js_know_buffer, true},
    {"re.Pattern", js_know_pattern, false},
    {"uuid.UUID", js_know_uuid, true},
    {"pathlib.PurePath", js_know_path, true},
    {"pathlib._local.PurePath", js_know_path, true},
    {"_ctypes._SimpleCData", js_know_simple, true},
    {"ctypes.py_object", js_know_simple, true},
    {"ctypes.c_char_p", js_know_simple, true},
    {"ctypes.c_wchar_p", js_know_simple, true},
    {"ctypes.c_void_p", js_know_simple, true},
};

static bool is_tuple_of_names(const js_form_search *self, uint64_t flags)
{
    uint64_t owner;
    bool is_builtin = !(flags & FLAG_HEAP); /* since 3.12 such a class has its attributes elsewhere */
    return (flags & FLAG_TUPLE) &&
           (is_builtin || (js_class_find(self->bytes, self->object->facts, self->object->type,
                                         "n_sequence_fields", &owner) &&
                           owner == self->object->type));
}

int js_object_find_form(js_bytes *bytes, const js_python_object *object, js_object_known *out)
{
    js_form_search self = {bytes, object, out};
    js_class_head type;
    *out = (js_object_known){0};
    char name[JS_OBJECT_NAME];
    snprintf(name, sizeof name, "%s", object->class_name);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
            if (strcmp(name, classes[i].class_name) == 0 && (!pass || classes[i].is_inherited)) {
                return classes[i].know(&self);
            }
        }
        if (js_know_template(&self, name)) {
            return JS_OK;
        }
        if (pass || js_class_writer(bytes, object->facts, object->type, name)) {
            break; /* otherwise the class that has its __repr__ is tried */
        }
    }
    int status;
    if (js_know_numpy(&self, &status)) {
        return status;
    }
    if (strncmp(object->class_name, "numpy.", 6) == 0) {
        return scalar(&self, object->class_name + 6);
    }
    status = js_class_read(bytes, object->facts, object->type, &type);
    if (status) {
        return status;
    }
    uint64_t flags = js_class_word(&type, TYPE_FLAGS);
    if (is_tuple_of_names(&self, flags)) {
        return structseq(&self);
    }
    return flags & FLAG_EXCEPTION ? exception(&self, &type)
           : flags & FLAG_HEAP    ? written(&self, flags)
                                  : JS_OK;
}
