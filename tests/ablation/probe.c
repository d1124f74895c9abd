/* Writes what the library says about the stock functions of a program; linked to each variant of
 * scripts/ablation. */
#include <stdlib.h>
#include <string.h>

#include "program/elements/stores_of_code.h"
#include "program/model/object.h"
#include "program/names/numba/overloads.h"
#include "program/validity/locations/debugger_rows.h"

/* path: of the source of the functions that count; NULL: any. older: also count what has older elements, for
 * which the code is decoded anew at each statement. */
JS_API int js_probe(js_program *program, const char *path, bool older, uint64_t *out);

enum { FUNCTIONS, STATEMENTS, LINES, PLACES, VALUES, BYTES, OLDER, DIGEST };

static void digest(uint64_t *out, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) {
        out[DIGEST] = (out[DIGEST] ^ bytes[i]) * UINT64_C(0x100000001b3); /* FNV-1a */
    }
}

static void digest_number(uint64_t *out, uint64_t number)
{
    digest(out, &number, sizeof(number));
}

static void count_spans(const js_local *local, uint64_t *out)
{
    digest(out, local->name, strlen(local->name));
    digest_number(out, local->is_argument);
    for (size_t i = 0; i < local->nspans; i++) {
        const js_range_state *span = &local->spans[i];
        out[BYTES] += span->state == JS_STATE_EXACT ? span->hi - span->lo : 0;
        digest_number(out, span->lo);
        digest_number(out, span->hi);
        digest_number(out, span->state);
        digest_number(out, span->version ? span->version->version + 1 : 0);
        const js_type *type = span->version ? span->version->type : NULL;
        digest(out, type && type->name ? type->name : "", type && type->name ? strlen(type->name) : 0);
        digest(out, span->expr ? (const void *)span->expr : "", span->expr ? span->size : 0);
        digest(out, span->reason ? span->reason : "", span->reason ? strlen(span->reason) : 0);
    }
}

/* What is shown where a statement begins. */
static void count_statement(const js_function *function, uint64_t pc, uint64_t *out)
{
    out[STATEMENTS]++;
    for (size_t i = 0; i < function->nlocals; i++) {
        const js_range_state *span = js_local_span(&function->locals[i], pc);
        out[PLACES]++;
        out[VALUES] += span && span->state == JS_STATE_EXACT;
    }
}

/* Which elements are labelled where a statement begins. */
static int count_older(js_program *program, const js_function *function, uint64_t pc, uint64_t *out)
{
    const js_pending *pending;
    size_t npending;
    int status = js_pending_find(program, function, pc, &pending, &npending);
    for (size_t i = 0; status == JS_OK && i < npending; i++) {
        out[OLDER]++;
        digest_number(out, pending[i].store.first);
        digest_number(out, pending[i].how);
        digest(out, pending[i].store.name ? pending[i].store.name : "",
               pending[i].store.name ? strlen(pending[i].store.name) : 0);
    }
    return status;
}

static int count_function(js_program *program, const js_function *function, bool older, uint64_t *out)
{
    size_t count;
    js_row *rows = js_debugger_rows(function, &count);
    int status = rows ? JS_OK : JS_ENOMEM;
    out[FUNCTIONS]++;
    for (size_t i = 0; i < function->nlocals; i++) {
        count_spans(&function->locals[i], out);
    }
    for (size_t i = 0; i < function->statements.nraises; i++) {
        digest_number(out, function->statements.raises[i].address);
        digest_number(out, function->statements.raises[i].reg);
        digest_number(out, function->statements.raises[i].is_made);
        digest_number(out, function->statements.raises[i].has_line);
    }
    for (size_t i = 0; i < function->statements.nmerged; i++) {
        digest_number(out, function->statements.merged[i]);
    }
    for (size_t i = 0; i < count && status == JS_OK; i++) {
        digest_number(out, rows[i].address);
        digest_number(out, rows[i].line);
        digest_number(out, rows[i].is_stmt);
        if (!rows[i].is_stmt || !rows[i].line || rows[i].end_sequence) {
            continue;
        }
        bool is_new = true;
        for (size_t k = 0; k < i && is_new; k++) {
            is_new = !rows[k].is_stmt || rows[k].line != rows[i].line;
        }
        out[LINES] += is_new;
        count_statement(function, rows[i].address, out);
        status = older ? count_older(program, function, rows[i].address, out) : JS_OK;
    }
    free(rows);
    return status;
}

static bool is_asked(const js_function *function, const char *path)
{
    const js_function *source = function->region.parent ? function->region.parent : function;
    return function->has_debug_info && function->build.level < JS_LEVEL_EXACT &&
           !js_numba_is_own(function->name.module) &&
           (!path || strcmp(js_object_path(source->object, source->file), path) == 0);
}

int js_probe(js_program *program, const char *path, bool older, uint64_t *out)
{
    memset(out, 0, (DIGEST + 1) * sizeof(*out));
    out[DIGEST] = UINT64_C(0xcbf29ce484222325);
    int status = JS_OK;
    for (size_t o = 0; o < program->nobjects; o++) {
        const js_object *object = program->objects[o];
        for (size_t i = 0; object && i < object->nfunctions && status == JS_OK; i++) {
            if (is_asked(&object->functions[i], path)) {
                status = count_function(program, &object->functions[i], older, out);
            }
        }
    }
    return status;
}
