/* Gives length, items and truth of texts, tuples and arrays. */
#include "expressions/operands/sequences.h"

#include <string.h>

#include "bytes/utf8.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/containers.h"
#include "expressions/operands/objects.h"
#include "values/base/characters.h"
#include "values/base/rendering.h"
#include "values/base/value.h"
#include "values/select/select.h"

static bool is_text_type(const js_type *type)
{
    bool is_literal = type->kind == JS_KIND_LITERAL && type->literal_kind == 's';
    return type->kind == JS_KIND_STR || type->kind == JS_KIND_CHARSEQ || is_literal ||
           (type->kind == JS_KIND_BYTES && (!type->class_name || strcmp(type->class_name, "bytes") == 0));
}

static int literal_text(js_evaluation *e, const char *text, js_operand *out)
{
    size_t size = strlen(text), count = 0;
    uint32_t *codes = js_arena_alloc(&e->arena, (size + 1) * sizeof *codes);
    if (!codes) {
        return js_no_memory(e);
    }
    while (size) {
        size_t used = js_utf8_decode(text, size, &codes[count]);
        if (!used) {
            return js_fail(e, JS_EBAD, "<unknown: not UTF-8>");
        }
        text += used;
        size -= used;
        count++;
    }
    *out = (js_operand){.kind = JS_OPERAND_TEXT, .codes = codes, .count = count};
    return JS_OK;
}

static int read_text(js_evaluation *e, const js_value *value, uint64_t limit, js_characters *characters)
{
    js_render_options options;
    js_text nowhere, why;
    js_render_options_init(&options);
    js_text_init(&nowhere, 0);
    js_text_init(&why, 0);
    js_render render = {.bytes = e->with.bytes,
                        .options = &options,
                        .out = &nowhere,
                        .left = 4 * (uint64_t)JS_EXPRESSION_CHARACTERS};
    int status = js_characters_init(characters, &render, value->type, value->contents, limit, &why);
    if (status) {
        js_fail(e, status, "%s", why.length ? why.data : js_strerror(status));
    } else if (characters->bad_size) {
        status =
            js_fail(e, JS_EFAULT, "<unreadable: 0x%llx (%llu bytes)>",
                    (unsigned long long)characters->bad_address, (unsigned long long)characters->bad_size);
        js_characters_deinit(characters);
    }
    js_text_deinit(&why);
    js_text_deinit(&nowhere);
    return status;
}

int js_operand_text(js_evaluation *e, const js_operand *operand, js_operand *out, bool *is_text)
{
    *is_text = operand->kind == JS_OPERAND_TEXT;
    if (*is_text) {
        *out = *operand;
        return JS_OK;
    }
    *is_text = operand->kind == JS_OPERAND_VALUE && is_text_type(operand->value.type);
    if (!*is_text) {
        return js_object_text(e, operand, out, is_text);
    }
    const js_type *type = operand->value.type;
    if (type->kind == JS_KIND_LITERAL) {
        return literal_text(e, type->literal, out);
    }
    js_characters characters;
    int status = read_text(e, &operand->value, JS_EXPRESSION_CHARACTERS + 1, &characters);
    if (status) {
        return status;
    }
    uint32_t *codes = js_arena_alloc(&e->arena, (characters.count + 1) * sizeof *codes);
    if (characters.total > JS_EXPRESSION_CHARACTERS || characters.count < characters.total) {
        status = js_fail(e, JS_ELIMIT, "MemoryError: a text of %llu characters is too long to compute with",
                         (unsigned long long)characters.total);
    } else if (!codes) {
        status = js_no_memory(e);
    } else {
        memcpy(codes, characters.codes, characters.count * sizeof *codes);
        bool is_bytes = type->kind == JS_KIND_BYTES || (type->kind == JS_KIND_CHARSEQ && !type->is_wide);
        *out = (js_operand){
            .kind = JS_OPERAND_TEXT, .codes = codes, .count = characters.count, .is_bytes = is_bytes};
    }
    js_characters_deinit(&characters);
    return status;
}

/* Find the length of a value; a pointer to a record has the record's. */
static int length_of_value(js_evaluation *e, const js_operand *operand, uint64_t *out, bool *has_length)
{
    const js_type *type = operand->value.type;
    js_characters characters;
    *has_length = true;
    if (type->kind == JS_KIND_TUPLE || type->kind == JS_KIND_RECORD) {
        *out = type->nmembers;
        return JS_OK;
    }
    if (type->kind == JS_KIND_POINTER && type->target && type->target->kind == JS_KIND_RECORD) {
        *out = type->target->nmembers;
        return JS_OK;
    }
    if (type->kind == JS_KIND_LITERAL && type->literal_kind == 's') {
        js_operand text;
        int status = literal_text(e, type->literal, &text);
        *out = text.count;
        return status;
    }
    if (js_operand_is_container(operand)) {
        return js_container_length(e, operand, out);
    }
    *has_length = is_text_type(type) || type->kind == JS_KIND_BYTES;
    if (!*has_length) {
        *has_length = js_object_length(e, operand, out);
        return JS_OK;
    }
    int status = read_text(e, &operand->value, 0, &characters);
    if (status == JS_OK) {
        *out = characters.total;
        js_characters_deinit(&characters);
    }
    return status;
}

int js_operand_length(js_evaluation *e, const js_operand *operand, uint64_t *out, bool *has_length)
{
    *has_length = true;
    switch (operand->kind) {
    case JS_OPERAND_TEXT:
    case JS_OPERAND_SEQUENCE:
        *out = operand->count;
        return JS_OK;
    case JS_OPERAND_ARRAY:
        if (operand->array->view.ndim == 0) {
            return js_fail(e, JS_EUNSUP, "TypeError: len() of unsized object");
        }
        *out = (uint64_t)operand->array->view.shape[0];
        return JS_OK;
    case JS_OPERAND_VALUE:
        return length_of_value(e, operand, out, has_length);
    default:
        *has_length = false;
        return JS_OK;
    }
}

int js_operand_items(js_evaluation *e, const js_operand *operand, js_operand *out, bool *is_sequence)
{
    *is_sequence = operand->kind == JS_OPERAND_SEQUENCE;
    if (*is_sequence) {
        *out = *operand;
        return JS_OK;
    }
    const js_type *type = operand->kind == JS_OPERAND_VALUE ? operand->value.type : NULL;
    *is_sequence = type && (type->kind == JS_KIND_TUPLE || type->kind == JS_KIND_LIST);
    if (!*is_sequence) {
        return JS_OK;
    }
    if (type->kind == JS_KIND_LIST) {
        return js_container_items(e, operand, out);
    }
    js_operand *items = js_arena_alloc(&e->arena, (type->nmembers + 1) * sizeof *items);
    if (!items) {
        return js_no_memory(e);
    }
    for (size_t i = 0; i < type->nmembers; i++) {
        js_value part;
        int status = js_select_part(&operand->value, type->members[i].type, type->members[i].offset, &part);
        status = status ? status : js_operand_of_value(e, &part, &items[i]);
        if (status) {
            return status;
        }
    }
    *out = (js_operand){.kind = JS_OPERAND_SEQUENCE, .items = items, .count = type->nmembers};
    return JS_OK;
}

int js_operand_truth(js_evaluation *e, const js_operand *operand, bool *out)
{
    js_operand one, number;
    uint64_t length;
    bool has_length;
    *out = true;
    operand = js_operand_as_number(operand, &number);
    switch (operand->kind) {
    case JS_OPERAND_NONE:
        *out = false;
        return JS_OK;
    case JS_OPERAND_NUMBER:
        *out = js_number_truth(&operand->number);
        return JS_OK;
    case JS_OPERAND_ARRAY:
        if (operand->array->view.nitems == 0) {
            return js_fail(e, JS_EBAD,
                           "ValueError: The truth value of an empty array is ambiguous. Use `array.size > 0` "
                           "to check that an array is not empty.");
        }
        if (operand->array->view.nitems > 1) {
            return js_fail(e, JS_EBAD,
                           "ValueError: The truth value of an array with more than one element is ambiguous. "
                           "Use a.any() or a.all()");
        }
        {
            int status = js_operand_of_element(e, operand->array, &one);
            return status ? status : js_operand_truth(e, &one, out);
        }
    case JS_OPERAND_VALUE:
        if (operand->value.type->kind == JS_KIND_OPAQUE || operand->value.type->kind == JS_KIND_STRUCT ||
            operand->value.type->kind == JS_KIND_DATETIME || operand->value.type->kind == JS_KIND_TIMEDELTA ||
            operand->value.type->kind == JS_KIND_RECORD || operand->value.type->kind == JS_KIND_OBJECT ||
            (operand->value.type->kind == JS_KIND_PYOBJECT && !js_object_length(e, operand, &length))) {
            return js_fail(e, JS_EUNSUP, "TypeError: bool() of %s is not known here",
                           js_operand_type(operand));
        }
        break;
    default:
        break;
    }
    int status = js_operand_length(e, operand, &length, &has_length);
    if (status == JS_OK && has_length) {
        *out = length != 0;
    }
    return status;
}
