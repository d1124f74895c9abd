/* Computes methods of str and bytes that split, pad and join texts. */
#include "expressions/functions/texts_parts.h"

#include <string.h>

#include "expressions/lazy/evaluation.h"
#include "expressions/operands/sequences.h"

/* Compute center(), ljust(), rjust() or zfill(), which leaves a sign in front (Objects/unicodeobject.c). */
int js_text_pad(const js_text_call *c, js_operand *out)
{
    bool is_zeros = *c->name == 'z';
    const js_operand *with = c->count > 1 ? js_text_argument(c, 1) : NULL;
    __int128 width;
    if (!js_operand_index(&c->arguments[0], &width) || (c->count > 1 && (!with || with->count != 1))) {
        return js_text_wrong(c, c->count > 1);
    }
    uint64_t count = c->of->count;
    uint64_t more = width <= (__int128)count           ? 0
                    : width > JS_EXPRESSION_CHARACTERS ? UINT64_MAX
                                                       : (uint64_t)width - count;
    uint64_t left = *c->name == 'l' ? 0 : *c->name == 'c' ? more / 2 + (more & (more + count) & 1) : more;
    uint64_t sign = is_zeros && count && (*c->of->codes == '-' || *c->of->codes == '+');
    uint32_t *codes, fill = is_zeros ? '0' : with ? *with->codes : ' ';
    if (more == UINT64_MAX || js_text_new(c, count + more, &codes, out)) {
        return js_no_memory(c->e);
    }
    for (uint64_t i = 0; i < count + more; i++) {
        bool is_own = i < sign || (i >= left + sign && i < left + count);
        codes[i] = is_own ? c->of->codes[i < sign ? i : i - left] : fill;
    }
    return JS_OK;
}

/* Compute partition() or rpartition(): the text before the separator, the separator, the text after it. */
int js_text_partition(const js_text_call *c, js_operand *out)
{
    const js_operand *by = js_text_argument(c, 0), *of = c->of;
    bool from_right = *c->name == 'r';
    js_operand *items = js_arena_alloc(&c->e->arena, 3 * sizeof *items);
    if (!by || !items) {
        return by ? js_no_memory(c->e) : js_text_wrong(c, 0);
    }
    if (!by->count) {
        return js_fail(c->e, JS_EBAD, "ValueError: empty separator");
    }
    uint64_t found = UINT64_MAX;
    for (uint64_t at = 0; at + by->count <= of->count && (from_right || found == UINT64_MAX); at++) {
        found = js_text_matches(c, of, at, by) ? at : found;
    }
    bool is_there = found != UINT64_MAX;
    uint64_t ends[] = {is_there ? found : from_right ? 0 : of->count, 0, of->count};
    ends[1] = ends[0] + (is_there ? by->count : 0);
    for (uint64_t i = 0, start = 0; i < 3; start = ends[i++]) {
        items[i] = *of;
        items[i].codes = of->codes + start;
        items[i].count = ends[i] - start;
    }
    *out = (js_operand){.kind = JS_OPERAND_SEQUENCE, .items = items, .count = 3};
    return JS_OK;
}

/* Compute removeprefix() or removesuffix(). */
int js_text_cut(const js_text_call *c, js_operand *out)
{
    const js_operand *what = js_text_argument(c, 0);
    bool at_end = strcmp(c->name, "removesuffix") == 0;
    if (!what) {
        return js_text_wrong(c, 0);
    }
    *out = *c->of;
    if (what->count <= out->count && js_text_matches(c, c->of, at_end ? out->count - what->count : 0, what)) {
        out->codes += at_end ? 0 : what->count;
        out->count -= what->count;
    }
    return JS_OK;
}

int js_text_join(const js_text_call *c, js_operand *out)
{
    js_operand all = {0};
    bool is_sequence, is_text = true;
    uint64_t count = 0, made = 0;
    const js_operand *letters = c->of->is_bytes ? NULL : js_text_argument(c, 0);
    int status = letters ? JS_OK : js_operand_items(c->e, &c->arguments[0], &all, &is_sequence);
    if (letters) {
        all.count = letters->count;
        is_sequence = true;
    }
    if (status || !is_sequence) {
        return status ? status : js_text_wrong(c, 0);
    }
    js_operand *items = js_arena_alloc(&c->e->arena, (all.count + 1) * sizeof *items);
    for (uint64_t i = 0; items && i < all.count; i++) {
        if (letters) {
            items[i] = *letters;
            items[i].codes = letters->codes + i;
            items[i].count = 1;
        } else {
            status = js_operand_text(c->e, &all.items[i], &items[i], &is_text);
        }
        if (status || !is_text || items[i].is_bytes != c->of->is_bytes) {
            return status ? status
                          : js_fail(c->e, JS_EUNSUP, "TypeError: sequence item %llu: expected %s, %s found",
                                    (unsigned long long)i,
                                    c->of->is_bytes ? "a bytes-like object" : "str instance",
                                    js_operand_type(&all.items[i]));
        }
        count += items[i].count + (i ? c->of->count : 0);
        if (count > JS_EXPRESSION_CHARACTERS) {
            return js_no_memory(c->e);
        }
    }
    uint32_t *codes;
    if (!items || js_text_new(c, count, &codes, out)) {
        return js_no_memory(c->e);
    }
    for (uint64_t i = 0; i < all.count; i++) {
        const js_operand *parts[] = {c->of, &items[i]};
        for (unsigned k = i == 0; k < 2; k++) {
            if (parts[k]->count) {
                memcpy(codes + made, parts[k]->codes, parts[k]->count * sizeof *codes);
            }
            made += parts[k]->count;
        }
    }
    return JS_OK;
}
