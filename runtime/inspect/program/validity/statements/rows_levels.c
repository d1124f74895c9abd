/* Rule 1 on one path. Statements of one level run from top to bottom: those in no loop, where each loop
 * counts as one statement, and in each iteration those of a loop's body. The rows show where the code of an
 * iteration begins: at the loop's header, and where the first statement that was passed is passed again. */
#include "program/validity/statements/rows_lines.h"

enum { LEVEL_DISTINCT = 2, LEVEL_ONLY = 1, LEVEL_EFFECT = 4 };

/* Elements first to end of the path, all of one level. */
typedef struct level {
    const js_region *loop; /* NULL: the function */
    size_t first, end;
    bool is_whole; /* the code of the first iteration begins here */
} level;

static const js_row_line *line_of(const js_path *path, size_t i)
{
    return path->rows->judged[path->chain[i].row];
}

static bool is_in_loop(const js_path *path, size_t i)
{
    return path->chain[i].loop != NULL || line_of(path, i)->in_loop;
}

/* Return the weight that an element adds to a chain; *first: the weight that it adds if it is the first of
 * its statement. The compiler moves code that computes far, but does not move stores and calls. */
static uint32_t weigh(const js_path *path, size_t i, uint32_t *first)
{
    bool is_only = !is_in_loop(path, i) && line_of(path, i)->nrows == 1;
    *first = LEVEL_DISTINCT + (is_only ? (uint32_t)LEVEL_ONLY : 0);
    return js_rows_has_effect(path->rows, path->chain[i].row) ? LEVEL_EFFECT : 0;
}

/* True if element j is more code of the line, or of the loop, of element i. */
static bool is_continued(const js_path *path, size_t i, size_t j)
{
    const js_path_row *it = &path->chain[j], *other = &path->chain[i];
    return it->loop ? other->key == it->key
                    : path->rows->rows[other->row].line == path->rows->rows[it->row].line;
}

/* True for an element in a loop whose lines are not known, which has no place in the order. */
static bool is_free(const js_path *path, size_t i)
{
    return !path->chain[i].loop && line_of(path, i)->in_loop;
}

/* Set is_best of the elements of the heaviest chain that runs from top to bottom. */
static void find_best(js_path *path, size_t end)
{
    size_t best = end;
    for (size_t j = 0; j < end; j++) {
        js_path_row *it = &path->chain[j];
        it->is_best = is_free(path, j);
        if (!it->is_kept || is_free(path, j)) {
            continue;
        }
        uint32_t first = 0, own = weigh(path, j, &first);
        it->weight = own + first;
        it->before = 0;
        for (size_t i = 0; i < j; i++) {
            const js_path_row *other = &path->chain[i];
            uint32_t weight = other->weight + own + (is_continued(path, i, j) ? 0 : first);
            if (other->is_kept && !is_free(path, i) && other->key <= it->key && weight >= it->weight) {
                it->weight = weight;
                it->before = (uint32_t)i + 1;
            }
        }
        best = best == end || it->weight >= path->chain[best].weight ? j : best;
    }
    for (uint32_t i = best < end ? (uint32_t)best + 1 : 0; i; i = path->chain[i - 1].before) {
        path->chain[i - 1].is_best = true;
    }
}

/* True if the element is the only code of its line, and runs once, so that it is of no other iteration. */
static bool is_single(const js_path *path, size_t i)
{
    const js_truth *truth = path->rows->truth;
    uint32_t insn = js_code_find(&truth->machine.code, path->rows->rows[path->chain[i].row].address);
    return line_of(path, i)->nrows == 1 && insn != JS_CODE_NOWHERE && !truth->insns.is_cyclic[insn];
}

/* True if the element's line has another row among [first, end). in_block: only in the element's block. */
static bool is_again(const js_path *path, size_t i, size_t first, size_t end, bool in_block)
{
    const js_rows *rows = path->rows;
    const js_code *code = &rows->truth->machine.code;
    const js_row *row = &rows->rows[path->chain[i].row];
    uint32_t block = js_code_block(code, js_code_find(code, row->address));
    bool found = false;
    for (size_t j = first; j < end && !found; j++) {
        const js_row *other = &rows->rows[path->chain[j].row];
        found = path->chain[j].is_kept && other->line == row->line &&
                js_rows_may_begin(rows, path->chain[j].row) &&
                (!in_block || js_code_block(code, js_code_find(code, other->address)) == block);
    }
    return found;
}

/* Keep the elements of the function's own level that are in order. A loop's code is dropped only if its line
 * has other code in the best chain. */
static void keep_best(js_path *path, size_t end)
{
    find_best(path, end);
    for (size_t i = 0; i < end; i++) {
        js_path_row *it = &path->chain[i];
        bool is_sure = !is_in_loop(path, i) || is_single(path, i);
        for (size_t j = 0; j < end && !is_sure; j++) {
            is_sure = path->chain[j].is_best && js_rows_may_begin(path->rows, path->chain[j].row) &&
                      path->rows->rows[path->chain[j].row].line == path->rows->rows[it->row].line;
        }
        it->is_kept = it->is_best || !is_sure;
    }
}

static void set_level(js_path *path, const level *of)
{
    const js_flow *flow = path->rows->truth->flow;
    for (size_t i = of->first; i < of->end; i++) {
        js_path_row *it = &path->chain[i];
        it->loop = js_flow_outermost_loop(flow, path->rows->rows[it->row].line, of->loop);
        it->key = it->loop ? it->loop->first_test : line_of(path, i)->key;
    }
}

/* Return the next element that is kept, from i on. */
static size_t next_kept(const js_path *path, size_t i, size_t end)
{
    while (i < end && !path->chain[i].is_kept) {
        i++;
    }
    return i;
}

/* Return the end of the elements from `first` on that run from top to bottom. */
static size_t end_of_run(const js_path *path, size_t first, size_t end)
{
    uint32_t most = path->chain[first].key;
    size_t i = first;
    while (i < end && path->chain[i].key >= most) {
        most = path->chain[i].key;
        i = next_kept(path, i + 1, end);
    }
    return i;
}

/* True if the statement has done what it does. If not, later code of it is no further iteration. */
static bool is_done(const js_path *path, size_t begin, size_t end, uint32_t key)
{
    bool found = false;
    for (size_t i = begin; i < end && !found; i++) {
        const js_path_row *it = &path->chain[i];
        found = it->is_kept && it->key == key && (it->loop || js_rows_may_begin(path->rows, it->row));
    }
    return found;
}

/* True if each iteration of the loop runs the line, on all paths. */
static bool always_runs(const js_flow *flow, const js_region *loop, uint32_t line)
{
    bool is_sure = true;
    for (size_t i = 0; i < flow->nregions && is_sure; i++) {
        const js_region *region = &flow->regions[i];
        bool is_inner = region != loop && region->first >= loop->first && region->last <= loop->last;
        is_sure = !is_inner || line < region->first || line > region->last;
    }
    return is_sure;
}

/* True if the code from `begin` on has passed the element before code above it that runs in each iteration
 * and follows later. */
static bool is_ahead(const js_path *path, const level *of, size_t i, size_t begin, size_t next)
{
    bool found = false;
    for (size_t j = next; j < of->end && !found; j++) {
        const js_path_row *it = &path->chain[j];
        uint32_t line = path->rows->rows[it->row].line;
        found = it->is_kept && !it->loop && it->key < path->chain[i].key &&
                js_rows_has_effect(path->rows, it->row) &&
                always_runs(path->rows->truth->flow, of->loop, line);
        for (size_t k = begin; k < next && found; k++) {
            found = !path->chain[k].is_kept || path->rows->rows[path->chain[k].row].line != line;
        }
    }
    return found;
}

/* Keep the elements of a loop's body that are in order. Where the code goes back up, it is in the next
 * iteration if it comes to the first statement of this one and has passed all that each iteration runs. If
 * not, an element that was passed too early is dropped if it is passed again, and so is one that does not do
 * what its statement does, and later code does. */
static void keep_runs(js_path *path, const level *of)
{
    size_t begin = next_kept(path, of->first, of->end), run = begin; /* begin of an iteration, and of a run */
    bool is_whole = of->is_whole;
    while (run < of->end) {
        size_t next = end_of_run(path, run, of->end);
        if (next >= of->end) {
            break;
        }
        size_t end = end_of_run(path, next, of->end), left = 0;
        uint32_t back = path->chain[next].key, least = UINT32_MAX;
        for (size_t i = begin; i < next; i++) {
            least = path->chain[i].is_kept && path->chain[i].key < least ? path->chain[i].key : least;
        }
        bool is_next = back < of->loop->first || (back == least && is_done(path, begin, next, back));
        for (size_t i = begin; i < next; i++) {
            bool is_hollow =
                !js_rows_may_begin(path->rows, path->chain[i].row) && is_again(path, i, next, of->end, false);
            bool is_early = path->chain[i].is_kept && path->chain[i].key > back &&
                            (is_hollow || is_ahead(path, of, i, begin, next) ||
                             (!is_next && (is_single(path, i) ||
                                           is_again(path, i, next, end, back < least && !is_whole))));
            path->chain[i].is_kept &= !is_early;
            left += path->chain[i].is_kept;
        }
        if (is_next || (back < least && left > 0)) {
            begin = next;
            is_whole = true;
        }
        run = next;
    }
}

static void order_level(js_path *path, const level *of);

/* Put each loop of the level in order. */
static void order_loops(js_path *path, const level *of)
{
    level inner = {.first = of->first};
    bool is_first = true; /* no element of the level was before */
    while (inner.first < of->end) {
        js_path_row *it = &path->chain[inner.first];
        inner.loop = it->is_kept ? it->loop : NULL;
        inner.end = inner.first + 1;
        if (inner.loop) {
            for (; inner.end < of->end; inner.end++) {
                const js_path_row *next = &path->chain[inner.end];
                if (next->is_kept && next->loop != inner.loop) {
                    break;
                }
            }
            inner.is_whole = of->is_whole || !is_first;
        }
        is_first = is_first && !it->is_kept;
        if (inner.loop) {
            order_level(path, &inner);
        }
        inner.first = inner.end;
    }
}

static void order_level(js_path *path, const level *of)
{
    set_level(path, of);
    if (of->loop) {
        keep_runs(path, of);
    } else {
        keep_best(path, of->end);
    }
    order_loops(path, of);
}

void js_path_order(js_path *path, size_t count, bool is_whole)
{
    order_level(path, &(level){.first = 0, .end = count, .is_whole = is_whole});
}
