/* Numbers and tests, by the words that the source makes them of. */
#include "program/validity/recovered/formula.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "program/source/formula_lex.h"
#include "program/validity/locations/scalar_kind.h"

bool js_words_next(js_computing *to, js_words *in)
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

static unsigned walk_name(js_computing *to, const js_words *in)
{
    js_verdict found;
    js_words inner = {.depth = in->depth + 1};
    if (in->depth > JS_WORDS_DEPTH || !to->finder->find(to->finder->context, in->word, &found)) {
        return JS_SCALAR_NONE;
    }
    const js_type *type = found.version->type;
    if (js_scalar_is_literal(type) && !found.is_told_by_zero && !found.computed) {
        js_expr_number(to->out, strtoll(type->literal, NULL, 10));
        return JS_SCALAR_INT;
    }
    bool is_float = js_scalar_is_float(type), is_bool = js_scalar_is_bool(type);
    if (!js_scalar_is_whole(found.version) && !is_bool && !is_float) {
        return JS_SCALAR_NONE;
    }
    if (found.computed) {
        inner.at = found.computed;
        unsigned kind = js_words_walk(to, &inner);
        return kind & (is_float ? JS_SCALAR_FLOAT : is_bool ? JS_SCALAR_BOOL : JS_SCALAR_INT);
    }
    return js_scalar_put(to, &found, 0, (uint8_t)type->size);
}

static unsigned walk_length(js_computing *to, js_words *in, unsigned axis)
{
    js_verdict found;
    uint64_t offset;
    if (!js_words_next(to, in) || !to->finder->find(to->finder->context, in->word, &found) ||
        found.computed || !js_scalar_length(found.version->type, axis, &offset)) {
        return JS_SCALAR_NONE;
    }
    return js_scalar_put(to, &found, offset, 8);
}

static bool divide(js_expr *out, const char *number, bool is_remainder)
{
    int64_t by = js_word_is_number(number) ? strtoll(number, NULL, 10) : 0;
    if (by != 0 && by != -1) {
        js_expr_divide(out, by, is_remainder);
    }
    return by != 0 && by != -1;
}

static const struct {
    const char *word;
    uint8_t op;
    unsigned takes, gives; /* gives JS_SCALAR_INT: a float, of floats */
} operators[] = {
    {"+", DW_OP_plus, JS_SCALAR_INT, JS_SCALAR_INT},     {"-", DW_OP_minus, JS_SCALAR_INT, JS_SCALAR_INT},
    {"*", DW_OP_mul, JS_SCALAR_INT, JS_SCALAR_INT},      {"/", DW_OP_div, JS_SCALAR_NONE, JS_SCALAR_INT},
    {"<", DW_OP_lt, JS_SCALAR_WHOLE, JS_SCALAR_BOOL},    {"<=", DW_OP_le, JS_SCALAR_WHOLE, JS_SCALAR_BOOL},
    {">", DW_OP_gt, JS_SCALAR_WHOLE, JS_SCALAR_BOOL},    {">=", DW_OP_ge, JS_SCALAR_WHOLE, JS_SCALAR_BOOL},
    {"==", DW_OP_eq, JS_SCALAR_WHOLE, JS_SCALAR_BOOL},   {"!=", DW_OP_ne, JS_SCALAR_WHOLE, JS_SCALAR_BOOL},
    {".and", DW_OP_and, JS_SCALAR_BOOL, JS_SCALAR_BOOL}, {".or", DW_OP_or, JS_SCALAR_BOOL, JS_SCALAR_BOOL}};

/* What GDB makes of <= is not >, which says yes of what is no number. */
static void put_ordered_or_equal(js_expr *out, uint8_t op)
{
    js_expr_op(out, DW_OP_over);
    js_expr_op(out, DW_OP_over);
    js_expr_op(out, op == DW_OP_le ? DW_OP_lt : DW_OP_gt);
    js_expr_op(out, DW_OP_rot);
    js_expr_op(out, DW_OP_eq);
    js_expr_op(out, DW_OP_or);
}

/* Puts an operation on two numbers on the stack, one of them a float, or the quotient of any. */
static bool put_of_floats(js_computing *to, uint8_t op, unsigned left, unsigned right)
{
    bool is_logic = op == DW_OP_and || op == DW_OP_or;
    if (!((left & (JS_SCALAR_INT | JS_SCALAR_FLOAT)) && (right & (JS_SCALAR_INT | JS_SCALAR_FLOAT))) ||
        is_logic || !to->keeps_floats) {
        return false;
    }
    if (right != JS_SCALAR_FLOAT) {
        js_expr_to_float(to->out);
    }
    if (left != JS_SCALAR_FLOAT) {
        js_expr_op(to->out, DW_OP_swap);
        js_expr_to_float(to->out);
        js_expr_op(to->out, DW_OP_swap);
    }
    if (op == DW_OP_le || op == DW_OP_ge) {
        put_ordered_or_equal(to->out, op);
    } else {
        js_expr_op(to->out, op);
    }
    return true;
}

static unsigned walk_operator(js_computing *to, js_words *in)
{
    for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
        if (strcmp(operators[i].word, in->word) != 0) {
            continue;
        }
        unsigned left = js_words_walk(to, in), right = left ? js_words_walk(to, in) : JS_SCALAR_NONE;
        unsigned takes = operators[i].takes, gives = operators[i].gives;
        if (left & takes && right & takes) {
            js_expr_op(to->out, operators[i].op);
            return gives;
        }
        bool done = right && put_of_floats(to, operators[i].op, left, right);
        return !done ? JS_SCALAR_NONE : gives == JS_SCALAR_INT ? JS_SCALAR_FLOAT : gives;
    }
    return JS_SCALAR_NONE;
}

static unsigned put_number(js_computing *to, const char *word)
{
    if (!strpbrk(word, ".en")) {
        int64_t value = strtoll(word, NULL, 10);
        js_expr_number(to->out, value);
        return value == 0 || value == 1 ? JS_SCALAR_WHOLE : JS_SCALAR_INT;
    }
    double value = strtod(word, NULL);
    int64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    js_expr_number(to->out, bits);
    js_expr_as_float(to->out);
    return JS_SCALAR_FLOAT;
}

static unsigned negate(js_computing *to, unsigned kind)
{
    if (kind != JS_SCALAR_FLOAT) {
        js_expr_op(to->out, DW_OP_neg);
        return kind & JS_SCALAR_INT;
    }
    put_number(to, "-1.0"); /* what GDB takes from 0 is not -0.0 */
    js_expr_op(to->out, DW_OP_mul);
    return to->keeps_floats ? kind : JS_SCALAR_NONE;
}

/* One of two numbers of the same kind. */
static unsigned walk_choice(js_computing *to, js_words *in)
{
    if (!(js_words_walk(to, in) & JS_SCALAR_WHOLE)) {
        return JS_SCALAR_NONE;
    }
    js_expr_op(to->out, DW_OP_lit0);
    js_expr_op(to->out, DW_OP_eq);
    size_t other = js_expr_leap(to->out, DW_OP_bra);
    unsigned kind = js_words_walk(to, in);
    size_t end = js_expr_leap(to->out, DW_OP_skip);
    js_expr_land(to->out, other);
    kind = kind ? kind & js_words_walk(to, in) : kind;
    js_expr_land(to->out, end);
    return kind;
}

unsigned js_words_walk(js_computing *to, js_words *in)
{
    if (++in->depth > JS_WORDS_DEPTH || !js_words_next(to, in)) {
        return JS_SCALAR_NONE;
    }
    if (js_word_is_number(in->word)) {
        in->depth--;
        return put_number(to, in->word);
    }
    unsigned kind, axis;
    if (js_word_is_name(in->word)) {
        kind = walk_name(to, in);
    } else if (js_word_is_length(in->word, &axis)) {
        kind = walk_length(to, in, axis);
    } else if (strcmp(in->word, ".if") == 0) {
        kind = walk_choice(to, in);
    } else if (strcmp(in->word, ".not") == 0) {
        kind = js_words_walk(to, in) & JS_SCALAR_WHOLE ? JS_SCALAR_BOOL : JS_SCALAR_NONE;
        js_expr_op(to->out, DW_OP_lit0);
        js_expr_op(to->out, DW_OP_eq);
    } else if (strcmp(in->word, ".neg") == 0) {
        kind = negate(to, js_words_walk(to, in));
    } else if (strcmp(in->word, ".whole") == 0) {
        kind = js_words_walk(to, in) & JS_SCALAR_INT;
    } else if (strcmp(in->word, "//") == 0 || strcmp(in->word, "%") == 0) {
        bool is_remainder = in->word[0] == '%';
        kind = js_words_walk(to, in) & JS_SCALAR_INT;
        kind = kind && js_words_next(to, in) && divide(to->out, in->word, is_remainder) ? JS_SCALAR_INT
                                                                                        : JS_SCALAR_NONE;
    } else if (strcmp(in->word, ".min") == 0 || strcmp(in->word, ".max") == 0) {
        bool is_least = in->word[2] == 'i';
        kind = js_words_walk(to, in) & JS_SCALAR_INT;
        kind = kind ? js_words_walk(to, in) & JS_SCALAR_INT : JS_SCALAR_NONE;
        js_expr_choose(to->out, is_least);
    } else {
        kind = walk_operator(to, in);
    }
    in->depth--;
    return kind;
}
