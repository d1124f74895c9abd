/* Finds arguments that a function does not keep in the frame of the wrapper that Python calls, which holds
 * each argument's object, and the structure of each array, until the function returns. The expressions first
 * test whether the function returns to that wrapper. */
#include "program/validity/recovered/from_caller.h"

#include <dwarf.h>

#include "program/validity/recovered/arguments.h"
#include "program/validity/recovered/cpython/boxed.h"

enum { ADDRESS_SIZE = 8 };

static void put_address(js_expr *out, int64_t offset)
{
    js_expr_op(out, DW_OP_call_frame_cfa);
    js_expr_op(out, DW_OP_plus_uconst);
    js_expr_uleb(out, (uint64_t)offset);
}

static void put_is_called(js_expr *out, uint64_t returns_to)
{
    js_expr_op(out, DW_OP_call_frame_cfa);
    js_expr_op(out, DW_OP_lit0 + ADDRESS_SIZE);
    js_expr_op(out, DW_OP_minus);
    js_expr_op(out, DW_OP_deref);
    js_expr_op(out, DW_OP_constu);
    js_expr_uleb(out, returns_to);
    js_expr_op(out, DW_OP_eq);
}

static void put_memory(uint64_t returns_to, int64_t offset, uint64_t size, js_expr *out)
{
    put_is_called(out, returns_to);
    size_t is_called = js_expr_leap(out, DW_OP_bra);
    js_expr_piece(out, size);
    size_t other = js_expr_leap(out, DW_OP_skip);
    js_expr_land(out, is_called);
    put_address(out, offset);
    js_expr_land(out, other);
}

/* Put the scalar of an object, or of item *item of an object that is a tuple. */
static void put_scalar(uint64_t returns_to, int64_t offset, js_boxed kind, const size_t *item, uint64_t size,
                       js_expr *out)
{
    put_is_called(out, returns_to);
    size_t is_called = js_expr_leap(out, DW_OP_bra);
    size_t other = js_expr_leap(out, DW_OP_skip), no_tuple = 0;
    js_expr_land(out, is_called);
    put_address(out, offset);
    js_expr_op(out, DW_OP_deref);
    if (item) {
        js_boxed_put_guard(out, JS_BOXED_TUPLE);
        size_t is_tuple = js_expr_leap(out, DW_OP_bra);
        no_tuple = js_expr_leap(out, DW_OP_skip);
        js_expr_land(out, is_tuple);
        js_boxed_put_item(out, *item);
    }
    js_boxed_put_guard(out, kind);
    size_t is_kind = js_expr_leap(out, DW_OP_bra);
    if (item) {
        js_expr_land(out, no_tuple);
    }
    js_expr_op(out, DW_OP_drop);
    js_expr_land(out, other);
    js_expr_piece(out, size);
    size_t end = js_expr_leap(out, DW_OP_skip);
    js_expr_land(out, is_kind);
    js_boxed_put_value(out, kind);
    js_expr_op(out, DW_OP_stack_value);
    js_expr_piece(out, size);
    js_expr_land(out, end);
}

static bool put_tuple(uint64_t returns_to, int64_t offset, const js_type *type, js_expr *out)
{
    bool is_uniform = type->shape == JS_SHAPE_ARRAY;
    uint64_t done = 0, count = is_uniform ? type->count : type->nmembers;
    for (size_t i = 0; i < count && !out->overflow; i++) {
        const js_type *item = is_uniform ? type->target : type->members[i].type;
        uint64_t at = is_uniform ? i * item->size : type->members[i].offset;
        js_boxed kind;
        if (!js_boxed_kind(item, &kind) || kind >= JS_BOXED_TUPLE || at < done) {
            return false;
        }
        if (at > done) {
            js_expr_piece(out, at - done);
        }
        put_scalar(returns_to, offset, kind, &i, item->size, out);
        done = at + item->size;
    }
    if (done < type->size) {
        js_expr_piece(out, type->size - done);
    }
    return done > 0;
}

static bool put_text(uint64_t returns_to, const js_held_argument *held, const js_type *type, js_expr *out)
{
    static const js_role roles[JS_CALLER_TEXT] = {JS_ROLE_LENGTH, JS_ROLE_CHAR_KIND, JS_ROLE_IS_ASCII,
                                                  JS_ROLE_HASH};
    uint64_t done = 0;
    put_is_called(out, returns_to);
    size_t is_called = js_expr_leap(out, DW_OP_bra);
    size_t other = js_expr_leap(out, DW_OP_skip);
    js_expr_land(out, is_called);
    put_address(out, held->object);
    js_expr_op(out, DW_OP_deref);
    js_boxed_put_guard(out, JS_BOXED_STR);
    size_t is_str = js_expr_leap(out, DW_OP_bra);
    js_expr_op(out, DW_OP_drop);
    js_expr_land(out, other);
    js_expr_piece(out, type->size);
    size_t end = js_expr_leap(out, DW_OP_skip);
    js_expr_land(out, is_str);
    js_expr_op(out, DW_OP_drop);
    for (size_t i = 0; i < type->nmembers; i++) {
        const js_member *member = &type->members[i];
        if (member->offset < done) {
            return false;
        }
        if (member->offset > done) {
            js_expr_piece(out, member->offset - done);
        }
        for (size_t t = 0; t < JS_CALLER_TEXT; t++) {
            if (member->role == roles[t]) {
                put_address(out, held->text[t]);
            }
        }
        if (member->role == JS_ROLE_DATA) {
            put_address(out, held->object);
            js_expr_op(out, DW_OP_deref);
            put_address(out, held->text[2]);
            js_expr_op(out, DW_OP_deref_size);
            js_expr_op(out, 4);
            js_boxed_put_characters(out);
            js_expr_op(out, DW_OP_stack_value);
        } else if (member->role == JS_ROLE_PARENT) {
            put_address(out, held->object);
        }
        js_expr_piece(out, member->type->size);
        done = member->offset + member->type->size;
    }
    js_expr_land(out, end);
    return done == type->size;
}

bool js_truth_put_from_caller(js_truth *truth, const js_variable *argument, js_expr *out)
{
    const js_type *type = argument->type;
    uint64_t returns_to;
    js_boxed kind;
    bool is_array = type->kind == JS_KIND_ARRAY;
    if (!is_array && !js_boxed_kind(type, &kind)) {
        return false;
    }
    const js_held_argument *held = js_truth_find_in_caller(truth, argument, &returns_to);
    if (!held || (is_array ? held->array : held->object) == JS_TRACK_NOWHERE) {
        return false;
    }
    if (is_array) {
        put_memory(returns_to, held->array, type->size, out);
    } else if (kind == JS_BOXED_STR) {
        bool has_all = true;
        for (size_t t = 0; t < JS_CALLER_TEXT; t++) {
            has_all = has_all && held->text[t] != JS_TRACK_NOWHERE;
        }
        return has_all && put_text(returns_to, held, type, out) && !out->overflow;
    } else if (kind == JS_BOXED_TUPLE) {
        return put_tuple(returns_to, held->object, type, out) && !out->overflow;
    } else {
        put_scalar(returns_to, held->object, kind, NULL, type->size, out);
    }
    return !out->overflow;
}

/* Return where the caller holds an argument that is an array, or a scalar with an object of its own; else
 * NULL. */
static const js_held_argument *held_plainly(js_truth *truth, const js_variable *argument,
                                            uint64_t *returns_to, js_boxed *kind)
{
    const js_held_argument *held = js_truth_find_in_caller(truth, argument, returns_to);
    if (held && argument->type->kind == JS_KIND_ARRAY) {
        return held->array != JS_TRACK_NOWHERE ? held : NULL;
    }
    bool is_scalar = held && js_boxed_kind(argument->type, kind) && *kind < JS_BOXED_TUPLE;
    return is_scalar && held->object != JS_TRACK_NOWHERE ? held : NULL;
}

bool js_truth_put_held(js_truth *truth, const js_variable *argument, js_expr *out)
{
    uint64_t returns_to;
    js_boxed kind;
    const js_held_argument *held = held_plainly(truth, argument, &returns_to, &kind);
    if (!held) {
        return false;
    }
    put_is_called(out, returns_to);
    if (argument->type->kind != JS_KIND_ARRAY) {
        size_t is_called = js_expr_leap(out, DW_OP_bra);
        js_expr_op(out, DW_OP_lit0);
        size_t other = js_expr_leap(out, DW_OP_skip);
        js_expr_land(out, is_called);
        put_address(out, held->object);
        js_expr_op(out, DW_OP_deref);
        js_boxed_put_guard(out, kind);
        js_expr_op(out, DW_OP_swap);
        js_expr_op(out, DW_OP_drop);
        js_expr_land(out, other);
    }
    return !out->overflow;
}

bool js_truth_push_held(js_truth *truth, const js_variable *argument, uint64_t offset, js_expr *out)
{
    uint64_t returns_to;
    js_boxed kind;
    const js_held_argument *held = held_plainly(truth, argument, &returns_to, &kind);
    if (!held) {
        return false;
    }
    bool is_array = argument->type->kind == JS_KIND_ARRAY;
    put_address(out, is_array ? held->array + (int64_t)offset : held->object);
    js_expr_op(out, DW_OP_deref);
    if (!is_array) {
        js_boxed_put_value(out, kind);
    }
    return !out->overflow;
}
