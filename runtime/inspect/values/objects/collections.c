/* Writes collections and a dict's views as repr() does. */
#include <stdlib.h>
#include <string.h>

#include "values/base/rendering.h"
#include "values/objects/pyobject.h"

/* ---- deque([1, 2], maxlen=3) ---- */

bool js_write_deque(const js_writing *self)
{
    js_render *render = self->render;
    uint64_t limit = js_render_limit(render), block = self->known->data, item;
    const int64_t *numbers = self->known->numbers;
    uint64_t index = (uint64_t)numbers[1];
    js_text_printf(render->out, "%s([", js_object_last_name(self->object));
    for (int64_t i = 0; i < numbers[0] && render->out->status == JS_OK; i++, index++) {
        if (index == JS_DEQUE_BLOCK) {
            index = 0;
            if (js_bytes_read_word(render->bytes, block + 8 + 8 * JS_DEQUE_BLOCK, &block)) {
                return false;
            }
        }
        js_text_put(render->out, i ? ", " : "");
        if ((uint64_t)i == limit || !js_render_charge(render, JS_OBJECT_COST)) {
            js_text_put(render->out, "...");
            break;
        }
        if (js_bytes_read_word(render->bytes, block + 8 + 8 * index, &item)) {
            return false;
        }
        js_write(self, item);
    }
    js_text_put(render->out, "]");
    if (numbers[2] >= 0) {
        js_text_printf(render->out, ", maxlen=%lld", (long long)numbers[2]);
    }
    js_text_put(render->out, ")");
    return true;
}

/* ---- dicts in an order of their own ---- */

typedef struct js_pair {
    uint64_t key, value;
    double size; /* the value, if it is a number */
} js_pair;

enum { PAIRS = 4096 };

typedef struct js_pairs {
    js_pair *at;
    size_t count;
    bool is_all;
} js_pairs;

/* Read a dict's items in the order of its places; at most PAIRS. False: it is damaged, or there is no memory.
 */
static bool read_pairs(js_render *render, const js_python_object *object, js_pairs *out)
{
    js_python_object table = *object;
    *out = (js_pairs){.is_all = true};
    if (js_object_as(render->bytes, JS_OBJECT_DICT, &table)) {
        return false;
    }
    out->at = malloc(PAIRS * sizeof *out->at);
    for (uint64_t i = 0; out->at && i < table.slots; i++) {
        js_pair *pair = &out->at[out->count];
        if (out->count == PAIRS || i == JS_OBJECT_SLOTS || !js_render_charge(render, table.stride)) {
            out->is_all = false;
            break;
        }
        if (js_object_item(render->bytes, &table, i, &pair->key, &pair->value)) {
            free(out->at);
            return false;
        }
        out->count += pair->key != 0;
    }
    return out->at != NULL;
}

typedef enum js_pair_style { PAIR_KEY, PAIR_VALUE, PAIR_TUPLE, PAIR_ENTRY } js_pair_style;

static void put_pairs(const js_writing *self, const js_pairs *pairs, js_pair_style style)
{
    js_render *render = self->render;
    uint64_t limit = js_render_limit(render);
    for (size_t i = 0; i < pairs->count && render->out->status == JS_OK; i++) {
        js_text_put(render->out, i ? ", " : "");
        if (i == limit || !js_render_charge(render, JS_OBJECT_COST)) {
            js_text_put(render->out, "...");
            return;
        }
        js_text_put(render->out, style == PAIR_TUPLE ? "(" : "");
        if (style != PAIR_VALUE) {
            js_write(self, pairs->at[i].key);
        }
        js_text_put(render->out, style == PAIR_TUPLE ? ", " : style == PAIR_ENTRY ? ": " : "");
        if (style != PAIR_KEY) {
            js_write(self, pairs->at[i].value);
        }
        js_text_put(render->out, style == PAIR_TUPLE ? ")" : "");
    }
    if (!pairs->is_all) {
        js_text_put(render->out, pairs->count ? ", ..." : "...");
    }
}

/* Order the items by an OrderedDict's own list of nodes {key, hash, next}. False: it is damaged. */
static bool order(js_render *render, uint64_t node, js_pairs *pairs)
{
    size_t from = 0, count = pairs->is_all ? pairs->count : 0;
    js_pair *sorted = malloc((count + 1) * sizeof *sorted);
    size_t done = 0;
    while (sorted && node && done < count) {
        uint64_t fields[3];
        size_t tried = 0;
        if (js_bytes_read(render->bytes, node, fields, sizeof fields)) {
            break;
        }
        while (tried < count && pairs->at[from].key != fields[0]) { /* most often the one after the last */
            from = from + 1 == count ? 0 : from + 1;
            tried++;
        }
        if (tried == count) {
            break;
        }
        sorted[done++] = pairs->at[from];
        node = fields[2];
    }
    bool is_good = sorted && done == count && (count == 0 || node == 0);
    if (is_good) {
        memcpy(pairs->at, sorted, count * sizeof *sorted);
        pairs->count = count;
    }
    free(sorted);
    return is_good;
}

/* Write OrderedDict({'a': 1}), or until 3.11 OrderedDict([('a', 1)]). */
bool js_write_ordered(const js_writing *self)
{
    js_pairs pairs;
    js_text *out = self->render->out;
    if (!read_pairs(self->render, self->object, &pairs)) {
        return false;
    }
    bool as_dict = self->known->numbers[0] != 0, is_good = order(self->render, self->known->data, &pairs);
    js_text_printf(out, "%s(", js_object_last_name(self->object));
    if (pairs.count || !pairs.is_all) {
        js_text_put(out, as_dict ? "{" : "[");
        put_pairs(self, &pairs, as_dict ? PAIR_ENTRY : PAIR_TUPLE);
        js_text_put(out, as_dict ? "}" : "]");
    }
    js_text_put(out, ")");
    free(pairs.at);
    return is_good;
}

/* Compare two items: larger values come first, and among equal values the earlier item. */
static int by_size(const void *left, const void *right)
{
    const js_pair *a = left, *b = right;
    return a->size > b->size ? -1 : a->size < b->size ? 1 : 0;
}

static bool number_of(js_render *render, uint64_t address, double *out)
{
    js_python_object object;
    uint32_t digits[2] = {0};
    if (js_object_read(render->bytes, address, &object)) {
        return false;
    }
    if (object.kind == JS_OBJECT_FLOAT) {
        return js_bytes_read(render->bytes, object.data, out, sizeof *out) == JS_OK && *out == *out;
    }
    if ((object.kind != JS_OBJECT_INT && object.kind != JS_OBJECT_BOOL) || object.length > 1 ||
        js_bytes_read(render->bytes, object.data, digits, 4 * object.length)) {
        return false; /* doubles may not distinguish larger numbers */
    }
    *out = object.is_negative ? -(double)digits[0] : (double)digits[0];
    return true;
}

/* Write Counter({'a': 5, 'b': 2}). */
bool js_write_counter(const js_writing *self)
{
    js_pairs pairs;
    js_text *out = self->render->out;
    if (!read_pairs(self->render, self->object, &pairs)) {
        return false;
    }
    bool is_sorted = pairs.is_all;
    for (size_t i = 0; is_sorted && i < pairs.count; i++) {
        is_sorted = number_of(self->render, pairs.at[i].value, &pairs.at[i].size);
    }
    for (size_t i = 1; is_sorted && i < pairs.count; i++) { /* a stable sort; most counters are short */
        js_pair moved = pairs.at[i];
        size_t to = i;
        while (to && by_size(&pairs.at[to - 1], &moved) > 0) {
            pairs.at[to] = pairs.at[to - 1];
            to--;
        }
        pairs.at[to] = moved;
    }
    js_text_printf(out, "%s(", js_object_last_name(self->object));
    if (pairs.count || !pairs.is_all) {
        js_text_put(out, "{");
        if (is_sorted) {
            put_pairs(self, &pairs, PAIR_ENTRY);
        } else {
            js_text_put(out, "..."); /* its order is not known */
        }
        js_text_put(out, "}");
    }
    js_text_put(out, ")");
    free(pairs.at);
    return true;
}

/* Write dict_items([('a', 1)]), or for an OrderedDict odict_items([('a', 1)]). */
bool js_write_view(const js_writing *self)
{
    static const js_pair_style styles[] = {PAIR_KEY, PAIR_VALUE, PAIR_TUPLE};
    js_render *render = self->render;
    js_python_object table;
    js_object_known known;
    js_pairs pairs;
    if (js_object_read(render->bytes, self->known->fields[0], &table) ||
        !read_pairs(render, &table, &pairs)) {
        return false;
    }
    bool is_good = true;
    if (table.kind != JS_OBJECT_DICT && js_object_find_form(render->bytes, &table, &known) == JS_OK &&
        known.form == JS_FORM_ORDERED) {
        is_good = order(render, known.data, &pairs);
    }
    js_text_printf(render->out, "%s([", self->object->class_name);
    put_pairs(self, &pairs, styles[self->known->numbers[0]]);
    js_text_put(render->out, "])");
    free(pairs.at);
    return is_good;
}
