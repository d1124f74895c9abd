/* Writes objects of the interpreter whose classes have a repr() of their own, as that does. */
#include <stdlib.h>
#include <string.h>

#include "values/base/numbers.h"
#include "values/base/rendering.h"
#include "values/base/value.h"
#include "values/objects/pyobject.h"
#include "values/text/dtype_text.h"

/* ---- numbers ---- */

static bool put_scalar(const js_writing *self)
{
    const js_type *described;
    uint8_t contents[32];
    if (!self->type->owner || js_types_get(self->type->owner, self->known->text, NULL, &described) ||
        described->size > sizeof contents || described->kind == JS_KIND_OPAQUE ||
        js_render_read(self->render, self->known->data, contents, described->size)) {
        return false;
    }
    js_render_value(self->render, described, contents);
    return true;
}

/* ---- objects with named parts ---- */

static void put_module(const js_writing *self)
{
    js_text *out = self->render->out;
    js_python_object origin;
    js_text_put(out, "<module ");
    js_write(self, self->known->fields[0]);
    if (self->known->fields[1]) {
        js_text_put(out, " from ");
        js_write(self, self->known->fields[1]);
    } else if (self->known->fields[2] &&
               js_object_read(self->render->bytes, self->known->fields[2], &origin) == JS_OK &&
               origin.kind == JS_OBJECT_STR) {
        js_text_put(out, " (");
        js_write_bare(self, self->known->fields[2]);
        js_text_put(out, ")");
    }
    js_text_put(out, ">");
}

static void put_builtin(const js_writing *self)
{
    js_text *out = self->render->out;
    js_python_object holds;
    char class_name[JS_OBJECT_NAME];
    if (self->known->fields[0] &&
        js_object_read(self->render->bytes, self->known->fields[0], &holds) == JS_OK &&
        js_object_type_name(self->render->bytes, &holds, class_name) == JS_OK) {
        js_text_printf(out, "<built-in method %s of %s object at 0x%llx>", self->known->text, class_name,
                       (unsigned long long)holds.address);
    } else {
        js_text_printf(out, "<built-in function %s>", self->known->text);
    }
}

/* Write Pt(x=1, y=2.5): the names are the items of a tuple. */
static bool put_named_tuple(const js_writing *self)
{
    js_python_object names, values;
    uint64_t name, value, unused;
    if (js_object_read(self->render->bytes, self->known->fields[0], &names) ||
        names.kind != JS_OBJECT_TUPLE) {
        return false;
    }
    values = *self->object;
    if (js_object_as(self->render->bytes, JS_OBJECT_TUPLE, &values) || values.slots != names.slots) {
        return false;
    }
    js_text_printf(self->render->out, "%s(", js_object_last_name(self->object));
    for (uint64_t i = 0; i < names.slots && self->render->out->status == JS_OK; i++) {
        js_text_put(self->render->out, i ? ", " : "");
        if (i == js_render_limit(self->render) || !js_render_charge(self->render, JS_OBJECT_COST) ||
            js_object_item(self->render->bytes, &names, i, &name, &unused) ||
            js_object_item(self->render->bytes, &values, i, &value, &unused)) {
            js_text_put(self->render->out, "...");
            break;
        }
        js_write_bare(self, name);
        js_text_put(self->render->out, "=");
        js_write(self, value);
    }
    js_text_put(self->render->out, ")");
    return true;
}

static void put_enum(const js_writing *self)
{
    js_text_printf(self->render->out, "<%s", js_object_last_name(self->object));
    if (self->known->fields[0]) {
        js_text_put(self->render->out, ".");
        js_write_bare(self, self->known->fields[0]);
    }
    js_text_put(self->render->out, ": ");
    js_write(self, self->known->fields[1]);
    js_text_put(self->render->out, ">");
}

/* Write the attributes that the keys of a dict name; `is_dataclass`: its values say which are shown. */
static void put_fields(const js_writing *self, uint64_t table, const char *class_name, bool is_dataclass)
{
    js_python_object names, key;
    js_text *out = self->render->out;
    bool is_first = true;
    js_text_printf(out, "%s(", class_name);
    int status = js_object_read(self->render->bytes, table, &names);
    for (uint64_t i = 0; status == JS_OK && names.kind == JS_OBJECT_DICT && i < names.slots; i++) {
        uint64_t name, value;
        char text[128];
        if (!js_render_charge(self->render, 4 * JS_OBJECT_COST) || out->status ||
            js_object_item(self->render->bytes, &names, i, &name, &value) ||
            i == js_render_limit(self->render)) {
            js_text_put(out, is_first ? "..." : ", ...");
            break;
        }
        if (!name || (is_dataclass && !js_object_field_shown(self->render->bytes, value)) ||
            js_object_read(self->render->bytes, name, &key) || key.kind != JS_OBJECT_STR) {
            continue;
        }
        js_text_put(out, is_first ? "" : ", ");
        is_first = false;
        js_write_bare(self, name);
        js_text_put(out, "=");
        if (is_dataclass) {
            bool is_short = js_object_short(self->render->bytes, &key, text, sizeof text);
            value = is_short ? js_object_attribute(self->render->bytes, self->object, text) : 0;
        }
        if (value) {
            js_write(self, value);
        } else {
            js_text_put(out, "...");
        }
    }
    js_text_put(out, ")");
}

static void put_exception(const js_writing *self)
{
    js_python_object args;
    uint64_t only, unused;
    js_text_put(self->render->out, js_object_last_name(self->object));
    if (js_object_read(self->render->bytes, self->known->fields[0], &args) == JS_OK &&
        args.kind == JS_OBJECT_TUPLE && args.length == 1 &&
        js_object_item(self->render->bytes, &args, 0, &only, &unused) == JS_OK) {
        js_text_put(self->render->out, "(");
        js_write(self, only);
        js_text_put(self->render->out, ")");
    } else {
        js_write(self, self->known->fields[0]);
    }
}

/* Write range(0, 3) or slice(1, None, None). */
static void put_range(const js_writing *self)
{
    const uint64_t *fields = self->known->fields;
    bool is_range = self->known->form == JS_FORM_RANGE;
    js_python_object step;
    uint32_t digit = 0;
    bool is_one = is_range && js_object_read(self->render->bytes, fields[2], &step) == JS_OK &&
                  step.kind == JS_OBJECT_INT && step.length == 1 && !step.is_negative &&
                  js_bytes_read(self->render->bytes, step.data, &digit, 4) == JS_OK && digit == 1;
    js_text_printf(self->render->out, "%s(", self->object->class_name);
    for (unsigned i = 0; i < (is_one ? 2 : 3); i++) {
        js_text_put(self->render->out, i ? ", " : "");
        js_write(self, fields[i]);
    }
    js_text_put(self->render->out, ")");
}

static void put_holder(const js_writing *self)
{
    const char *name = self->object->class_name;
    if (strcmp(name, "types.SimpleNamespace") == 0) {
        put_fields(self, self->known->fields[0], "namespace", false);
        return;
    }
    js_text_printf(self->render->out, "%s(", name);
    js_write(self, self->known->fields[0]);
    js_text_put(self->render->out, ")");
}

static void put_default_dict(const js_writing *self)
{
    js_python_object table = *self->object;
    js_text_put(self->render->out, "defaultdict(");
    if (self->known->fields[0]) {
        js_write(self, self->known->fields[0]);
    } else {
        js_text_put(self->render->out, "None");
    }
    js_text_put(self->render->out, ", ");
    if (js_object_as(self->render->bytes, JS_OBJECT_DICT, &table) == JS_OK) {
        js_render_pyobject_items(self->render, self->type, &table, "{", "}");
    } else {
        js_text_put(self->render->out, "...");
    }
    js_text_put(self->render->out, ")");
}

/* Write a dtype, or a record of NumPy. */
static bool put_described(const js_writing *self)
{
    char name[2048];
    const js_type *type;
    js_value record = {0};
    js_render *render = self->render;
    bool is_dtype = self->known->form == JS_FORM_DTYPE;
    uint64_t dtype = is_dtype ? self->object->address : self->known->fields[0];
    if (!self->type->owner || js_object_dtype(render->bytes, self->object, dtype, name, sizeof name) ||
        js_types_get_data(self->type->owner, name, &type) || type->kind == JS_KIND_OPAQUE) {
        return false;
    }
    if (is_dtype) {
        js_put_dtype_repr(render->out, type);
        return true;
    }
    if (type->kind != JS_KIND_RECORD || !js_render_charge(render, type->size) ||
        js_value_init_at(&record, type, render->bytes, self->known->data)) {
        return false;
    }
    js_make_native(type, record.contents, 1);
    js_render_value(render, type, record.contents);
    js_value_deinit(&record);
    return true;
}

/* Write Generator(PCG64) at 0x7F00. */
static bool put_random(const js_writing *self)
{
    js_python_object bits;
    if (js_object_read(self->render->bytes, self->known->fields[0], &bits)) {
        return false;
    }
    js_text_printf(self->render->out, "%s(%s) at 0x%llX", js_object_last_name(self->object),
                   js_object_last_name(&bits), (unsigned long long)self->object->address);
    return true;
}

/* Write a value into a text of its own, and append that text as a whole, because the value may prove damaged
 * in its middle. */
static bool put_apart(const js_writing *self, bool (*write)(const js_writing *self))
{
    js_render *render = self->render;
    js_text text, *out = render->out;
    js_text_init(&text, 0);
    render->out = &text;
    bool is_good = write(self) && text.status == JS_OK;
    render->out = out;
    if (is_good) {
        js_text_putn(out, text.data ? text.data : "", text.length);
    }
    js_text_deinit(&text);
    return is_good;
}

static void put_function(const js_writing *self)
{
    js_text_put(self->render->out, "<function ");
    js_write_bare(self, self->known->fields[0]);
    js_text_printf(self->render->out, " at 0x%llx>", (unsigned long long)self->object->address);
}

static void put_fraction(const js_writing *self)
{
    js_text_put(self->render->out, "Fraction(");
    js_write(self, self->known->fields[0]);
    js_text_put(self->render->out, ", ");
    js_write(self, self->known->fields[1]);
    js_text_put(self->render->out, ")");
}

static void put_dataclass(const js_writing *self)
{
    put_fields(self, self->known->fields[0], js_object_qualname(self->object), true);
}

static void put_dispatcher(const js_writing *self)
{
    js_text_put(self->render->out, "CPUDispatcher(");
    js_write(self, self->known->fields[0]);
    js_text_put(self->render->out, ")");
}

static void put_callback(const js_writing *self)
{
    js_text_put(self->render->out, "<Numba C callback ");
    js_write(self, self->known->fields[0]);
    js_text_put(self->render->out, ">");
}

static void put_known_text(const js_writing *self)
{
    js_text_put(self->render->out, self->known->text);
}

/* Writers of the forms. `write` always succeeds; `attempt` returns false, and writes nothing, where it
 * cannot; `apart` is called by put_apart(). */
static const struct writer {
    void (*write)(const js_writing *self);
    bool (*attempt)(const js_writing *self);
    bool (*apart)(const js_writing *self);
} writers[] = {
    [JS_FORM_RANGE] = {.write = put_range},
    [JS_FORM_SLICE] = {.write = put_range},
    [JS_FORM_HOLDER] = {.write = put_holder},
    [JS_FORM_DEFAULTDICT] = {.write = put_default_dict},
    [JS_FORM_FUNCTION] = {.write = put_function},
    [JS_FORM_BUILTIN] = {.write = put_builtin},
    [JS_FORM_MODULE] = {.write = put_module},
    [JS_FORM_EXCEPTION] = {.write = put_exception},
    [JS_FORM_SCALAR] = {.attempt = put_scalar},
    [JS_FORM_DATE] = {.write = js_write_time},
    [JS_FORM_TIME] = {.write = js_write_time},
    [JS_FORM_DATETIME] = {.write = js_write_time},
    [JS_FORM_TIMEDELTA] = {.write = js_write_time},
    [JS_FORM_TIMEZONE] = {.write = js_write_zone},
    [JS_FORM_DECIMAL] = {.attempt = js_write_decimal},
    [JS_FORM_FRACTION] = {.write = put_fraction},
    [JS_FORM_NAMEDTUPLE] = {.attempt = put_named_tuple},
    [JS_FORM_ENUM] = {.write = put_enum},
    [JS_FORM_DATACLASS] = {.write = put_dataclass},
    [JS_FORM_DISPATCHER] = {.write = put_dispatcher},
    [JS_FORM_CALLBACK] = {.write = put_callback},
    [JS_FORM_TEXT] = {.write = put_known_text},
    [JS_FORM_DTYPE] = {.attempt = put_described},
    [JS_FORM_VOID] = {.attempt = put_described},
    [JS_FORM_RANDOM] = {.attempt = put_random},
    [JS_FORM_STRUCTSEQ] = {.apart = js_write_structseq},
    [JS_FORM_TEMPLATE] = {.apart = js_write_template},
    [JS_FORM_DEQUE] = {.apart = js_write_deque},
    [JS_FORM_ORDERED] = {.apart = js_write_ordered},
    [JS_FORM_COUNTER] = {.apart = js_write_counter},
    [JS_FORM_VIEW] = {.apart = js_write_view},
    [JS_FORM_BUFFER] = {.apart = js_write_buffer},
    [JS_FORM_PATTERN] = {.apart = js_write_pattern},
    [JS_FORM_UUID] = {.apart = js_write_uuid},
    [JS_FORM_PATH] = {.apart = js_write_path},
    [JS_FORM_SIMPLE] = {.apart = js_write_simple},
};

bool js_render_pyobject_known(js_render *render, const js_type *type, const js_python_object *object)
{
    js_object_known known;
    js_writing self = {render, type, object, &known};
    if (!js_render_charge(render, JS_OBJECT_COST)) {
        js_text_put(render->out, "...");
        return true;
    }
    if (js_object_find_form(render->bytes, object, &known) ||
        known.form >= sizeof writers / sizeof writers[0]) {
        return false;
    }
    const struct writer *writer = &writers[known.form];
    if (writer->write) {
        writer->write(&self);
        return true;
    }
    return writer->attempt ? writer->attempt(&self) : writer->apart && put_apart(&self, writer->apart);
}
