/* Writes instances, ranges, iterators, generators, counted memory and functions as text. */
#include <stdlib.h>
#include <string.h>

#include "bytes/watch.h"

#include "values/base/items.h"
#include "values/base/numbers.h"
#include "values/base/rendering.h"
#include "values/base/value.h"
#include "values/render/render.h"

static void put_why(js_render *render, const js_text *why, int status)
{
    render->exact = false;
    js_text_put(render->out, why->length ? why->data : js_strerror(status));
}

/* Write the members that have a meaning to the user as "name=value". `before` is written before the first. */
static void put_attributes(js_render *render, const js_type *type, const uint8_t *contents,
                           const char *before)
{
    uint64_t limit = js_render_limit(render), shown = 0;
    if (render->options->summary && limit > JS_SUMMARY_ELEMENTS) {
        limit = JS_SUMMARY_ELEMENTS;
    }
    for (size_t i = 0; i < type->nmembers && render->out->status == JS_OK; i++) {
        const js_member *member = &type->members[i];
        if (member->role != JS_ROLE_ELEMENT && member->role != JS_ROLE_REFERENCE) {
            continue;
        }
        js_text_put(render->out, shown ? ", " : before);
        if (shown++ == limit) {
            js_text_put(render->out, "...");
            return;
        }
        uint8_t buffer[512];
        const js_type *part;
        int status;
        const uint8_t *bytes = js_part_of(render, member, contents, buffer, sizeof buffer, &part, &status);
        js_text_printf(render->out, "%s=", member->name);
        if (bytes) {
            js_render_value(render, part, bytes);
        } else if (status == JS_ELIMIT) {
            js_text_put(render->out, "...");
        } else {
            js_render_unreadable(render, js_load_uint(contents + member->offset, 8), part->size);
        }
    }
}

/* Write Foo(x=1, y=2.5): an instance with its attributes. */
void js_render_object(js_render *render, const js_type *type, const uint8_t *contents)
{
    js_stores stores;
    js_text why;
    js_text_init(&why, 0);
    int status = js_stores_init(&stores, render, type, contents, &why);
    if (status) {
        put_why(render, &why, status);
    } else {
        const struct js_store *last = &stores.at[stores.count - 1];
        bool was_in_array = render->in_array, was_in_boxed = render->in_boxed;
        js_open self = {last->address, render->open};
        js_text_printf(render->out, "%s(", type->class_name ? type->class_name : "");
        if (last->address && js_render_is_open(render, last->address)) {
            js_text_put(render->out, "..."); /* like repr() of a list within itself: [...] */
        } else {
            render->in_array = render->in_boxed = false;
            render->open = &self;
            put_attributes(render, last->type, last->contents, "");
            render->open = self.outer;
        }
        js_text_put(render->out, ")");
        render->in_array = was_in_array;
        render->in_boxed = was_in_boxed;
        js_stores_deinit(&stores);
    }
    js_text_deinit(&why);
}

/* Write <range_iterator object: next=1, stop=10, step=1, left=9>. */
void js_render_iterator(js_render *render, const js_type *type, const uint8_t *contents)
{
    bool was_in_array = render->in_array;
    render->in_array = false;
    js_text_printf(render->out, "<%s object", type->class_name ? type->class_name : type->name);
    put_attributes(render, type, contents, ": ");
    js_text_put(render->out, ">");
    render->in_array = was_in_array;
}

/* True if the source has None for this bound, for which Numba has put another (numba/cpython/slicing.py,
 * get_defaults): one that no sequence reaches, or the step of a slice that was written without. */
static bool is_absent(const js_type *type, const uint8_t *contents, js_role role)
{
    const js_member *member = js_type_member(type, role), *steps = js_type_member(type, JS_ROLE_STEP);
    int64_t value = js_load_int(contents + member->offset, member->type->size);
    int64_t step = steps ? js_load_int(contents + steps->offset, steps->type->size) : 1;
    switch (role) {
    case JS_ROLE_START:
        return step < 0 && value == INT64_MAX;
    case JS_ROLE_STOP:
        return step < 0 ? value == INT64_MIN : value == INT64_MAX;
    default:
        return value == 1 && strcmp(type->name, "slice<a:b>") == 0;
    }
}

/* Write range(0, 3), range(0, 3, 2) or slice(0, 3, None). */
void js_render_range(js_render *render, const js_type *type, const uint8_t *contents)
{
    static const js_role roles[] = {JS_ROLE_START, JS_ROLE_STOP, JS_ROLE_STEP};
    bool is_range = type->class_name && strcmp(type->class_name, "range") == 0;
    js_text_printf(render->out, "%s(", type->class_name ? type->class_name : "");
    for (unsigned i = 0; i < 3; i++) {
        const js_member *member = js_type_member(type, roles[i]);
        if (!member ||
            (is_range && i == 2 && js_load_int(contents + member->offset, member->type->size) == 1)) {
            continue;
        }
        js_text_put(render->out, i ? ", " : "");
        if (!is_range && is_absent(type, contents, roles[i])) {
            js_text_put(render->out, "None");
        } else {
            js_render_value(render, member->type, contents + member->offset);
        }
    }
    js_text_put(render->out, ")");
}

static const js_generator_stop *stop_at(const js_type *frame, int64_t index)
{
    for (size_t i = 0; i < frame->nstops; i++) {
        if (frame->stops[i].index == index) {
            return &frame->stops[i];
        }
    }
    return NULL;
}

/* True if the name is one of those that blanks separate. */
static bool is_among(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; *at; at += strcspn(at, " "), at += *at == ' ') {
        if (strcspn(at, " ") == length && strncmp(at, name, length) == 0) {
            return true;
        }
    }
    return false;
}

/* True if the members have names. Those without a name are f0, f1 …, but an argument of the user may also be
 * called so. */
static bool has_names(const js_type *type, bool is_known)
{
    return is_known || (type->nmembers && strcmp(type->members[0].name, "f0") != 0);
}

static void put_arguments(js_render *render, const js_type *type, const uint8_t *contents, bool has_names)
{
    js_text *out = render->out;
    for (size_t i = 0; i < type->nmembers && out->status == JS_OK; i++) {
        const js_member *each = &type->members[i];
        js_text_put(out, i ? ", " : "");
        if (has_names) {
            js_text_printf(out, "%s=", each->name);
        }
        js_render_value(render, each->type, contents + each->offset);
    }
}

/* Write the values that the generator keeps at this yield; other values are left from another yield. A name
 * is "x$1" with its version. */
static void put_kept(js_render *render, const js_type *type, const char *kept, const uint8_t *contents)
{
    for (size_t i = 0; i < type->nmembers && render->out->status == JS_OK; i++) {
        const js_member *each = &type->members[i];
        if (is_among(kept, each->name)) {
            js_text_printf(render->out, ", %.*s=", (int)strcspn(each->name, "$"), each->name);
            js_render_value(render, each->type, contents + each->offset);
        }
    }
}

/* Write <generator object g: suspended at line 20, arguments (n=3, x=2.5), i=1>, or, if names are not known,
 * <generator object g: suspended at yield 1, <unknown: …>, arguments (3, 2.5)>. The arguments are those that
 * it was called with. */
void js_render_generator(js_render *render, const js_type *type, const uint8_t *contents)
{
    js_text *out = render->out;
    uint64_t address = js_load_uint(contents, 8);
    js_value frame = {0};
    const js_type *target = type->target;
    int status = !target || !address           ? JS_EBAD
                 : target->size > render->left ? JS_ELIMIT
                                               : js_value_init_at(&frame, target, render->bytes, address);
    js_text_printf(out, "<generator object %s", type->class_name ? type->class_name : "");
    if (status) {
        render->exact = false;
        js_text_put(out, status == JS_EBAD ? ": <unknown: it is not there (NULL)>" : ": ");
        if (status != JS_EBAD) {
            js_render_unreadable(render, address, target ? target->size : 0);
        }
        js_text_put(out, ">");
        return;
    }
    render->left -= target->size;
    const js_member *resume = js_type_member(target, JS_ROLE_RESUME);
    const js_member *arguments = js_type_member(target, JS_ROLE_ARGUMENTS);
    const js_member *state = js_type_member(target, JS_ROLE_STATE);
    int64_t at = resume ? js_load_int(frame.contents + resume->offset, resume->type->size) : 0;
    const js_generator_stop *stop = at > 0 ? stop_at(target, at) : NULL;
    if (at == 0) {
        js_text_put(out, ": not started");
    } else if (at < 0) {
        js_text_put(out, ": finished");
    } else if (stop) {
        js_text_printf(out, ": suspended at line %u", stop->line);
    } else {
        js_text_printf(out, ": suspended at yield %lld, <unknown: its code does not show the line>",
                       (long long)at);
        render->exact = false;
    }
    if (arguments && arguments->type->nmembers && at >= 0) {
        js_text_put(out, ", arguments (");
        bool is_named = has_names(arguments->type, state != NULL);
        put_arguments(render, arguments->type, frame.contents + arguments->offset, is_named);
        js_text_put(out, arguments->type->nmembers == 1 && !is_named ? ",)" : ")");
    }
    if (state && stop) {
        put_kept(render, state->type, stop->kept, frame.contents + state->offset);
    }
    js_text_put(out, ">");
    js_value_deinit(&frame);
}

/* Write <MemInfo at 0x7f00: refcount 2, size 80, data 0x7f40>. */
void js_render_managed(js_render *render, const js_type *type, const uint8_t *contents)
{
    static const struct {
        js_role role;
        const char *text;
    } parts[] = {{JS_ROLE_REFCOUNT, "refcount"}, {JS_ROLE_SIZE, "size"}};
    js_text *out = render->out;
    uint64_t address = js_load_uint(contents, 8);
    const js_type *target = type->target;
    uint8_t head[256];
    if (!address) {
        js_text_put(out, "None");
        return;
    }
    js_text_printf(out, "<%s at 0x%llx", target->name, (unsigned long long)address);
    int status = target->size > sizeof head ? JS_ELIMIT : js_render_read(render, address, head, target->size);
    if (status) {
        render->exact = false;
        js_text_put(out, status == JS_ELIMIT ? ": ...>" : ": <unreadable>>");
        return;
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const js_member *member = js_type_member(target, parts[i].role);
        if (!member) {
            continue;
        }
        uint64_t number = js_load_uint(head + member->offset, member->type->size);
        if (i == 0 && (number == 0 || number == 0xdededededededede)) {
            js_text_put(out, ": freed>");
            return;
        }
        js_text_printf(out, "%s%s %llu", i ? ", " : ": ", parts[i].text, (unsigned long long)number);
    }
    const js_member *data = js_type_member(target, JS_ROLE_DATA);
    data = data ? data : js_type_member(target, JS_ROLE_STORE);
    const js_member *destructor = js_type_member(target, JS_ROLE_DESTRUCTOR);
    if (data) {
        js_text_printf(out, ", data 0x%llx", (unsigned long long)js_load_uint(head + data->offset, 8));
    }
    if (destructor && js_load_uint(head + destructor->offset, 8)) {
        js_text_printf(out, ", destructor 0x%llx",
                       (unsigned long long)js_load_uint(head + destructor->offset, 8));
    }
    js_text_put(out, ">");
}

/* Write Python's name of the function, or the address of its code. */
void js_render_function(js_render *render, const js_type *type, const uint8_t *contents)
{
    const js_member *object = js_type_member(type, JS_ROLE_PYOBJECT),
                    *code = js_type_member(type, JS_ROLE_ADDRESS);
    uint64_t address = object ? js_load_uint(contents + object->offset, 8) : 0;
    if (address && object->type->kind == JS_KIND_PYOBJECT) {
        js_render_value(render, object->type, contents + object->offset);
    } else {
        js_text_printf(render->out, "<%s at 0x%llx>", type->name,
                       (unsigned long long)(code ? js_load_uint(contents + code->offset, 8) : 0));
    }
}
