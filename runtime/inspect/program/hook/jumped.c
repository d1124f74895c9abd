/* Adds rows for code that is laid out after code of another line. If a jump leads into the middle of a row,
 * GDB takes it for the middle of that row's line, and a step that comes to this line's statement next would
 * not stop there. So where a block begins in the middle of a row, it gets the line of the marker that was
 * passed last. */
#include "program/hook/decoded.h"
#include "program/model/object.h"

enum { NO_MARKER = UINT32_MAX };

typedef struct jumped {
    const js_hook_code *code;
    const js_function *function;
    uint32_t *marks; /* for each instruction: the marker's row that it is, or NO_MARKER */
    uint32_t *in;    /* for each block: the marker's row that was passed last on a path to it, or NO_MARKER */
} jumped;

static int find_marks(js_hook_code *code, jumped *ctx)
{
    const js_function *function = ctx->function;
    ctx->marks = js_arena_alloc(&code->scratch, (code->code.ninsns + 1) * sizeof(*ctx->marks));
    ctx->in = js_arena_alloc(&code->scratch, (code->code.nblocks + 1) * sizeof(*ctx->in));
    if (!ctx->marks || !ctx->in) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < code->code.ninsns; i++) {
        ctx->marks[i] = NO_MARKER;
    }
    for (uint32_t i = 0; i < function->lines.nall; i++) {
        const js_row *row = &function->lines.all[i];
        uint32_t insn =
            row->column == JS_COLUMN_MARKER ? js_code_find(&code->code, row->address) : JS_CODE_NOWHERE;
        if (insn != JS_CODE_NOWHERE) {
            ctx->marks[insn] = i;
        }
    }
    return JS_OK;
}

/* Fill `in`. Where paths to a block have passed different markers, the path that is found first decides. */
static void follow(jumped *ctx)
{
    const js_code *code = &ctx->code->code;
    for (size_t b = 0; b < code->nblocks; b++) {
        ctx->in[b] = NO_MARKER;
    }
    for (size_t o = 0; o < code->norder; o++) {
        const js_basic_block *block = &code->blocks[code->order[o]];
        uint32_t row = ctx->in[code->order[o]];
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            row = ctx->marks[i] != NO_MARKER ? ctx->marks[i] : row;
        }
        for (unsigned s = 0; s < 2; s++) {
            uint32_t to = block->successors[s];
            if (to != JS_CODE_NOWHERE && ctx->in[to] == NO_MARKER) {
                ctx->in[to] = row;
            }
        }
    }
}

/* Give the row the line that a marker's code has in this scope: the marker's own, or that of the inlined call
 * that the marker is in. False: it has none. */
static bool go_on(const jumped *ctx, uint32_t scope, uint32_t marker, js_row *row)
{
    const js_row *passed = &ctx->function->lines.all[marker];
    uint32_t insn = js_code_find(&ctx->code->code, passed->address);
    uint32_t within = insn != JS_CODE_NOWHERE ? ctx->code->scopes[insn] : 0;
    row->line = passed->line;
    row->file = passed->file;
    while (within != scope && within) {
        const js_inline *item = &ctx->function->inlines[within - 1];
        row->line = item->call_line;
        row->file = item->call_file;
        within = item->parent;
    }
    return within == scope && row->line;
}

int js_hook_jumped(js_hook_code *code, const js_hook_paths *ways, js_function *function)
{
    jumped ctx = {.code = code, .function = function};
    if (!code->is_followed || !function->statements.rows || function->build.level != JS_LEVEL_STEPS) {
        return JS_OK;
    }
    js_row *found = js_arena_alloc(&function->object->arena,
                                   (code->code.nblocks + 1) * sizeof(*function->statements.jumped));
    int status = found ? find_marks(code, &ctx) : JS_ENOMEM;
    if (status != JS_OK) {
        return status;
    }
    follow(&ctx);
    const js_row *own = NULL, *now = NULL; /* the rows in force: a statement's, and one that is added here */
    size_t next = 0, count = 0;
    for (uint32_t b = 0; b < code->code.nblocks; b++) {
        uint32_t first = code->code.blocks[b].first;
        uint64_t address = code->code.insns[first].address;
        for (; next < function->lines.nall && function->statements.rows[next].address <= address; next++) {
            own = function->statements.rows[next].line ? &function->statements.rows[next] : own;
            now = function->statements.rows[next].line ? own : now;
        }
        if (!own || own->address == address) {
            continue;
        }
        js_row row = {.address = address, .line = own->line, .file = own->file};
        bool is_followed = !ways->is_cyclic[first] && ctx.in[b] != NO_MARKER;
        if (!ways->is_cyclic[first] && ctx.in[b] == NO_MARKER) { /* such as where a generator goes on */
            row.line = function->line;
            row.file = function->file;
        } else if (is_followed && !go_on(&ctx, code->scopes[first], ctx.in[b], &row)) {
            row.line = own->line;
            row.file = own->file;
        }
        if (row.line != now->line || row.file != now->file) {
            found[count] = row;
            now = &found[count++];
        }
    }
    function->statements.jumped = found;
    function->statements.njumped = count;
    return JS_OK;
}
