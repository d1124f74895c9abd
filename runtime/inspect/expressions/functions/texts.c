/* Computes the methods of str and bytes that only read. Case and classes of characters are known for Latin-1;
 * other characters are refused rather than guessed. */
#include "expressions/functions/texts.h"

#include <string.h>

#include "expressions/functions/texts_parts.h"
#include "expressions/lazy/evaluation.h"
#include "expressions/operands/sequences.h"

/* True if the character is white space. */
static bool is_space(uint32_t c, bool is_bytes)
{
    return (c >= 9 && c <= 13) || c == ' ' ||
           (!is_bytes && ((c >= 0x1c && c <= 0x1f) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
                          (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
                          c == 0x205f || c == 0x3000));
}

static bool is_lower(uint32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 0xdf && c <= 0xff && c != 0xf7) || c == 0xaa || c == 0xb5 ||
           c == 0xba;
}

static bool is_upper(uint32_t c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 0xc0 && c <= 0xde && c != 0xd7);
}

static uint32_t upper(uint32_t c)
{
    if (c == 0xff || c == 0xb5) {
        return c == 0xff ? 0x178 : 0x39c;
    }
    return is_lower(c) && c != 0xdf && c != 0xaa && c != 0xba ? c - 32 : c;
}

static uint32_t lower(uint32_t c)
{
    return is_upper(c) ? c + 32 : c;
}

static int known(const js_text_call *c, uint32_t limit)
{
    for (uint64_t i = 0; i < c->of->count; i++) {
        if (c->of->codes[i] >= limit) {
            return js_fail(c->e, JS_EUNSUP, "TypeError: %s() of U+%04X is not known here", c->name,
                           c->of->codes[i]);
        }
    }
    return JS_OK;
}

static int change_case(const js_text_call *c, js_operand *out)
{
    uint32_t *codes;
    int status = known(c, c->of->is_bytes ? 0x100 : 0x100);
    status = status ? status : js_text_new(c, 2 * c->of->count, &codes, out);
    bool starts = true;
    uint64_t made = 0;
    for (uint64_t i = 0; i < c->of->count && status == JS_OK; i++) {
        uint32_t code = c->of->codes[i];
        bool is_cased = is_lower(code) || is_upper(code);
        bool to_upper = strcmp(c->name, "upper") == 0 || (strcmp(c->name, "capitalize") == 0 && i == 0) ||
                        (strcmp(c->name, "swapcase") == 0 && is_lower(code)) ||
                        (strcmp(c->name, "title") == 0 && starts);
        if (c->of->is_bytes && code >= 0x80) {
            codes[made++] = code;
            starts = true;
            continue;
        }
        if (to_upper && code == 0xdf) {
            bool is_title = strcmp(c->name, "title") == 0 || strcmp(c->name, "capitalize") == 0;
            codes[made++] = 'S';
            codes[made++] = is_title ? 's' : 'S';
        } else {
            codes[made++] = to_upper ? upper(code) : lower(code);
        }
        starts = !is_cased;
    }
    out->count = made;
    return status;
}

/* Read the start and stop arguments from the i-th on, which count as in slices. */
static int bounds(const js_text_call *c, size_t i, uint64_t *low, uint64_t *high)
{
    __int128 given[2] = {0, (__int128)c->of->count};
    for (size_t k = 0; k < 2 && i + k < c->count; k++) {
        if (c->arguments[i + k].kind == JS_OPERAND_NONE) {
            continue;
        }
        if (!js_operand_index(&c->arguments[i + k], &given[k])) {
            return js_text_wrong(c, i + k);
        }
        given[k] += given[k] < 0 ? (__int128)c->of->count : 0;
        given[k] = given[k] < 0 ? 0 : given[k];
    }
    *high = given[1] > (__int128)c->of->count ? c->of->count : (uint64_t)given[1];
    *low = given[0] > (__int128)c->of->count ? c->of->count + 1 : (uint64_t)given[0];
    return JS_OK;
}

static bool is_in(uint32_t code, const js_operand *set)
{
    for (uint64_t i = 0; i < set->count; i++) {
        if (set->codes[i] == code) {
            return true;
        }
    }
    return false;
}

static int search(const js_text_call *c, js_operand *out)
{
    uint64_t low, high, total = 0;
    const js_operand *what = js_text_argument(c, 0);
    bool is_count = strcmp(c->name, "count") == 0, from_right = *c->name == 'r';
    int status = bounds(c, 1, &low, &high);
    if (!what || status || c->count > 3) {
        return status ? status : js_text_wrong(c, 0);
    }
    js_operand part = *c->of;
    part.count = high;
    int64_t found = -1;
    for (uint64_t at = low; at + what->count <= high && low <= high;) {
        bool is_here = js_text_matches(c, &part, at, what);
        found = is_here ? (int64_t)at : found;
        total += is_here;
        if (is_here && !is_count && !from_right) {
            break;
        }
        at += is_here && is_count && what->count ? what->count : 1;
    }
    if (!is_count && found < 0 && strstr(c->name, "index")) {
        return js_fail(c->e, JS_EBAD,
                       c->of->is_bytes ? "ValueError: subsection not found"
                                       : "ValueError: substring not found");
    }
    *out = js_operand_of_int(is_count ? (__int128)total : (__int128)found);
    return JS_OK;
}

static int affix(const js_text_call *c, js_operand *out)
{
    uint64_t low, high;
    bool at_end = strcmp(c->name, "endswith") == 0, answer = false;
    int status = bounds(c, 1, &low, &high);
    if (status || c->count < 1 || c->count > 3) {
        return status ? status : js_text_wrong(c, 0);
    }
    const js_operand *choices = c->arguments;
    uint64_t count = 1;
    if (choices->kind == JS_OPERAND_SEQUENCE && !choices->is_list) {
        count = choices->count;
        choices = choices->items;
    }
    for (uint64_t i = 0; i < count; i++) {
        js_operand what, part = *c->of;
        bool is_text;
        status = js_operand_text(c->e, &choices[i], &what, &is_text);
        if (status || !is_text || what.is_bytes != c->of->is_bytes) {
            return status ? status : js_text_wrong(c, 0);
        }
        part.count = high;
        bool fits = low <= high && what.count <= high - low;
        answer |= fits && js_text_matches(c, &part, at_end ? high - what.count : low, &what);
    }
    *out = js_operand_of_bool(answer);
    return JS_OK;
}

static int strip(const js_text_call *c, js_operand *out)
{
    const js_operand *set = js_text_argument(c, 0);
    bool by_default = c->count == 0 || c->arguments[0].kind == JS_OPERAND_NONE;
    if (!set && !by_default) {
        return js_text_wrong(c, 0);
    }
    *out = *c->of;
    while (*c->name != 'r' && out->count &&
           (set ? is_in(*out->codes, set) : is_space(*out->codes, c->of->is_bytes))) {
        out->codes++;
        out->count--;
    }
    while (*c->name != 'l' && out->count &&
           (set ? is_in(out->codes[out->count - 1], set)
                : is_space(out->codes[out->count - 1], c->of->is_bytes))) {
        out->count--;
    }
    return JS_OK;
}

static int split(const js_text_call *c, js_operand *out)
{
    const js_operand *by = js_text_argument(c, 0), *of = c->of;
    bool by_space = c->count == 0 || c->arguments[0].kind == JS_OPERAND_NONE;
    __int128 most = -1;
    if ((!by && !by_space) || (c->count > 1 && !js_operand_index(&c->arguments[1], &most))) {
        return js_text_wrong(c, by || by_space ? 1 : 0);
    }
    if (by && !by->count) {
        return js_fail(c->e, JS_EBAD, "ValueError: empty separator");
    }
    js_operand *items = js_arena_alloc(&c->e->arena, (of->count + 2) * sizeof *items);
    if (!items) {
        return js_no_memory(c->e);
    }
    *out = (js_operand){.kind = JS_OPERAND_SEQUENCE, .is_list = true, .items = items};
    uint64_t at = 0, start = 0;
    while (by && at + by->count <= of->count && most != 0) {
        if (!js_text_matches(c, of, at, by)) {
            at++;
            continue;
        }
        items[out->count] = *of;
        items[out->count].codes = of->codes + start;
        items[out->count++].count = at - start;
        start = at += by->count;
        most--;
    }
    while (by_space) {
        while (start < of->count && is_space(of->codes[start], of->is_bytes)) {
            start++;
        }
        for (at = start; at < of->count && !is_space(of->codes[at], of->is_bytes); at++) {
        }
        if (start == of->count) {
            return JS_OK;
        }
        at = most == 0 ? of->count : at; /* the rest keeps the blanks at its end */
        items[out->count] = *of;
        items[out->count].codes = of->codes + start;
        items[out->count++].count = at - start;
        start = at;
        if (most-- == 0) {
            return JS_OK;
        }
    }
    items[out->count] = *of;
    items[out->count].codes = of->codes + start;
    items[out->count++].count = of->count - start;
    return JS_OK;
}

static int replace(const js_text_call *c, js_operand *out)
{
    const js_operand *old = js_text_argument(c, 0), *fresh = js_text_argument(c, 1), *of = c->of;
    __int128 most = -1;
    if (!old || !fresh || (c->count > 2 && !js_operand_index(&c->arguments[2], &most))) {
        return js_text_wrong(c, old ? fresh ? 2 : 1 : 0);
    }
    uint64_t places = 0, made = 0;
    for (uint64_t at = 0; at + old->count <= of->count;
         at += old->count && js_text_matches(c, of, at, old) ? old->count : 1) {
        places += js_text_matches(c, of, at, old);
    }
    places = most >= 0 && (__int128)places > most ? (uint64_t)most : places;
    if (fresh->count && places > JS_EXPRESSION_CHARACTERS / fresh->count) {
        return js_no_memory(c->e);
    }
    uint32_t *codes;
    int status = js_text_new(c, of->count + places * fresh->count, &codes, out);
    for (uint64_t at = 0; at <= of->count && status == JS_OK;) {
        if (places && js_text_matches(c, of, at, old)) {
            if (fresh->count) {
                memcpy(codes + made, fresh->codes, fresh->count * sizeof *codes);
            }
            made += fresh->count;
            places--;
            at += old->count;
            if (old->count) {
                continue;
            }
        }
        if (at < of->count) {
            codes[made++] = of->codes[at];
        }
        at++;
    }
    out->count = made;
    return status;
}

/* Compute isalpha() and similar methods: all characters are of one class, and there is at least one. */
static int classify(const js_text_call *c, js_operand *out)
{
    bool is_ascii = strcmp(c->name, "isascii") == 0,
         is_cases = strcmp(c->name, "isupper") == 0 || strcmp(c->name, "islower") == 0;
    bool wants_upper = strcmp(c->name, "isupper") == 0, any = false, all = true;
    int status = is_ascii || strcmp(c->name, "isspace") == 0 ? JS_OK : known(c, 0x100);
    for (uint64_t i = 0; i < c->of->count && status == JS_OK; i++) {
        uint32_t code = c->of->codes[i];
        bool is_cut = c->of->is_bytes && code >= 0x80;
        bool is_digit = code >= '0' && code <= '9',
             is_super = !is_cut && (code == 0xb2 || code == 0xb3 || code == 0xb9);
        bool is_fraction = !is_cut && code >= 0xbc && code <= 0xbe;
        bool is_letter = !is_cut && (is_lower(code) || is_upper(code));
        if (is_cases) {
            any |= is_letter && is_upper(code) == wants_upper;
            all &= !is_letter || is_upper(code) == wants_upper;
            continue;
        }
        any = true;
        all &= is_ascii                            ? code < 0x80
               : strcmp(c->name, "isspace") == 0   ? is_space(code, c->of->is_bytes)
               : strcmp(c->name, "isalpha") == 0   ? is_letter
               : strcmp(c->name, "isdecimal") == 0 ? is_digit
               : strcmp(c->name, "isdigit") == 0   ? is_digit || is_super
               : strcmp(c->name, "isnumeric") == 0 ? is_digit || is_super || is_fraction
                                                   : is_letter || is_digit || is_super || is_fraction;
    }
    *out = js_operand_of_bool(all && (any || (is_ascii && c->of->count == 0)));
    return status;
}

static const struct {
    const char *name;
    int (*run)(const js_text_call *c, js_operand *out);
    size_t least, most;
} methods[] = {
    {"upper", change_case, 0, 0},
    {"lower", change_case, 0, 0},
    {"title", change_case, 0, 0},
    {"swapcase", change_case, 0, 0},
    {"capitalize", change_case, 0, 0},
    {"find", search, 1, 3},
    {"rfind", search, 1, 3},
    {"index", search, 1, 3},
    {"rindex", search, 1, 3},
    {"count", search, 1, 3},
    {"startswith", affix, 1, 3},
    {"endswith", affix, 1, 3},
    {"strip", strip, 0, 1},
    {"lstrip", strip, 0, 1},
    {"rstrip", strip, 0, 1},
    {"split", split, 0, 2},
    {"replace", replace, 2, 3},
    {"isalpha", classify, 0, 0},
    {"isdigit", classify, 0, 0},
    {"isalnum", classify, 0, 0},
    {"isspace", classify, 0, 0},
    {"isupper", classify, 0, 0},
    {"islower", classify, 0, 0},
    {"isascii", classify, 0, 0},
    {"isdecimal", classify, 0, 0},
    {"isnumeric", classify, 0, 0},
    {"center", js_text_pad, 1, 2},
    {"ljust", js_text_pad, 1, 2},
    {"rjust", js_text_pad, 1, 2},
    {"zfill", js_text_pad, 1, 1},
    {"partition", js_text_partition, 1, 1},
    {"rpartition", js_text_partition, 1, 1},
    {"removeprefix", js_text_cut, 1, 1},
    {"removesuffix", js_text_cut, 1, 1},
    {"join", js_text_join, 1, 1},
};

static size_t find(const char *name)
{
    size_t i = 0;
    while (i < sizeof methods / sizeof methods[0] && strcmp(methods[i].name, name) != 0) {
        i++;
    }
    return i;
}

bool js_text_has_method(const char *name)
{
    return find(name) < sizeof methods / sizeof methods[0];
}

int js_text_method(js_evaluation *e, const char *name, const js_operand *of, const js_operand *arguments,
                   size_t count, js_operand *out)
{
    js_operand texts[3];
    size_t i = find(name);
    if (count < methods[i].least || count > methods[i].most) {
        return js_fail(e, JS_EUNSUP, "TypeError: %s() does not take %zu argument%s", name, count,
                       count == 1 ? "" : "s");
    }
    for (size_t k = 0; k < count; k++) { /* texts of the target are read here */
        bool is_text;
        int status = js_operand_text(e, &arguments[k], &texts[k], &is_text);
        if (status) {
            return status;
        }
        texts[k] = is_text ? texts[k] : arguments[k];
    }
    uint64_t work = 0;
    js_text_call c = {e, of, texts, count, name, &work};
    int status = methods[i].run(&c, out);
    return status || work <= JS_TEXT_WORK
               ? status
               : js_fail(e, JS_ELIMIT, "MemoryError: %s() would compare more than %d characters", name,
                         JS_TEXT_WORK);
}
