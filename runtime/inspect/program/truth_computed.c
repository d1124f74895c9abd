/* Values that the machine keeps no more, of what the source makes them of: whole numbers, tests, copies and
 * tuples of other variables that are known at the same place. Nothing is read but what is shown of those. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "program/truth_internal.h"

enum { COMPUTED_DEPTH = 24, COMPUTED_GUARDS = 8, COMPUTED_EXITS = 24, COMPUTED_WORD = 256 };
enum { KIND_NONE = 0, KIND_INT = 1, KIND_BOOL = 2, KIND_ANY = 3 };

typedef struct work {
    js_truth *truth;
    js_finder *finder;
    js_expr *out;
    const js_variable *guarded[COMPUTED_GUARDS]; /* arguments that a caller holds */
    size_t nguarded;
    size_t exits[COMPUTED_EXITS]; /* where there is no value */
    size_t nexits;
    uint64_t size;
} work;

typedef struct cursor {
    const char *at;
    char word[COMPUTED_WORD];
    unsigned depth;
} cursor;

static bool next_word(work *to, cursor *in)
{
    size_t length = strcspn(in->at, ",");
    if (length == 0 || length >= sizeof(in->word) || to->finder->left == 0) {
        return false;
    }
    to->finder->left--;
    memcpy(in->word, in->at, length);
    in->word[length] = '\0';
    in->at += length + (in->at[length] == ',');
    return true;
}

static bool is_number(const char *word)
{
    return (word[0] >= '0' && word[0] <= '9') || (word[0] == '-' && word[1]);
}

static bool is_name(const char *word)
{
    return !is_number(word) && !strchr("+-*/%<>=!?.", word[0]);
}

static bool is_int(const js_type *type)
{
    return type->kind == JS_KIND_INT && type->shape == JS_SHAPE_INT && type->is_signed && type->size == 8;
}

static bool is_bool(const js_type *type)
{
    return type->shape == JS_SHAPE_BOOL && type->size == 1;
}

static bool is_literal(const js_type *type)
{
    return type->kind == JS_KIND_LITERAL && type->size == 8 && type->literal && is_number(type->literal) &&
           !strpbrk(type->literal, ".eEn");
}

static void leave(work *to)
{
    js_expr_piece(to->out, to->size);
    if (to->nexits == COMPUTED_EXITS) {
        to->out->overflow = true;
        return;
    }
    to->exits[to->nexits++] = js_expr_leap(to->out, DW_OP_skip);
}

/* ---- what other variables hold ---- */

/* [offset, offset + size) of what lies there, on the expression stack. */
static bool push_place(const js_expr *found, const js_type *type, uint64_t offset, uint8_t size, js_expr *out)
{
    js_part parts[JS_TRUTH_LEAVES];
    size_t count;
    bool is_memory = found->size > 1 && found->bytes[0] == DW_OP_fbreg; /* alone: a home */
    if (!is_memory) {
        if (js_parts_read(found->bytes, found->size, type->size, parts, JS_TRUTH_LEAVES, &count) != JS_OK) {
            return false;
        }
        const js_part *part = NULL;
        for (size_t i = 0; i < count && !part; i++) {
            bool is_exact = parts[i].offset == offset && parts[i].size == size;
            part = is_exact || (count == 1 && parts[i].is_slot) ? &parts[i] : NULL;
        }
        if (!part || part->length == 0) {
            return false;
        }
        if (part->is_register) {
            js_expr_value(out, part->reg);
            return part->reg < JS_CODE_VECTOR && size == 8;
        }
        if (!part->is_slot) {
            js_expr_copy(out, part->expr, part->length - 1);
            return part->is_computed && part->expr[0] != DW_OP_implicit_value;
        }
        js_expr_copy(out, part->expr, part->length);
        offset -= part->offset;
    } else {
        js_expr_copy(out, found->bytes, found->size);
    }
    js_expr_op(out, DW_OP_plus_uconst);
    js_expr_uleb(out, offset);
    js_expr_op(out, DW_OP_deref_size);
    js_expr_op(out, size);
    return true;
}

/* An argument that only the caller has: asked for before anything is computed. */
static bool guard(work *to, const js_variable *argument)
{
    for (size_t i = 0; i < to->nguarded; i++) {
        if (to->guarded[i] == argument) {
            return true;
        }
    }
    if (to->nguarded == COMPUTED_GUARDS || !js_truth_put_held(to->truth, argument, to->out)) {
        return false;
    }
    size_t is_held = js_expr_leap(to->out, DW_OP_bra);
    leave(to);
    js_expr_land(to->out, is_held);
    to->guarded[to->nguarded++] = argument;
    return true;
}

static bool is_only_with_caller(const js_verdict *found, uint64_t offset, uint8_t size)
{
    js_expr tried = {.size = 0, .overflow = false};
    return found->version->is_argument && found->version->version == 0 && !found->is_told_by_zero &&
           !push_place(&found->expr, found->version->type, offset, size, &tried);
}

static unsigned push_scalar(work *to, const js_verdict *found, uint64_t offset, uint8_t size)
{
    if (found->is_told_by_zero) {
        return KIND_NONE;
    }
    bool done = is_only_with_caller(found, offset, size)
                    ? js_truth_push_held(to->truth, found->version, offset, to->out)
                    : push_place(&found->expr, found->version->type, offset, size, to->out);
    if (done && size == 1) {
        js_expr_op(to->out, DW_OP_lit1);
        js_expr_op(to->out, DW_OP_and);
    }
    return !done ? KIND_NONE : size == 1 ? KIND_BOOL : KIND_INT;
}

/* The member of an array or a text that says its length. */
static bool length_of(const js_type *type, uint64_t *offset)
{
    js_role role = type->kind == JS_KIND_ARRAY ? JS_ROLE_SHAPE : JS_ROLE_LENGTH;
    for (size_t i = 0; i < type->nmembers; i++) {
        const js_member *member = &type->members[i];
        if (member->role == role && (role == JS_ROLE_SHAPE ? type->ndim > 0 : member->type->size == 8)) {
            *offset = member->offset;
            return type->kind == JS_KIND_ARRAY || type->kind == JS_KIND_STR;
        }
    }
    return false;
}

/* ---- whole numbers and tests ---- */

static unsigned walk(work *to, cursor *in);

static unsigned walk_name(work *to, const cursor *in)
{
    js_verdict found;
    cursor inner = {.depth = in->depth + 1};
    if (in->depth > COMPUTED_DEPTH || !to->finder->find(to->finder->context, in->word, &found)) {
        return KIND_NONE;
    }
    const js_type *type = found.version->type;
    if (is_literal(type) && !found.is_told_by_zero && !found.computed) {
        js_expr_number(to->out, strtoll(type->literal, NULL, 10));
        return KIND_INT;
    }
    if (!is_int(type) && !is_bool(type)) {
        return KIND_NONE;
    }
    if (found.computed) {
        inner.at = found.computed;
        unsigned kind = walk(to, &inner);
        return is_bool(type) ? kind & KIND_BOOL : kind ? KIND_INT : KIND_NONE;
    }
    return push_scalar(to, &found, 0, (uint8_t)type->size);
}

static unsigned walk_length(work *to, cursor *in)
{
    js_verdict found;
    uint64_t offset;
    if (!next_word(to, in) || !to->finder->find(to->finder->context, in->word, &found) || found.computed ||
        !length_of(found.version->type, &offset)) {
        return KIND_NONE;
    }
    return push_scalar(to, &found, offset, 8);
}

static bool divide(js_expr *out, const char *number, bool is_remainder)
{
    int64_t by = is_number(number) ? strtoll(number, NULL, 10) : 0;
    if (by != 0 && by != -1) {
        js_expr_divide(out, by, is_remainder);
    }
    return by != 0 && by != -1;
}

static const struct {
    const char *word;
    uint8_t op;
    unsigned takes, gives;
} operators[] = {{"+", DW_OP_plus, KIND_INT, KIND_INT},  {"-", DW_OP_minus, KIND_INT, KIND_INT},
                 {"*", DW_OP_mul, KIND_INT, KIND_INT},   {"<", DW_OP_lt, KIND_ANY, KIND_BOOL},
                 {"<=", DW_OP_le, KIND_ANY, KIND_BOOL},  {">", DW_OP_gt, KIND_ANY, KIND_BOOL},
                 {">=", DW_OP_ge, KIND_ANY, KIND_BOOL},  {"==", DW_OP_eq, KIND_ANY, KIND_BOOL},
                 {"!=", DW_OP_ne, KIND_ANY, KIND_BOOL},  {".and", DW_OP_and, KIND_BOOL, KIND_BOOL},
                 {".or", DW_OP_or, KIND_BOOL, KIND_BOOL}};

static unsigned walk_operator(work *to, cursor *in)
{
    for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
        if (strcmp(operators[i].word, in->word) == 0) {
            unsigned left = walk(to, in), right = left ? walk(to, in) : KIND_NONE;
            js_expr_op(to->out, operators[i].op);
            unsigned takes = operators[i].takes;
            return left & takes && right & takes ? operators[i].gives : KIND_NONE;
        }
    }
    return KIND_NONE;
}

static unsigned walk(work *to, cursor *in)
{
    if (++in->depth > COMPUTED_DEPTH || !next_word(to, in)) {
        return KIND_NONE;
    }
    if (is_number(in->word)) {
        if (strpbrk(in->word, ".eEn")) {
            return KIND_NONE;
        }
        int64_t value = strtoll(in->word, NULL, 10);
        js_expr_number(to->out, value);
        in->depth--;
        return value == 0 || value == 1 ? KIND_INT | KIND_BOOL : KIND_INT;
    }
    unsigned kind;
    if (is_name(in->word)) {
        kind = walk_name(to, in);
    } else if (strcmp(in->word, ".len") == 0) {
        kind = walk_length(to, in);
    } else if (strcmp(in->word, ".not") == 0) {
        kind = walk(to, in) ? KIND_BOOL : KIND_NONE;
        js_expr_op(to->out, DW_OP_lit0);
        js_expr_op(to->out, DW_OP_eq);
    } else if (strcmp(in->word, ".neg") == 0) {
        kind = walk(to, in) & KIND_INT;
        js_expr_op(to->out, DW_OP_neg);
    } else if (strcmp(in->word, "//") == 0 || strcmp(in->word, "%") == 0) {
        bool is_remainder = in->word[0] == '%';
        kind = walk(to, in) & KIND_INT;
        kind = kind && next_word(to, in) && divide(to->out, in->word, is_remainder) ? KIND_INT : KIND_NONE;
    } else if (strcmp(in->word, ".min") == 0 || strcmp(in->word, ".max") == 0) {
        bool is_least = in->word[2] == 'i';
        kind = walk(to, in) & KIND_INT;
        kind = kind ? walk(to, in) & KIND_INT : KIND_NONE;
        js_expr_choose(to->out, is_least);
    } else {
        kind = walk_operator(to, in);
    }
    in->depth--;
    return kind;
}

/* ---- the whole ---- */

/* What may be asked of a caller, in every part: the tests of whether it is the one come first. */
static bool guard_all(work *to, const char *text, unsigned depth)
{
    cursor in = {.at = text};
    bool is_length = false;
    while (*in.at) {
        js_verdict found;
        uint64_t offset = 0;
        if (depth > COMPUTED_DEPTH || !next_word(to, &in)) {
            return false;
        }
        if (is_name(in.word)) {
            if (!to->finder->find(to->finder->context, in.word, &found)) {
                return false;
            }
            const js_type *type = found.version->type;
            bool is_scalar = is_int(type) || is_bool(type) || (is_length && length_of(type, &offset));
            if (found.computed) {
                if (!guard_all(to, found.computed, depth + 1)) {
                    return false;
                }
            } else if (is_scalar && is_only_with_caller(&found, offset, is_bool(type) ? 1 : 8) &&
                       !guard(to, found.version)) {
                return false;
            }
        }
        is_length = strcmp(in.word, ".len") == 0;
    }
    return true;
}

static bool fits(unsigned kind, const js_type *type)
{
    return is_bool(type) ? (kind & KIND_BOOL) != 0 : (is_int(type) || is_literal(type)) && kind;
}

/* One of what may be chosen: a scalar of the type. */
static bool put_scalar(work *to, cursor *in, const js_type *type)
{
    js_verdict found;
    bool is_text = type->kind == JS_KIND_LITERAL && type->literal_kind == 's';
    if (strncmp(in->at, ".text", 5) == 0) { /* all of it is in the type */
        js_expr_op(to->out, DW_OP_lit0);
        return next_word(to, in) && (is_text || type->kind == JS_KIND_NONE) && type->size <= 8;
    }
    if (type->shape != JS_SHAPE_FLOAT || type->size != 8) {
        return fits(walk(to, in), type);
    }
    if (!next_word(to, in)) {
        return false;
    }
    if (is_number(in->word)) {
        double value = strtod(in->word, NULL);
        int64_t bits;
        memcpy(&bits, &value, sizeof(bits));
        js_expr_number(to->out, bits);
        return strpbrk(in->word, ".en") != NULL; /* a whole number would be of another type */
    }
    return is_name(in->word) && to->finder->find(to->finder->context, in->word, &found) && !found.computed &&
           found.version->type == type && !found.is_told_by_zero &&
           push_place(&found.expr, type, 0, 8, to->out);
}

/* The test of a choice; other: from where it leads to what else is chosen. */
static bool put_test(work *to, cursor *in, size_t *other)
{
    next_word(to, in);
    if (++in->depth > COMPUTED_DEPTH || !walk(to, in)) {
        return false;
    }
    js_expr_op(to->out, DW_OP_lit0);
    js_expr_op(to->out, DW_OP_eq);
    *other = js_expr_leap(to->out, DW_OP_bra);
    return true;
}

/* Leaves the value on the stack, or the expression where there is none. */
static bool put_choice(work *to, cursor *in, const js_type *type)
{
    if (strcmp(in->at, ".none") == 0 || strncmp(in->at, ".none,", 6) == 0) {
        next_word(to, in);
        leave(to);
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

static bool put_item(work *to, cursor *in, const js_type *type)
{
    if (is_literal(type)) { /* its value is in its type, too */
        bool is_it = next_word(to, in) && strcmp(in->word, type->literal) == 0;
        js_expr_number(to->out, strtoll(type->literal, NULL, 10));
        js_expr_op(to->out, DW_OP_stack_value);
        return is_it;
    }
    if (is_int(type) || is_bool(type)) {
        bool done = fits(walk(to, in), type);
        js_expr_op(to->out, DW_OP_stack_value);
        return done;
    }
    js_verdict found;
    if (type->shape != JS_SHAPE_FLOAT || type->size != 8 || !next_word(to, in)) {
        return false;
    }
    if (is_number(in->word)) {
        double value = strtod(in->word, NULL);
        js_expr_bytes(to->out, &value, sizeof(value));
        return strpbrk(in->word, ".en") != NULL; /* a whole number would be an int64 of the tuple */
    }
    js_part part;
    size_t count;
    if (!is_name(in->word) || !to->finder->find(to->finder->context, in->word, &found) || found.computed ||
        found.version->type != type || found.is_told_by_zero ||
        js_parts_read(found.expr.bytes, found.expr.size, 8, &part, 1, &count) != JS_OK || count != 1) {
        return false;
    }
    js_expr_copy(to->out, found.expr.bytes, found.expr.size);
    return true;
}

static bool put_tuple(work *to, cursor *in, const js_type *type)
{
    uint64_t done = 0, count = type->shape == JS_SHAPE_ARRAY ? type->count : type->nmembers;
    next_word(to, in);
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

/* One of several tuples, chosen by tests: each ends the expression. */
static bool put_chosen_tuple(work *to, cursor *in, const js_type *type)
{
    if (strncmp(in->at, ".none", 5) == 0) {
        next_word(to, in);
        leave(to);
        return true;
    }
    if (strncmp(in->at, "?,", 2) != 0) {
        bool done = put_tuple(to, in, type);
        if (to->nexits == COMPUTED_EXITS) {
            return false;
        }
        to->exits[to->nexits++] = js_expr_leap(to->out, DW_OP_skip);
        return done;
    }
    size_t other;
    if (!put_test(to, in, &other) || !put_chosen_tuple(to, in, type)) {
        return false;
    }
    js_expr_land(to->out, other);
    return put_chosen_tuple(to, in, type);
}

/* Of the same type: wherever that is. */
static bool put_copy(work *to, const char *name, const js_variable *version)
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
    work to = {.truth = truth, .finder = finder, .out = out, .size = version->type->size};
    cursor in = {.at = text};
    out->size = 0;
    out->overflow = false;
    if (!strchr(text, ',') && strcmp(text, ".text") != 0) {
        js_verdict literal = {.state = JS_STATE_UNKNOWN};
        if (is_name(text)) {
            return next_word(&to, &in) && put_copy(&to, text, version);
        }
        bool done = is_number(text) && js_truth_put_literal(version, text, &literal);
        *out = literal.expr;
        return done;
    }
    if (!guard_all(&to, text, 0)) {
        return false;
    }
    bool done;
    if (strncmp(text, ".tuple", 6) == 0) {
        done = put_tuple(&to, &in, version->type);
    } else if (version->type->kind == JS_KIND_TUPLE) {
        done = put_chosen_tuple(&to, &in, version->type);
    } else {
        done = put_choice(&to, &in, version->type);
        js_expr_op(out, DW_OP_stack_value);
    }
    for (size_t i = 0; i < to.nexits; i++) {
        js_expr_land(out, to.exits[i]);
    }
    return done && !*in.at && !out->overflow;
}
