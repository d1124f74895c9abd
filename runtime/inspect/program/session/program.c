/* Adds, removes and writes the objects of a program. */
#include "program/session/program.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"
#include "program/elements/stores_of_code.h"
#include "program/hook/hook.h"
#include "program/model/lookup.h"
#include "program/names/numba/overloads.h"
#include "program/names/numba/schedule.h"
#include "program/names/numba/variable_names.h"
#include "program/parallel/kernels.h"
#include "program/parallel/source_lines.h"
#include "program/read/described/record.h"
#include "program/read/elf.h"
#include "program/session/asked_flows.h"
#include "program/session/qualified.h"
#include "program/session/truths.h"
#include "program/session/tuple_fields.h"
#include "program/validity/statements/rows.h"
#include "program/validity/states/run.h"
#include "program/validity/variables/undescribed_variables.h"
#include "program/write/write.h"

int js_program_create(js_program **out)
{
    js_program *program = calloc(1, sizeof *program);
    if (!program) {
        return JS_ENOMEM;
    }
    int status = js_types_create(&program->types);
    if (status) {
        free(program);
        return status;
    }
    *out = program;
    return JS_OK;
}

void js_program_destroy(js_program *program)
{
    if (!program) {
        return;
    }
    for (size_t i = 0; i < program->nobjects; i++) {
        js_object_destroy(program->objects[i]);
    }
    free(program->objects);
    free(program->is_written);
    for (size_t i = 0; i < program->nasked; i++) {
        free(program->asked[i].class_name);
        free(program->asked[i].path);
        free(program->asked[i].fields);
    }
    free(program->asked);
    js_watch_clear(&program->pending);
    js_pending_forget(program);
    js_types_destroy(program->types);
    free(program);
}

js_types *js_program_types(js_program *program)
{
    return program->types;
}

void js_program_set_global(js_program *program, js_global_fn global, void *context)
{
    program->global = global;
    program->global_context = context;
}

void js_program_set_enclosing(js_program *program, js_enclosing_fn enclosing, void *context)
{
    program->enclosing = enclosing;
    program->enclosing_context = context;
}

void js_program_set_flow(js_program *program, js_flow_fn flow, void *context)
{
    program->flow = flow;
    program->flow_context = context;
}

/* ---- objects ---- */

static int program_append(js_program *program, js_object *object)
{
    size_t capacity = program->capacity, wanted = program->nobjects + 1;
    bool *written = js_vector_reserve(program->is_written, &capacity, wanted, sizeof *written);
    if (!written) {
        return JS_ENOMEM;
    }
    program->is_written = written;
    js_object **objects = js_vector_reserve(program->objects, &program->capacity, wanted, sizeof *objects);
    if (!objects) {
        return JS_ENOMEM;
    }
    program->objects = objects;
    object->id = (unsigned)program->nobjects;
    for (size_t i = 0; i < object->nfunctions; i++) {
        object->has_kernels |= object->functions[i].name.kind == JS_NAME_PARFOR;
        object->has_generators |= object->functions[i].name.kind == JS_NAME_GENERATOR_NEXT;
    }
    program->is_written[program->nobjects] = false;
    program->objects[program->nobjects++] = object;
    return JS_OK;
}

static int create_object(js_program *program, const void *image, size_t size, js_bytes *memory,
                         js_object **out)
{
    jitscope_note note;
    if (js_described_note(image, size, &note) == JS_OK) {
        program->descriptor = note.descriptor;
        return js_described_create(program->types, &note, memory, out);
    }
    int status = js_object_create(program->types, image, size, memory, out);
    if (!status && js_program_learn_fields(program, *out)) {
        js_object_destroy(*out);
        status = js_object_create(program->types, image, size, memory, out);
    }
    return status;
}

int js_program_add(js_program *program, const void *image, size_t size, js_bytes *memory, js_text *forgotten,
                   unsigned *id)
{
    js_object *object;
    js_pending_forget(program);
    int status = create_object(program, image, size, memory, &object);
    if (status) {
        return status;
    }
    for (size_t i = 0; i < program->nobjects; i++) {
        js_object *other = program->objects[i];
        if (!other || other->hi <= object->lo || object->hi <= other->lo) {
            continue;
        }
        if (forgotten) {
            js_text_printf(forgotten, "%u ", other->id);
        }
        js_program_remove(program, other->id);
    }
    object->was_there = program->is_attaching;
    status = program_append(program, object);
    if (status) {
        js_object_destroy(object);
        return status;
    }
    js_program_link_kernels(program, object);
    for (size_t i = 0; !status && i < program->nobjects; i++) {
        if (program->objects[i] && !program->is_written[i] && !program->objects[i]->is_judged) {
            status = js_program_find_truths(program, program->objects[i]);
        }
    }
    if (status) {
        js_program_remove(program, object->id);
        return status;
    }
    *id = object->id;
    return JS_OK;
}

void js_program_set_attaching(js_program *program, bool is_attaching)
{
    program->is_attaching = is_attaching;
}

void js_program_set_lldb(js_program *program, bool is_for_lldb)
{
    program->is_for_lldb = is_for_lldb;
}

bool js_program_asks_to_stop(const js_program *program)
{
    for (size_t i = program->nobjects; i-- > 0;) {
        if (program->objects[i] && program->objects[i]->asks_to_stop) {
            return true;
        }
    }
    return false;
}

unsigned js_program_newer_hook(const js_program *program)
{
    for (size_t i = program->nobjects; i-- > 0;) {
        if (program->objects[i] && program->objects[i]->newer_hook) {
            return program->objects[i]->newer_hook;
        }
    }
    return 0;
}

bool js_program_hides_raises(const js_program *program, unsigned id)
{
    const js_object *object = id < program->nobjects ? program->objects[id] : NULL;
    for (size_t i = 0; object && i < object->nfunctions; i++) {
        if (object->functions[i].statements.hides_raises &&
            !js_numba_is_own(object->functions[i].name.module)) {
            return true;
        }
    }
    return false;
}

int js_program_undescribed(const js_program *program, unsigned id, char **out)
{
    const js_object *object = id < program->nobjects ? program->objects[id] : NULL;
    *out = NULL;
    for (size_t i = 0; object && i < object->nfunctions; i++) {
        const js_function *function = &object->functions[i];
        bool is_written =
            function->name.kind == JS_NAME_FUNCTION || function->name.kind == JS_NAME_GENERATOR_NEXT;
        if (!is_written || function->is_maker || function->has_debug_info ||
            js_numba_is_own(function->name.module) || js_name_is_own(&function->name) ||
            js_hook_is_plain(function->source_name)) {
            continue;
        }
        js_text text;
        js_text_init(&text, 0);
        js_text_json_string(&text, function->source_name, strlen(function->source_name));
        return js_text_give(&text, JS_OK, out);
    }
    return JS_ENOTFOUND;
}

int js_program_remove(js_program *program, unsigned id)
{
    if (id >= program->nobjects || !program->objects[id]) {
        return JS_ENOTFOUND;
    }
    const js_object *gone = program->objects[id];
    js_pending_forget(program);
    for (size_t i = 0; i < program->nobjects; i++) {
        js_object *object = program->objects[i];
        for (size_t k = 0; object && k < object->nfunctions; k++) {
            if (object->functions[k].region.parent && object->functions[k].region.parent->object == gone) {
                object->functions[k].region.parent = NULL;
            }
        }
    }
    js_object_destroy(program->objects[id]);
    program->objects[id] = NULL;
    return JS_OK;
}

/* True if the object has a kernel whose parent is not known yet. Its name, file and lines depend on the
 * parent, and it cannot run before the parent is there, so it is written later. */
static bool is_waiting(const js_object *object)
{
    for (size_t i = 0; i < object->nfunctions; i++) {
        const js_function *function = &object->functions[i];
        if (function->has_debug_info && function->name.kind == JS_NAME_PARFOR && !function->region.parent) {
            return true;
        }
        if (js_program_is_unnamed(function)) {
            return true;
        }
    }
    return false;
}

static int address_order(const void *left, const void *right)
{
    const js_object *l = *(js_object *const *)left, *r = *(js_object *const *)right;
    return l->lo < r->lo ? -1 : l->lo > r->lo;
}

int js_program_write(js_program *program, unsigned first, unsigned last, const char *path, js_text *written)
{
    js_object **chosen = calloc(program->nobjects + 1, sizeof(js_object *));
    size_t count = 0;
    bool all = last == UINT32_MAX;
    if (!chosen) {
        return JS_ENOMEM;
    }
    for (size_t i = 0; i < program->nobjects && i <= last; i++) {
        js_object *object = program->objects[i];
        bool wanted = i >= first || !program->is_written[i];
        if (object && wanted && (all || !is_waiting(object))) {
            chosen[count++] = object;
        }
    }
    int status = count ? JS_OK : JS_ENOTFOUND;
    if (program->is_for_lldb) { /* LLDB 14 leaves out lines at addresses below the file's first section */
        qsort(chosen, count, sizeof(js_object *), address_order);
    }
    for (size_t i = 0; !status && i < count; i++) {
        status = js_object_qualify(chosen[i], program->objects, program->nobjects);
    }
    if (!status) {
        status = js_write_objects(chosen, count, program->is_for_lldb, path);
    }
    for (size_t i = 0; !status && i < count; i++) {
        program->is_written[chosen[i]->id] = true;
        if (written) {
            js_text_printf(written, "%u ", chosen[i]->id);
        }
    }
    free(chosen);
    return !status && written ? written->status : status;
}
