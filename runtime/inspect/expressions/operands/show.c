/* Writes the result of an evaluation as text and as JSON, by the renderer of values/. */
#include "expressions/operands/show.h"

#include <stdlib.h>
#include <string.h>

#include "expressions/lazy/evaluation.h"
#include "values/base/path.h"
#include "values/base/rendering.h"
#include "values/base/value.h"
#include "values/render/render.h"
#include "values/select/select.h"
#include "values/text/strings.h"

typedef struct show {
    js_evaluation *e;
    const js_render_options *options; /* NULL: JSON */
    js_text *out;
    bool *exact;
    unsigned depth;
    uint64_t left; /* bytes of the target that all values together may still read */
} show;

static int put(show *s, const js_operand *operand);

static int put_value(show *s, const js_value *value, js_bytes *bytes)
{
    js_render_options standard;
    js_render_options_init(&standard);
    js_render render = {.bytes = bytes,
                        .write = &js_value_writers,
                        .options = s->options ? s->options : &standard,
                        .out = s->out,
                        .left = s->left,
                        .depth = s->depth,
                        .exact = true};
    if (s->options) {
        js_render_value(&render, value->type, value->contents);
    } else {
        js_json_value(&render, value->type, value->contents);
    }
    s->left = bytes == s->e->with.bytes ? render.left : s->left;
    *s->exact &= render.exact;
    return s->out->status;
}

/* Write a number: one of 64 bits as a value like any other, a wider one as digits. */
static int put_number(show *s, const js_number *number)
{
    const js_type *type;
    js_value value;
    uint8_t contents[16];
    js_number stored = *number;
    if (js_number_is_whole(number->type) && !js_number_fits(number->integer, number->type)) {
        js_put_integer(s->out, number->integer);
        return s->out->status;
    }
    js_number_store(&stored, contents);
    int status = js_types_get(s->e->with.types, js_number_name(number->type), NULL, &type);
    status = status ? status : js_value_init(&value, type, contents, type->size);
    if (status == JS_OK) {
        status = put_value(s, &value, NULL);
        js_value_deinit(&value);
    }
    return status;
}

static int put_text(show *s, const js_operand *text)
{
    js_text utf8;
    uint64_t limit = s->options && s->options->elements ? s->options->elements : UINT64_MAX;
    if (s->options) {
        js_put_repr(s->out, text->codes, text->count < limit ? text->count : limit, text->is_bytes);
        js_text_put(s->out, text->count > limit ? "..." : "");
        return s->out->status;
    }
    js_text_init(&utf8, 0);
    if (text->is_bytes) {
        js_put_repr(&utf8, text->codes, text->count, true);
    } else {
        js_put_utf8(&utf8, text->codes, text->count);
    }
    js_text_json_string(s->out, utf8.data ? utf8.data : "", utf8.length);
    js_text_deinit(&utf8);
    return s->out->status;
}

static int put_items(show *s, const js_operand *items)
{
    uint64_t limit = s->options && s->options->elements ? s->options->elements : UINT64_MAX;
    int status = JS_OK;
    if (++s->depth > JS_RENDER_DEPTH) {
        return js_fail(s->e, JS_ELIMIT, "RecursionError: more than %d tuples or lists are within one another",
                       JS_RENDER_DEPTH);
    }
    bool is_json_list = !s->options && items->is_list;
    limit = is_json_list ? JS_JSON_ELEMENTS : limit;
    if (s->options) {
        js_text_put(s->out, items->is_list ? "[" : "(");
    } else {
        js_text_put(s->out, items->is_list ? "{\"list\": [" : "{\"tuple\": [");
    }
    for (uint64_t i = 0; i < items->count && status == JS_OK; i++) {
        if (i == limit && is_json_list) {
            break;
        }
        js_text_put(s->out, i ? ", " : "");
        if (i == limit) {
            js_text_put(s->out, "...");
            break;
        }
        status = put(s, &items->items[i]);
    }
    s->depth--;
    if (s->options) {
        js_text_put(s->out, items->is_list ? "]" : items->count == 1 ? ",)" : ")");
    } else if (is_json_list) {
        js_text_printf(s->out, "], \"length\": %llu}", (unsigned long long)items->count);
    } else {
        js_text_put(s->out, "]}");
    }
    return status ? status : s->out->status;
}

/* ---- arrays ---- */

/* Give the array's type by the name that js_select_view gives it: array(float64, 2d, C). */
int js_result_array_type(js_evaluation *e, const js_lazy *lazy, char order, const js_type **out)
{
    js_text name;
    js_text_init(&name, 0);
    js_text_printf(&name, "array(%s, %ud, %c)", lazy->dtype->name, lazy->view.ndim, order);
    int status = name.status ? name.status : js_types_get(e->with.types, name.data, NULL, out);
    js_text_deinit(&name);
    if (status == JS_OK && (*out)->kind != JS_KIND_ARRAY) {
        status = js_fail(e, JS_EUNSUP, "an array of %s", lazy->dtype->name);
    }
    return status;
}

static void store(uint8_t *contents, const js_type *type, js_role role, const void *from, size_t size)
{
    const js_member *member = js_type_member(type, role);
    if (member && size <= member->type->size) {
        memcpy(contents + member->offset, from, size);
    }
}

/* Write an array that is computed: its first elements are computed into memory of this process, which the
 * renderer then reads. */
static int put_computed(show *s, const js_lazy *lazy)
{
    enum { BASE = 1 << 20 };
    const js_type *type;
    uint64_t size = lazy->view.itemsize ? lazy->view.itemsize : 1;
    uint64_t most = s->options ? s->options->max_bytes : 64 << 10;
    uint64_t limit = s->options ? s->options->elements : JS_JSON_ELEMENTS;
    limit = limit && limit < most / size ? limit : most / size;
    uint64_t count = lazy->view.nitems < limit ? lazy->view.nitems : limit, done = 0;
    int status = js_result_array_type(s->e, lazy, 'C', &type);
    uint8_t *elements = malloc(count * size + 1);
    if (!elements) {
        status = js_no_memory(s->e);
    }
    while (done < count && status == JS_OK) {
        uint64_t part = count - done < JS_CHUNK ? count - done : JS_CHUNK;
        status = js_lazy_raw(s->e, lazy, done, part, elements + done * size);
        done += part;
    }
    uint8_t contents[1024] = {0};
    if (status == JS_OK && type->size > sizeof contents) {
        status = JS_ELIMIT;
    }
    if (status == JS_OK) {
        uint64_t data = BASE;
        int64_t strides[32];
        int64_t stride = (int64_t)size;
        for (unsigned i = lazy->view.ndim; i-- > 0;) {
            strides[i] = stride;
            stride = (int64_t)((uint64_t)stride * (uint64_t)lazy->view.shape[i]);
        }
        store(contents, type, JS_ROLE_NITEMS, &lazy->view.nitems, 8);
        store(contents, type, JS_ROLE_ITEMSIZE, &lazy->view.itemsize, 8);
        store(contents, type, JS_ROLE_DATA, &data, 8);
        store(contents, type, JS_ROLE_SHAPE, lazy->view.shape, 8 * (size_t)lazy->view.ndim);
        store(contents, type, JS_ROLE_STRIDES, strides, 8 * (size_t)lazy->view.ndim);
        js_bytes here;
        js_value value = {.type = type, .contents = contents};
        js_bytes_init_buffer(&here, BASE, elements, count * size);
        status = put_value(s, &value, &here);
        js_bytes_deinit(&here);
    }
    free(elements);
    return status;
}

static int put_array(show *s, const js_lazy *lazy)
{
    if (lazy->kind == JS_LAZY_LEAF && lazy->source == JS_SOURCE_MEMORY && lazy->origin) {
        js_value view;
        int status = js_result_view(s->e, lazy, &view);
        if (status == JS_OK) {
            status = put_value(s, &view, s->e->with.bytes);
            js_value_deinit(&view);
        }
        return status;
    }
    return put_computed(s, lazy);
}

static int put(show *s, const js_operand *operand)
{
    const char *word = NULL;
    switch (operand->kind) {
    case JS_OPERAND_NUMBER:
        return put_number(s, &operand->number);
    case JS_OPERAND_TEXT:
        return put_text(s, operand);
    case JS_OPERAND_SEQUENCE:
        return put_items(s, operand);
    case JS_OPERAND_ARRAY:
        return put_array(s, operand->array);
    case JS_OPERAND_VALUE:
        return put_value(s, &operand->value, s->e->with.bytes);
    case JS_OPERAND_NONE:
        js_text_put(s->out, s->options ? "None" : "null");
        return s->out->status;
    case JS_OPERAND_ELLIPSIS:
        word = "Ellipsis";
        break;
    default:
        return js_fail(s->e, JS_EUNSUP, "TypeError: '%s' is a function; call it: %s()",
                       operand->name ? operand->name : "slice", operand->name ? operand->name : "slice");
    }
    js_text_printf(s->out, s->options ? "%s" : "\"%s\"", word);
    return s->out->status;
}

int js_result_show(js_evaluation *e, const js_operand *operand, const js_render_options *options,
                   js_text *out, bool *exact)
{
    js_render_options standard;
    js_render_options_init(&standard);
    show s = {.e = e, .options = options, .out = out, .exact = exact};
    s.left = options ? options->max_bytes : standard.max_bytes;
    js_question question;
    *exact = true;
    js_render_begin(&question, e->with.bytes);
    int status = put(&s, operand);
    js_render render = {.bytes = e->with.bytes, .out = out, .exact = *exact};
    js_render_end(&render, &question, options != NULL);
    *exact = render.exact;
    return status ? status : out->status;
}

int js_result_view(js_evaluation *e, const js_lazy *lazy, js_value *out)
{
    js_path_step step = {0};
    js_selection selection = {e->with.types, e->with.bytes, lazy->origin, &step, e->why};
    return js_select_view(&selection, &lazy->view, lazy->dtype, out);
}
