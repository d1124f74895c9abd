/* Values that the machine keeps no more, of what the source makes them of: numbers, tests, copies and tuples
 * of other variables that are known at the same place. Nothing is read but what is shown of those. */
#include "program/validity/recovered/computed.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "program/names/numba/return_convention.h"
#include "program/source/formula_lex.h"
#include "program/validity/locations/scalar_kind.h"
#include "program/validity/recovered/formula.h"
#include "program/validity/variables/constants.h"

static bool is_view(const char *words)
{
    return strncmp(words, JS_WORD_VIEW, strlen(JS_WORD_VIEW)) == 0;
}

/* What may be asked of a caller, in every part: the tests of whether it is the one come first. */
static bool guard_all(js_computing *to, const char *text, unsigned depth)
{
    js_words in = {.at = text};
    bool is_length = false;
    unsigned axis = 0;
    while (*in.at) {
        js_verdict found;
        uint64_t offset = 0;
        if (depth > JS_WORDS_DEPTH || !js_words_next(to, &in)) {
            return false;
        }
        if (js_word_is_name(in.word)) {
            if (!to->finder->find(to->finder->context, in.word, &found)) {
                return false;
            }
            const js_type *type = found.version->type;
            bool is_scalar = js_scalar_is_whole(found.version) || js_scalar_is_bool(type) ||
                             js_scalar_is_float(type) || (is_length && js_scalar_length(type, axis, &offset));
            if (found.computed) {
                if (!guard_all(to, found.computed, depth + 1)) {
                    return false;
                }
            } else if (is_scalar &&
                       js_scalar_is_with_caller(&found, offset, js_scalar_is_bool(type) ? 1 : 8) &&
                       !js_scalar_guard(to, found.version)) {
                return false;
            }
        }
        axis = 0;
        is_length = js_word_is_length(in.word, &axis) || is_view(in.word);
    }
    return true;
}

static bool fits(unsigned kind, const js_type *type)
{
    return js_scalar_is_bool(type)    ? (kind & JS_SCALAR_BOOL) != 0
           : js_scalar_is_float(type) ? kind == JS_SCALAR_FLOAT /* a whole number is of another type */
                                      : js_scalar_is_int(type) && (kind & JS_SCALAR_INT);
}

/* What is shown of it is in its type: that must be the word. */
static bool put_literal(js_computing *to, js_words *in, const js_type *type)
{
    bool is_it = js_words_next(to, in) && strcmp(in->word, type->literal) == 0;
    js_expr_number(to->out, strtoll(type->literal, NULL, 10));
    return is_it;
}

/* One of what may be chosen: a scalar of the type. */
static bool put_scalar(js_computing *to, js_words *in, const js_type *type)
{
    bool is_text = type->kind == JS_KIND_LITERAL && type->literal_kind == 's';
    if (strncmp(in->at, ".text", 5) == 0) { /* all of it is in the type */
        js_expr_op(to->out, DW_OP_lit0);
        return js_words_next(to, in) && (is_text || type->kind == JS_KIND_NONE) && type->size <= 8;
    }
    return js_scalar_is_literal(type) ? put_literal(to, in, type) : fits(js_words_walk(to, in), type);
}

/* The test of a choice; other: from where it leads to what else is chosen. */
static bool put_test(js_computing *to, js_words *in, size_t *other)
{
    js_words_next(to, in);
    if (++in->depth > JS_WORDS_DEPTH || !(js_words_walk(to, in) & JS_SCALAR_WHOLE)) {
        return false;
    }
    js_expr_op(to->out, DW_OP_lit0);
    js_expr_op(to->out, DW_OP_eq);
    *other = js_expr_leap(to->out, DW_OP_bra);
    return true;
}

/* Leaves the value on the stack, or the expression where there is none. */
static bool put_choice(js_computing *to, js_words *in, const js_type *type)
{
    if (strcmp(in->at, ".none") == 0 || strncmp(in->at, ".none,", 6) == 0) {
        js_words_next(to, in);
        js_computing_leave(to);
        return true;
    }
    if (strncmp(in->at, "?,", 2) != 0) {
        return put_scalar(to, in, type);
    }
    size_t other;
    if (!put_test(to, in, &other) || !put_choice(to, in, type)) {
        return false;
    }
    size_t end = js_expr_leap(to->out, DW_OP_skip);
    js_expr_land(to->out, other);
    bool done = put_choice(to, in, type);
    js_expr_land(to->out, end);
    return done;
}

static bool put_item(js_computing *to, js_words *in, const js_type *type)
{
    if (js_scalar_is_literal(type)) {
        bool is_it = put_literal(to, in, type);
        js_expr_op(to->out, DW_OP_stack_value);
        return is_it;
    }
    if (js_scalar_is_int(type) || js_scalar_is_bool(type)) {
        bool done = fits(js_words_walk(to, in), type);
        js_expr_op(to->out, DW_OP_stack_value);
        return done;
    }
    js_verdict found;
    js_words ahead = *in;
    js_part part;
    size_t count;
    if (!js_scalar_is_float(type)) {
        return false;
    }
    if (js_words_next(to, &ahead) && js_word_is_name(ahead.word) &&
        to->finder->find(to->finder->context, ahead.word, &found) && !found.computed &&
        found.version->type == type && !found.is_told_by_zero &&
        js_parts_read(found.expr.bytes, found.expr.size, 8, &part, 1, &count) == JS_OK && count == 1) {
        js_expr_copy(to->out, found.expr.bytes, found.expr.size); /* its place */
        *in = ahead;
        return true;
    }
    bool done = fits(js_words_walk(to, in), type);
    js_expr_op(to->out, DW_OP_stack_value);
    return done;
}

static bool put_tuple(js_computing *to, js_words *in, const js_type *type)
{
    uint64_t done = 0, count = type->shape == JS_SHAPE_ARRAY ? type->count : type->nmembers;
    js_words_next(to, in);
    if (type->kind != JS_KIND_TUPLE || count != strtoull(in->word + strlen(".tuple"), NULL, 10)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        bool is_uniform = type->shape == JS_SHAPE_ARRAY;
        const js_type *item = is_uniform ? type->target : type->members[i].type;
        uint64_t at = is_uniform ? i * item->size : type->members[i].offset;
        if (at < done) {
            return false;
        }
        if (at > done) {
            js_expr_piece(to->out, at - done);
        }
        if (!put_item(to, in, item)) {
            return false;
        }
        js_expr_piece(to->out, item->size);
        done = at + item->size;
    }
    if (done < type->size) {
        js_expr_piece(to->out, type->size - done);
    }
    return done > 0;
}

static bool put_parts(js_computing *to, js_words *in, const js_type *type)
{
    if (is_view(in->at)) {
        return js_words_next(to, in) && js_words_put_view(to, in, type);
    }
    return put_tuple(to, in, type);
}

/* One of several tuples or views, chosen by tests: each ends the expression. */
static bool put_chosen_parts(js_computing *to, js_words *in, const js_type *type)
{
    if (strncmp(in->at, ".none", 5) == 0) {
        js_words_next(to, in);
        js_computing_leave(to);
        return true;
    }
    if (strncmp(in->at, "?,", 2) != 0) {
        bool done = put_parts(to, in, type);
        if (to->nexits == JS_COMPUTED_EXITS) {
            return false;
        }
        to->exits[to->nexits++] = js_expr_leap(to->out, DW_OP_skip);
        return done;
    }
    size_t other;
    if (!put_test(to, in, &other) || !put_chosen_parts(to, in, type)) {
        return false;
    }
    js_expr_land(to->out, other);
    return put_chosen_parts(to, in, type);
}

/* Puts a copy of a variable of the same type, wherever that is. */
static bool put_copy(js_computing *to, const char *name, const js_variable *version)
{
    js_verdict found;
    if (!to->finder->find(to->finder->context, name, &found) || found.version->type != version->type) {
        return false;
    }
    if (found.computed) {
        return js_truth_compute(to->truth, version, found.computed, to->finder, to->out);
    }
    *to->out = found.expr;
    return true;
}

bool js_truth_compute(js_truth *truth, const js_variable *version, const char *text, js_finder *finder,
                      js_expr *out)
{
    const js_function *function = truth->function;
    js_computing to = {.truth = truth, .finder = finder, .out = out, .size = version->type->size};
    to.keeps_floats = function->name.flags && js_numba_keeps_floats(function->name.flags);
    js_words in = {.at = text};
    out->size = 0;
    out->overflow = false;
    if (!strchr(text, ',') && strcmp(text, ".text") != 0) {
        js_verdict literal = {.state = JS_STATE_UNKNOWN};
        if (js_word_is_name(text)) {
            return js_words_next(&to, &in) && put_copy(&to, text, version);
        }
        bool done = js_word_is_number(text) && js_truth_put_literal(version, text, &literal);
        *out = literal.expr;
        return done;
    }
    if (!guard_all(&to, text, 0)) {
        return false;
    }
    bool done;
    if (strncmp(text, ".tuple", 6) == 0 || is_view(text)) {
        done = put_parts(&to, &in, version->type);
    } else if (version->type->kind == JS_KIND_TUPLE || version->type->kind == JS_KIND_ARRAY) {
        done = put_chosen_parts(&to, &in, version->type);
    } else {
        done = put_choice(&to, &in, version->type);
        js_expr_op(out, DW_OP_stack_value);
    }
    for (size_t i = 0; i < to.nexits; i++) {
        js_expr_land(out, to.exits[i]);
    }
    return done && !*in.at && !out->overflow;
}
