#include "program/source/formula_text.h"

#include <stdlib.h>
#include <string.h>

enum { PARSE_DEPTH = 64, TUPLE_ITEMS = 64 };

/* The words that begin a formula, and its parts, which follow. `text`: as the source writes the operation. */
static const struct {
    const char *word;
    uint8_t nparts;
    bool is_prefix; /* the word goes on */
    const char *text;
} kinds[JS_FORMULA_KINDS] = {
    [JS_FORMULA_ENTRY] = {"^", 0, true, ""},
    [JS_FORMULA_TEXT] = {".text", 0, false, "the constant"},
    [JS_FORMULA_NONE] = {".none", 0, false, "…"},
    [JS_FORMULA_ADD] = {"+", 2, false, "+"},
    [JS_FORMULA_SUBTRACT] = {"-", 2, false, "-"},
    [JS_FORMULA_MULTIPLY] = {"*", 2, false, "*"},
    [JS_FORMULA_DIVIDE] = {"/", 2, false, "/"},
    [JS_FORMULA_FLOOR_DIVIDE] = {"//", 2, false, "//"},
    [JS_FORMULA_REMAINDER] = {"%", 2, false, "%"},
    [JS_FORMULA_LESS] = {"<", 2, false, "<"},
    [JS_FORMULA_LESS_OR_EQUAL] = {"<=", 2, false, "<="},
    [JS_FORMULA_GREATER] = {">", 2, false, ">"},
    [JS_FORMULA_GREATER_OR_EQUAL] = {">=", 2, false, ">="},
    [JS_FORMULA_EQUAL] = {"==", 2, false, "=="},
    [JS_FORMULA_NOT_EQUAL] = {"!=", 2, false, "!="},
    [JS_FORMULA_AND] = {".and", 2, false, "and"},
    [JS_FORMULA_OR] = {".or", 2, false, "or"},
    [JS_FORMULA_MIN] = {".min", 2, false, "min"},
    [JS_FORMULA_MAX] = {".max", 2, false, "max"},
    [JS_FORMULA_NOT] = {".not", 1, false, "not "},
    [JS_FORMULA_NEGATE] = {".neg", 1, false, "-"},
    [JS_FORMULA_WHOLE] = {".whole", 1, false, ""},
    [JS_FORMULA_LENGTH] = {".axis", 1, true, ""},
    [JS_FORMULA_VIEW] = {".view:", 1, true, ""},
    [JS_FORMULA_IF] = {".if", 3, false, ""},
    [JS_FORMULA_CHOICE] = {"?", 3, false, ""},
    [JS_FORMULA_TUPLE] = {".tuple", 0, true, ""},
};

static bool is_number(const char *word)
{
    return (word[0] >= '0' && word[0] <= '9') || (word[0] == '-' && word[1] >= '0' && word[1] <= '9');
}

static js_formula_kind kind_of(const char *word)
{
    if (is_number(word))
        return JS_FORMULA_NUMBER;
    if (strcmp(word, ".len") == 0) /* of the first axis, or of what is no array */
        return JS_FORMULA_LENGTH;
    for (unsigned kind = 0; kind < JS_FORMULA_KINDS; kind++) {
        const char *known = kinds[kind].word;
        if (known && (kinds[kind].is_prefix ? strncmp(word, known, strlen(known)) : strcmp(word, known)) == 0)
            return (js_formula_kind)kind;
    }
    return strchr("+-*/%<>=!?.", word[0]) ? JS_FORMULA_KINDS : JS_FORMULA_NAME;
}

/* A number of at most two digits behind a word's beginning. */
static int read_count(const char *digits, unsigned most, unsigned *out)
{
    size_t length = strspn(digits, "0123456789");
    *out = (unsigned)strtoul(digits, NULL, 10);
    return length && length < 3 && !digits[length] && *out <= most ? JS_OK : JS_EBAD;
}

/* Reads `INDEX` or `START/STOP/STEP`; START and STOP may be missing. */
static bool read_axis(const char **at, js_formula_axis *out)
{
    char *end;
    *out = (js_formula_axis){.step = 1};
    out->has_start = **at != '/';
    out->start = out->has_start ? strtoll(*at, &end, 10) : 0;
    *at = out->has_start ? end : *at;
    out->is_slice = **at == '/';
    if (out->is_slice) {
        *at += 1;
        out->has_stop = **at != '/';
        out->stop = out->has_stop ? strtoll(*at, &end, 10) : 0;
        *at = out->has_stop ? end : *at;
        if (**at != '/')
            return false;
        out->step = strtoll(*at + 1, &end, 10);
        *at = end;
    }
    bool is_last = **at == '\0';
    *at += !is_last;
    return out->step != 0 && (is_last || (*at)[-1] == ':');
}

/* The axes have colons between. */
static int read_axes(js_arena *arena, const char *at, js_formula *out)
{
    size_t most = 1;
    for (const char *colon = at; (colon = strchr(colon, ':')); colon++)
        most++;
    js_formula_axis *axes = js_arena_alloc(arena, most * sizeof *axes);
    out->axes = axes;
    while (axes && *at) {
        if (!read_axis(&at, &axes[out->naxes++]))
            return JS_EBAD;
    }
    return !axes ? JS_ENOMEM : out->naxes ? JS_OK : JS_EBAD;
}

static int parse(js_arena *arena, const char **words, unsigned depth, js_formula *out)
{
    size_t length = strcspn(*words, ",");
    const char *word = js_arena_strndup(arena, *words, length);
    if (!word)
        return JS_ENOMEM;
    *words += length + ((*words)[length] == ',');
    *out = (js_formula){.kind = length ? kind_of(word) : JS_FORMULA_KINDS};
    if (out->kind == JS_FORMULA_KINDS || depth > PARSE_DEPTH)
        return JS_EBAD;
    unsigned nparts = kinds[out->kind].nparts;
    const char *behind = kinds[out->kind].is_prefix ? word + strlen(kinds[out->kind].word) : word;
    int status = JS_OK;
    if (out->kind == JS_FORMULA_LENGTH && word[1] != 'l')
        status = read_count(behind, 9, &out->number);
    else if (out->kind == JS_FORMULA_TUPLE)
        status = read_count(behind, TUPLE_ITEMS, &nparts);
    else if (out->kind == JS_FORMULA_VIEW)
        status = read_axes(arena, behind, out);
    else if (out->kind <= JS_FORMULA_ENTRY)
        out->text = behind;
    js_formula *parts = status || !nparts ? NULL : js_arena_alloc(arena, nparts * sizeof *parts);
    if (status || (nparts && !parts))
        return status ? status : JS_ENOMEM;
    out->parts = parts;
    for (; out->nparts < nparts && status == JS_OK; out->nparts++)
        status = parse(arena, words, depth + 1, &parts[out->nparts]);
    bool takes_name = out->kind == JS_FORMULA_LENGTH || out->kind == JS_FORMULA_VIEW;
    bool is_name = takes_name && status == JS_OK && js_formula_is_variable(parts);
    return status == JS_OK && takes_name && !is_name ? JS_EBAD : status;
}

int js_formula_parse(js_arena *arena, const char *words, const js_formula **out)
{
    js_formula *formula = js_arena_alloc(arena, sizeof *formula);
    *out = formula;
    int status = formula ? parse(arena, &words, 0, formula) : JS_ENOMEM;
    return status == JS_OK && *words ? JS_EBAD : status;
}

static void write(js_text *out, const js_formula *formula, bool is_part);

static void write_items(js_text *out, const char *before, const js_formula *of, const char *behind)
{
    js_text_put(out, before);
    for (size_t i = 0; i < of->nparts; i++) {
        js_text_put(out, i ? ", " : "");
        write(out, &of->parts[i], false);
    }
    js_text_put(out, behind);
}

static void write_choice(js_text *out, const js_formula *choice)
{
    write(out, &choice->parts[1], true);
    js_text_put(out, " if ");
    write(out, &choice->parts[0], false);
    if (choice->parts[2].kind != JS_FORMULA_NONE) { /* nothing is known otherwise */
        js_text_put(out, " else ");
        write(out, &choice->parts[2], false);
    }
}

static void write_view(js_text *out, const js_formula *view)
{
    write(out, view->parts, true);
    for (size_t i = 0; i < view->naxes; i++) {
        const js_formula_axis *axis = &view->axes[i];
        js_text_put(out, i ? ", " : "[");
        if (axis->has_start)
            js_text_printf(out, "%lld", (long long)axis->start);
        js_text_put(out, axis->is_slice ? ":" : "");
        if (axis->has_stop)
            js_text_printf(out, "%lld", (long long)axis->stop);
        if (axis->step != 1)
            js_text_printf(out, ":%lld", (long long)axis->step);
    }
    js_text_put(out, "]");
}

static void write_leaf(js_text *out, const js_formula *leaf)
{
    js_text_put(out, leaf->text ? leaf->text : kinds[leaf->kind].text);
    js_text_put(out, leaf->kind == JS_FORMULA_ENTRY ? "@entry" : ""); /* GDB's own way to write it */
}

static void write(js_text *out, const js_formula *formula, bool is_part)
{
    const js_formula *first = formula->parts;
    switch (formula->kind) {
    case JS_FORMULA_NUMBER:
    case JS_FORMULA_NAME:
    case JS_FORMULA_ENTRY:
    case JS_FORMULA_TEXT:
    case JS_FORMULA_NONE:
        write_leaf(out, formula);
        break;
    case JS_FORMULA_WHOLE:
        write(out, first, is_part);
        break;
    case JS_FORMULA_NOT:
    case JS_FORMULA_NEGATE:
        js_text_put(out, kinds[formula->kind].text);
        write(out, first, true);
        break;
    case JS_FORMULA_TUPLE:
        write_items(out, "(", formula, formula->nparts == 1 ? ",)" : ")");
        break;
    case JS_FORMULA_MIN:
    case JS_FORMULA_MAX:
        js_text_put(out, kinds[formula->kind].text);
        write_items(out, "(", formula, ")");
        break;
    case JS_FORMULA_LENGTH:
        if (formula->number) {
            write(out, first, true);
            js_text_printf(out, ".shape[%u]", formula->number);
        } else {
            write_items(out, "len(", formula, ")");
        }
        break;
    case JS_FORMULA_VIEW:
        write_view(out, formula);
        break;
    case JS_FORMULA_IF:
    case JS_FORMULA_CHOICE:
        js_text_put(out, is_part ? "(" : "");
        write_choice(out, formula);
        js_text_put(out, is_part ? ")" : "");
        break;
    default:
        js_text_put(out, is_part ? "(" : "");
        write(out, first, true);
        js_text_printf(out, " %s ", kinds[formula->kind].text);
        write(out, first + 1, true);
        js_text_put(out, is_part ? ")" : "");
    }
}

void js_formula_write(js_text *out, const js_formula *formula)
{
    write(out, formula, false);
}
