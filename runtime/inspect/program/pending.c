/* Which arrays have newer elements than the memory says? LLVM keeps an element that a loop stores to in a
 * register while the loop runs, and stores it behind the loop; and of a loop that does several iterations at
 * once the stores come together. The source says what a loop stores to; the code shows whether it does so in
 * each iteration. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/line_loops.h"
#include "program/object.h"
#include "program/program_internal.h"

typedef enum freshness {
    IN_MEMORY,    /* it is as the source says at this line */
    AT_ITERATION, /* but for what the current iterations store */
    IN_REGISTER,
} freshness;

/* One function, or code of one that is inlined, at a frame's pc. */
typedef struct running {
    js_program *program;
    const js_frame *frame;
    js_scope scope;
    const js_flow *flow; /* of the source of the scope's function */
    uint32_t line;       /* of that source */
    uint64_t pc;
    js_line_loops code;
    uint32_t insn;
} running;

/* ---- where the frame is ---- */

static const js_region *innermost_loop(const js_flow *flow, uint32_t line)
{
    const js_region *found = NULL;
    for (size_t i = 0; i < flow->nregions; i++) {
        const js_region *loop = &flow->regions[i];
        if (loop->kind == JS_REGION_LOOP && line >= loop->first_test && line <= loop->last &&
            (!found || loop->first_test >= found->first_test)) {
            found = loop;
        }
    }
    return found;
}

static bool is_outermost(const js_flow *flow, uint32_t header)
{
    for (size_t i = 0; i < flow->nregions; i++) {
        const js_region *loop = &flow->regions[i];
        if (loop->kind == JS_REGION_LOOP && loop->first_test < header && header <= loop->last) {
            return false;
        }
    }
    return true;
}

/* The line of the scope's own source that an instruction is of; 0: none. */
static uint32_t line_at(const running *at, uint64_t pc)
{
    const js_function *function = at->scope.function;
    uint32_t item = js_function_inline_at(function, pc), inner = 0;
    uint32_t own = at->scope.item ? (uint32_t)(at->scope.item - function->inlines) + 1 : 0;
    for (; item && item != own; item = function->inlines[item - 1].parent) {
        inner = item;
    }
    if (item != own) {
        return 0;
    }
    if (inner) {
        return function->inlines[inner - 1].call_line;
    }
    const js_row *row = own ? js_function_row(function->all_rows, function->nall_rows, pc)
                            : js_function_line_row(function, pc);
    return !row ? 0 : own ? row->line : js_function_user_line(function, row->line);
}

static bool is_in_loop(const running *at, uint64_t address)
{
    uint32_t insn = js_line_insn(&at->code, address), loop = js_line_loop_at(&at->code, at->insn);
    return insn != JS_CODE_NOWHERE && js_line_loop_at(&at->code, insn) == loop;
}

/* Does the hook's code of the innermost loop that runs have no markers? At a marker all is in memory. */
static bool is_plain(const running *at)
{
    const js_function *function = at->scope.function;
    const js_row *here = js_function_row(function->all_rows, function->nall_rows, at->pc);
    if (here && (here->column == JS_COLUMN_LOOP || here->column == JS_COLUMN_PLAIN)) {
        return true;
    }
    if (!at->code.is_known || js_line_loop_at(&at->code, at->insn) == JS_CODE_NOWHERE) {
        return at->scope.item && at->scope.function->level == JS_LEVEL_EXACT && !at->scope.item->first;
    }
    bool found = false;
    for (size_t i = 0; i < function->nall_rows; i++) {
        const js_row *row = &function->all_rows[i];
        if (is_in_loop(at, row->address)) {
            if (row->column == JS_COLUMN_MARKER || row->column == JS_COLUMN_ENTRY) {
                return false;
            }
            found |= row->column == JS_COLUMN_LOOP || row->column == JS_COLUMN_PLAIN;
        }
    }
    return found || (at->scope.item && !at->scope.item->first);
}

/* May code of the loop's body have run before the place, or is it only ahead? */
static bool has_begun(const running *at, const js_store *store)
{
    const js_code *code = &at->code.code;
    uint8_t *seen = calloc(code->nblocks + 1, 1);
    uint32_t *stack = malloc((code->nblocks + 1) * sizeof *stack);
    uint32_t own = at->code.block_of[at->insn];
    size_t depth = 0;
    bool found = !seen || !stack;
    for (uint32_t i = 0; i < code->ninsns && !found; i++) {
        uint32_t line = line_at(at, code->insns[i].address), block = at->code.block_of[i];
        if (line > store->loop_first && line <= store->loop_last) {
            found = block == own && i < at->insn;
            for (unsigned s = 0; s < 2; s++) {
                uint32_t next = code->blocks[block].successors[s];
                if (next != JS_CODE_NOWHERE && !seen[next]) {
                    seen[next] = 1;
                    stack[depth++] = next;
                }
            }
        }
    }
    while (depth > 0 && !found && !seen[own]) {
        const js_block *block = &code->blocks[stack[--depth]];
        for (unsigned s = 0; s < 2; s++) {
            uint32_t next = block->successors[s];
            if (next != JS_CODE_NOWHERE && !seen[next]) {
                seen[next] = 1;
                stack[depth++] = next;
            }
        }
    }
    found = found || seen[own];
    free(seen);
    free(stack);
    return found;
}

/* ---- what the loop's code does ---- */

/* rbp is a register as any other, where no frame begins with it. */
static bool has_frame_pointer(const js_code *code)
{
    for (size_t i = 0; i < code->ninsns; i++) {
        const js_insn *insn = &code->insns[i];
        if (insn->op == JS_OP_MOVE && insn->to.kind == JS_PLACE_REGISTER && insn->to.reg == JS_CODE_RBP &&
            insn->from.kind == JS_PLACE_REGISTER && insn->from.reg == JS_CODE_RSP) {
            return true;
        }
    }
    return false;
}

static bool stores_elsewhere(const js_insn *insn, bool has_frame)
{
    return insn->stores && (insn->to.kind == JS_PLACE_MEMORY || (insn->to.reg == JS_CODE_RBP && !has_frame));
}

static bool is_of(const running *at, const js_store *store, uint32_t insn)
{
    uint32_t line = line_at(at, at->code.code.insns[insn].address);
    return line >= store->first && line <= store->last;
}

/* Is a piece of the innermost loop's code perhaps several iterations? */
static bool is_several(running *at)
{
    const js_function *function = at->scope.function;
    if (js_line_loop_is_packed(&at->code, at->insn) || js_line_loop_is_strided(&at->code, at->insn)) {
        return true;
    }
    uint32_t last = 0, runs[64], nruns = 0;
    for (size_t i = 0; i < function->nall_rows; i++) {
        const js_row *row = &function->all_rows[i];
        if (row->end_sequence || !is_in_loop(at, row->address)) {
            continue;
        }
        if (row->turns > 1) {
            return true;
        }
        if (row->line == last || row->line == 0) {
            continue;
        }
        last = row->line;
        for (uint32_t r = 0; r < nruns; r++) {
            if (runs[r] == last) { /* its code is there twice */
                return true;
            }
        }
        if (nruns == sizeof runs / sizeof *runs) {
            return true;
        }
        runs[nruns++] = last;
    }
    return false;
}

/* How many statements of the source store on these lines, which the instructions of them are compared with.
 */
static uint32_t count_statements(const js_flow *flow, const js_store *store)
{
    uint32_t count = 0;
    for (size_t i = 0; i < flow->nstores; i++) {
        const js_store *other = &flow->stores[i];
        count += other->loop_first == store->loop_first && other->kind != JS_STORE_CALL &&
                 other->first <= store->last && store->first <= other->last;
    }
    return count;
}

/* Of a statement of a loop around the innermost one. */
static freshness look_outside(const running *at, const js_store *store)
{
    bool has_frame = has_frame_pointer(&at->code.code);
    uint32_t count = 0;
    for (uint32_t i = 0; i < at->code.code.ninsns; i++) {
        if (stores_elsewhere(&at->code.code.insns[i], has_frame) && is_of(at, store, i)) {
            if (js_line_loop_at(&at->code, i) == JS_CODE_NOWHERE) {
                return IN_REGISTER; /* behind the loop, maybe */
            }
            count++;
        }
    }
    bool is_each = count > 0 && count == count_statements(at->flow, store);
    return is_each && is_outermost(at->flow, store->loop_first) ? IN_MEMORY : IN_REGISTER;
}

static freshness look_at(running *at, const js_store *store)
{
    const js_code *code = &at->code.code;
    uint32_t loop = at->code.is_known ? js_line_loop_at(&at->code, at->insn) : JS_CODE_NOWHERE;
    const js_region *innermost = innermost_loop(at->flow, at->line);
    bool is_innermost = innermost && innermost->first_test == store->loop_first;
    if (!at->code.is_known || at->insn == JS_CODE_NOWHERE) {
        return IN_REGISTER;
    }
    if (!is_innermost) {
        return look_outside(at, store);
    }
    if (loop == JS_CODE_NOWHERE) {
        return at->line > store->loop_first || has_begun(at, store) ? IN_REGISTER : IN_MEMORY;
    }
    bool has_frame = has_frame_pointer(code), calls = false;
    uint32_t count = 0, the_one = 0;
    for (uint32_t i = 0; i < code->ninsns; i++) {
        if (js_line_loop_at(&at->code, i) != loop) {
            continue;
        }
        if (stores_elsewhere(&code->insns[i], has_frame) && is_of(at, store, i)) {
            count++;
            the_one = i;
        }
        calls |= code->insns[i].op == JS_OP_CALL && is_of(at, store, i);
    }
    if (store->kind == JS_STORE_CALL) {
        return calls ? IN_MEMORY : IN_REGISTER;
    }
    if (count == 0 || count_statements(at->flow, store) != 1) {
        return IN_REGISTER;
    }
    if (count > 1 || is_several(at)) {
        return AT_ITERATION;
    }
    bool is_ahead = the_one == at->insn || js_line_follows(&at->code, at->insn, the_one);
    bool is_on_line = at->line >= store->first && at->line <= store->last;
    return is_on_line || is_ahead == (store->first > at->line) ? IN_MEMORY : AT_ITERATION;
}

/* ---- what it stores to ---- */

/* Elements of what has other types are not looked for. */
static bool may_have_elements(const js_local *local, bool is_in_place)
{
    for (size_t i = 0; i < local->nversions; i++) {
        const js_type *type = local->versions[i]->type;
        bool has = type->kind == JS_KIND_ARRAY || type->shape == JS_SHAPE_VARIANT;
        if (has || (!is_in_place && type->kind == JS_KIND_TUPLE)) {
            return true;
        }
    }
    return false;
}

static char *label_of(const running *at, const js_store *store, freshness how)
{
    const js_function *function = at->scope.function;
    const char *path = js_object_path(function->object, at->scope.item     ? at->scope.item->file
                                                        : function->parent ? function->parent->file
                                                                           : function->file);
    const char *file = strrchr(path, '/');
    js_text text;
    js_text_init(&text, 0);
    if (how == IN_REGISTER) {
        js_text_printf(&text, "elements may be older: the loop at %s:%u keeps them in registers",
                       file ? file + 1 : path, store->loop_first);
    } else {
        js_text_printf(&text,
                       "elements that the current iterations store may be older or newer: the loop at %s:%u "
                       "runs several at once",
                       file ? file + 1 : path, store->loop_first);
    }
    char *label = js_text_take(&text);
    js_text_deinit(&text);
    return label;
}

/* The source of the code that is inlined here: what it has by itself has been compiled, too. */
static const js_flow *flow_of(const js_program *program, const js_function *function, const js_inline *item)
{
    const char *path = js_object_path(function->object, item->file);
    for (size_t o = 0; o < program->nobjects; o++) {
        const js_object *object = program->objects[o];
        for (size_t i = 0; object && i < object->nfunctions; i++) {
            const js_function *other = &object->functions[i];
            if (other->flow && !other->parent && other->line == item->line &&
                strcmp(js_object_path(object, other->file), path) == 0) {
                return other->flow;
            }
        }
    }
    return NULL;
}

/* Where the elements are of what a variable holds. is_known false: that is not known; low == high: nowhere.
 */
static int find_elements(const js_scope *scope, const js_frame *frame, const js_local *local,
                         js_array_place *out)
{
    js_sight sight;
    js_array_view view;
    *out = (js_array_place){0};
    int status = js_sight_init(&sight, scope->function, local, frame);
    if (status || !sight.has_value) {
        return status;
    }
    if (sight.value.type->kind == JS_KIND_ARRAY && js_array_view_init(&view, &sight.value) == JS_OK) {
        js_array_place_of(&view, out);
        out->is_known = true;
    } else if (sight.value.type->kind != JS_KIND_TUPLE) {
        out->is_known = true; /* a number, or what else is not looked for */
    }
    js_sight_deinit(&sight);
    return JS_OK;
}

static int add_place(const running *at, const js_array_place *place, const js_store *store, freshness how)
{
    if (place->is_known && place->low == place->high) {
        return JS_OK;
    }
    return js_watch_add(&at->program->pending, place->is_known ? place->low : 0,
                        place->is_known ? place->high : UINT64_MAX, label_of(at, store, how));
}

/* A variable of inlined code of which nothing is known: it is one of those that the call is passed. */
static int add_passed(const running *at, const js_store *store, freshness how)
{
    const js_inline *item = at->scope.item;
    const js_function *function = at->scope.function;
    const js_inline *around = item->parent ? &function->inlines[item->parent - 1] : NULL;
    const js_flow *flow = around ? flow_of(at->program, function, around) : function->flow;
    js_scope scope = {.function = function,
                      .item = around,
                      .locals = around ? around->locals : function->locals,
                      .nlocals = around ? around->nlocals : function->nlocals};
    bool is_any = false;
    int status = JS_OK;
    for (size_t i = 0; flow && i < flow->nstores && status == JS_OK; i++) {
        const js_store *call = &flow->stores[i];
        if (call->kind != JS_STORE_CALL || call->loop_first || !call->name || item->call_line < call->first ||
            item->call_line > call->last) {
            continue;
        }
        const js_local *local = js_scope_local(&scope, call->name, strlen(call->name));
        js_array_place elements = {0};
        if (local && !may_have_elements(local, false)) {
            continue;
        }
        is_any = true;
        status = local ? find_elements(&scope, at->frame, local, &elements) : JS_OK;
        status = status ? status : add_place(at, &elements, store, how);
    }
    return status || is_any ? status : add_place(at, &(js_array_place){0}, store, how);
}

static int add(const running *at, const js_store *store, freshness how)
{
    const js_local *local = store->name ? js_scope_local(&at->scope, store->name, strlen(store->name)) : NULL;
    js_array_place elements = {0};
    if (local && !may_have_elements(local, store->kind == JS_STORE_NAME)) {
        return JS_OK;
    }
    if (store->name && !local) { /* a global array is constant */
        return at->scope.item ? add_passed(at, store, how) : JS_OK;
    }
    int status = local ? find_elements(&at->scope, at->frame, local, &elements) : JS_OK;
    if (status == JS_OK && local && !elements.is_known && at->scope.item) {
        return add_passed(at, store, how);
    }
    return status ? status : add_place(at, &elements, store, how);
}

static int add_all(running *at)
{
    int status = JS_OK;
    const js_region *innermost = at->line ? innermost_loop(at->flow, at->line) : NULL;
    bool is_hooked = at->scope.function->level >= JS_LEVEL_EXACT;
    for (size_t i = 0; innermost && i < at->flow->nstores && status == JS_OK; i++) {
        const js_store *store = &at->flow->stores[i];
        if (at->line < store->loop_first || at->line > store->loop_last ||
            (is_hooked && !at->scope.item && store->loop_first != innermost->first_test)) {
            continue;
        }
        freshness how = look_at(at, store);
        status = how == IN_MEMORY ? JS_OK : add(at, store, how);
    }
    return status;
}

int js_program_watch_pending(js_program *program, const js_frame *frame)
{
    running at = {.program = program, .frame = frame, .pc = js_frame_lookup_pc(frame)};
    const js_function *function = js_program_function(program, at.pc);
    if (!function) {
        return JS_ENOTFOUND;
    }
    if (!js_program_may_keep(program, at.pc)) {
        return JS_OK;
    }
    int status = js_line_loops_init(&at.code, function);
    at.scope.function = function;
    at.insn = at.code.is_known ? js_line_insn(&at.code, at.pc) : JS_CODE_NOWHERE;
    uint32_t item = js_function_inline_at(function, at.pc);
    for (bool is_last = false; !is_last && status == JS_OK;) {
        is_last = item == 0;
        const js_inline *inlined = item ? &function->inlines[item - 1] : NULL;
        at.scope = (js_scope){.function = function,
                              .item = inlined,
                              .locals = inlined ? inlined->locals : function->locals,
                              .nlocals = inlined ? inlined->nlocals : function->nlocals};
        at.flow = inlined ? flow_of(program, function, inlined) : function->flow;
        at.line = line_at(&at, at.pc);
        if (at.flow && (function->level < JS_LEVEL_EXACT || is_plain(&at))) {
            status = add_all(&at);
        }
        item = inlined ? inlined->parent : 0;
    }
    js_line_loops_deinit(&at.code);
    return status;
}

void js_program_forget_pending(js_program *program)
{
    js_watch_clear(&program->pending);
}

void js_program_set_find_pending(js_program *program, js_find_pending_fn find, void *context)
{
    program->pending.find = find;
    program->pending.context = context;
}

js_watch *js_program_pending(js_program *program)
{
    return &program->pending;
}

bool js_program_may_keep(const js_program *program, uint64_t pc)
{
    const js_function *function = js_program_function(program, pc);
    return function && function->has_debug_info && !function->has_homes &&
           (function->ninlines > 0 || (function->flow && function->flow->nstores > 0));
}
