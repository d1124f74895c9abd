#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"
#include "program/described.h"
#include "program/program_internal.h"
#include "program/truth.h"
#include "program/write.h"

int js_program_create(js_program **out)
{
    js_program *program = calloc(1, sizeof *program);
    if (!program)
        return JS_ENOMEM;
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
    if (!program)
        return;
    for (size_t i = 0; i < program->nobjects; i++)
        js_object_destroy(program->objects[i]);
    free(program->objects);
    free(program->is_written);
    for (size_t i = 0; i < program->nasked; i++) {
        free(program->asked[i].class_name);
        free(program->asked[i].path);
        free(program->asked[i].fields);
    }
    free(program->asked);
    js_types_destroy(program->types);
    free(program);
}

js_types *js_program_types(js_program *program)
{
    return program->types;
}

void js_program_set_flow(js_program *program, js_flow_fn flow, void *context)
{
    program->flow = flow;
    program->flow_context = context;
}

/* ---- objects ---- */

/* The loop's index has no variable in a kernel: the compiler numbers the turns itself. Its name stands in the
 * source. */
static int add_region_index(js_program *program, js_object *object, js_function *kernel, const js_flow *flow)
{
    for (size_t i = 0; i < flow->ndefs; i++) {
        const js_flow_def *def = &flow->defs[i];
        bool described = def->line != kernel->region_line || !def->in_loop;
        for (size_t k = 0; k < kernel->nvariables && !described; k++)
            described = !strcmp(kernel->variables[k].base, def->name);
        if (described)
            continue;
        js_variable *variables = js_arena_alloc(&object->arena, (kernel->nvariables + 1) * sizeof *variables);
        const js_type *type;
        int status = js_types_get(program->types, "int64", NULL, &type);
        if (status || !variables)
            return status ? status : JS_ENOMEM;
        if (kernel->nvariables)
            memcpy(variables, kernel->variables, kernel->nvariables * sizeof *variables);
        char *name = js_arena_strdup(&object->arena, def->name);
        variables[kernel->nvariables] =
            (js_variable){.name = name, .base = name, .line = def->line, .type = type};
        kernel->variables = variables;
        if (!name)
            return JS_ENOMEM;
        kernel->nvariables++;
    }
    return JS_OK;
}

/* A frame's arguments are what a call was made with: in a kernel, the turn of the loop. */
static void show_region_index(js_function *kernel)
{
    for (size_t i = 0; kernel->locals && i < kernel->nlocals; i++) {
        js_local *local = &kernel->locals[i];
        if (local->nversions == 1 && local->versions[0]->line == kernel->region_line &&
            !local->versions[0]->nlocations)
            local->is_argument = true;
    }
}

/* A bare pointer: what the compiler makes of None, and of objects that it does not look into. */
static bool is_opaque(const js_type *type)
{
    return type && strcmp(type->name, "i8*") == 0;
}

/* The compiler describes the result by its storage only ("i64"). Where the source always returns one
 * variable, and that has one type, the result is of it. */
static void name_result(js_function *function, const js_flow *flow)
{
    function->returns_none = flow->returns && strcmp(flow->returns, "None") == 0 &&
                             is_opaque(function->result) && !function->name.is_object_mode;
    const js_local *local =
        flow->returns ? js_function_local(function, flow->returns, strlen(flow->returns)) : NULL;
    if (!local || !function->result)
        return;
    const js_type *type = local->versions[0]->type;
    for (size_t i = 1; i < local->nversions; i++)
        if (local->versions[i]->type != type)
            return;
    if (type->size == function->result->size && type->kind != JS_KIND_LITERAL)
        function->result = type;
}

/* The truth of one function: with the flow of its source where that is at hand. */
static int find_truth(js_program *program, js_object *object, js_function *function)
{
    const js_function *source = function->parent ? function->parent : function;
    js_flow flow, *known = NULL;
    js_text text;
    int status = JS_OK;
    js_text_init(&text, 0);
    if (program->flow && (function->name.kind != JS_NAME_PARFOR || function->parent) &&
        program->flow(program->flow_context, js_object_path(source->object, source->file), source->line,
                      source->source_name, &text) == JS_OK &&
        text.status == JS_OK && text.length &&
        js_flow_parse(&object->arena, text.data, text.length, &flow) == JS_OK)
        known = &flow;
    if (known && function->parent)
        status = add_region_index(program, object, function, known);
    if (!status)
        status = js_truth_function(object, function, known);
    if (status && status != JS_ENOMEM) { /* too large to follow: its variables are there, without a value */
        for (size_t i = 0; function->locals && i < function->nlocals; i++)
            function->locals[i].nspans = 0;
        status = JS_OK;
    }
    if (!status && function->parent)
        show_region_index(function);
    if (!status && known && !function->parent)
        name_result(function, known);
    js_text_deinit(&text);
    return status;
}

static int find_truths(js_program *program, js_object *object)
{
    for (size_t i = 0; i < object->nfunctions; i++) {
        js_function *function = &object->functions[i];
        if (!function->has_debug_info || function->locals)
            continue;
        if (function->name.kind == JS_NAME_PARFOR && !function->parent)
            continue; /* its lines mean nothing before the parent is known */
        int status = find_truth(program, object, function);
        if (status)
            return status;
    }
    return JS_OK;
}

static int program_append(js_program *program, js_object *object)
{
    size_t capacity = program->capacity, wanted = program->nobjects + 1;
    bool *written = js_vector_reserve(program->is_written, &capacity, wanted, sizeof *written);
    if (!written)
        return JS_ENOMEM;
    program->is_written = written;
    js_object **objects = js_vector_reserve(program->objects, &program->capacity, wanted, sizeof *objects);
    if (!objects)
        return JS_ENOMEM;
    program->objects = objects;
    object->id = (unsigned)program->nobjects;
    program->is_written[program->nobjects] = false;
    program->objects[program->nobjects++] = object;
    return JS_OK;
}

/* ---- named tuples: their fields' names stand in the source only ---- */

/* NULL: it was asked already, or there is no memory. */
static js_asked *ask(js_program *program, const char *class_name, const char *path)
{
    for (size_t i = 0; i < program->nasked; i++)
        if (!strcmp(program->asked[i].class_name, class_name) && !strcmp(program->asked[i].path, path))
            return NULL;
    js_asked *grown = realloc(program->asked, (program->nasked + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    program->asked = grown;
    js_asked *asked = &grown[program->nasked];
    *asked = (js_asked){.class_name = strdup(class_name), .path = strdup(path)};
    if (!asked->class_name || !asked->path) {
        free(asked->class_name);
        free(asked->path);
        return NULL;
    }
    program->nasked++;
    return asked;
}

static size_t split_fields(char *names, const char **fields, size_t limit)
{
    size_t count = 0;
    char *rest = NULL;
    for (char *name = strtok_r(names, " \n", &rest); name && count < limit;
         name = strtok_r(NULL, " \n", &rest))
        fields[count++] = name;
    return count;
}

static size_t count_fields(const char *names)
{
    size_t count = 1;
    for (; *names; names++)
        count += *names == ' ';
    return count;
}

/* What the asked file tells, beside those before it: nothing new, the fields' names, or (types are known by
 * their text, in which two classes of one name are the same) that neither's fields can be named. */
static enum telling {
    TELLS_NOTHING,
    TELLS_NAMES,
    TELLS_CONFLICT
} compare_fields(const js_program *program, const js_asked *asked)
{
    enum telling telling = TELLS_NAMES;
    for (const js_asked *other = program->asked; other < asked; other++) {
        if (!other->fields || strcmp(other->class_name, asked->class_name) ||
            count_fields(other->fields) != count_fields(asked->fields))
            continue;
        if (!strcmp(other->fields, asked->fields))
            return TELLS_NOTHING;
        telling = TELLS_CONFLICT;
    }
    return telling;
}

/* "x y" → the class's fields. Types that were made before stay as they are. */
static bool set_fields(js_program *program, js_asked *asked, char *names)
{
    enum { FIELDS_MAX = 256 };
    const char *fields[FIELDS_MAX];
    asked->fields = strdup(names);
    size_t count = split_fields(names, fields, FIELDS_MAX);
    if (!count || !asked->fields)
        return false;
    enum telling telling = compare_fields(program, asked);
    if (telling == TELLS_NOTHING)
        return false;
    const char *const *named = telling == TELLS_NAMES ? fields : NULL;
    return js_types_set_fields(program->types, asked->class_name, named, count) == JS_OK;
}

/* True when a type of the object got names that it was made without. */
static bool learn_fields(js_program *program, const js_object *object)
{
    bool learnt = false;
    for (size_t i = 0; program->flow && i < object->nfunctions; i++) {
        const js_function *function = &object->functions[i];
        for (size_t k = 0; k < function->nvariables; k++) {
            const js_type *type = function->variables[k].type;
            js_text names;
            const char *path = js_object_path(object, function->file);
            js_asked *asked =
                type->kind == JS_KIND_TUPLE && type->class_name ? ask(program, type->class_name, path) : NULL;
            if (!asked)
                continue;
            js_text_init(&names, 0);
            if (program->flow(program->flow_context, path, 0, type->class_name, &names) == JS_OK &&
                names.status == JS_OK && names.length)
                learnt |= set_fields(program, asked, names.data);
            js_text_deinit(&names);
        }
    }
    return learnt;
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
    if (!status && learn_fields(program, *out)) {
        js_object_destroy(*out);
        status = js_object_create(program->types, image, size, memory, out);
    }
    return status;
}

int js_program_add(js_program *program, const void *image, size_t size, js_bytes *memory, js_text *forgotten,
                   unsigned *id)
{
    js_object *object;
    int status = create_object(program, image, size, memory, &object);
    if (status)
        return status;
    for (size_t i = 0; i < program->nobjects; i++) {
        js_object *other = program->objects[i];
        if (!other || other->hi <= object->lo || object->hi <= other->lo)
            continue;
        if (forgotten)
            js_text_printf(forgotten, "%u ", other->id);
        js_program_remove(program, other->id);
    }
    status = program_append(program, object);
    if (status) {
        js_object_destroy(object);
        return status;
    }
    js_program_link_kernels(program, object);
    for (size_t i = 0; !status && i < program->nobjects; i++)
        if (program->objects[i] && !program->is_written[i])
            status = find_truths(program, program->objects[i]);
    if (status) {
        js_program_remove(program, object->id);
        return status;
    }
    *id = object->id;
    return JS_OK;
}

int js_program_remove(js_program *program, unsigned id)
{
    if (id >= program->nobjects || !program->objects[id])
        return JS_ENOTFOUND;
    const js_object *gone = program->objects[id];
    for (size_t i = 0; i < program->nobjects; i++) {
        js_object *object = program->objects[i];
        for (size_t k = 0; object && k < object->nfunctions; k++)
            if (object->functions[k].parent && object->functions[k].parent->object == gone)
                object->functions[k].parent = NULL;
    }
    js_object_destroy(program->objects[id]);
    program->objects[id] = NULL;
    return JS_OK;
}

/* A kernel's file and lines are known when its parent is, and it cannot run before: until then it is held
 * back. */
static bool is_waiting(const js_object *object)
{
    for (size_t i = 0; i < object->nfunctions; i++) {
        const js_function *function = &object->functions[i];
        if (function->has_debug_info && function->name.kind == JS_NAME_PARFOR && !function->parent)
            return true;
    }
    return false;
}

int js_program_write(js_program *program, unsigned first, unsigned last, const char *path, js_text *written)
{
    js_object **chosen = calloc(program->nobjects + 1, sizeof(js_object *));
    size_t count = 0;
    bool all = last == UINT32_MAX;
    if (!chosen)
        return JS_ENOMEM;
    for (size_t i = 0; i < program->nobjects && i <= last; i++) {
        js_object *object = program->objects[i];
        bool wanted = i >= first || !program->is_written[i];
        if (object && wanted && (all || !is_waiting(object)))
            chosen[count++] = object;
    }
    int status = count ? js_write_objects(chosen, count, path) : JS_ENOTFOUND;
    for (size_t i = 0; !status && i < count; i++) {
        program->is_written[chosen[i]->id] = true;
        if (written)
            js_text_printf(written, "%u ", chosen[i]->id);
    }
    free(chosen);
    return !status && written ? written->status : status;
}

js_function *js_program_function(const js_program *program, uint64_t pc)
{
    for (size_t i = program->nobjects; i-- > 0;) {
        js_object *object = program->objects[i];
        if (object && pc >= object->lo && pc < object->hi) {
            js_function *function = js_object_function(object, pc);
            if (function)
                return function;
        }
    }
    return NULL;
}

/* ---- functions as JSON ---- */

static void put_string(js_text *out, const char *key, const char *value)
{
    js_text_json_pair(out, key, value);
    js_text_put(out, ", ");
}

static void put_types(js_text *out, const js_function *function)
{
    js_text_put(out, ", \"variables\": [");
    for (size_t i = 0, shown = 0; i < function->nlocals; i++) {
        const js_local *local = &function->locals[i];
        for (size_t k = 0; k < local->nversions; k++) {
            bool again = false; /* one line a type: versions of the same type are one variable to the user */
            for (size_t n = 0; n < k; n++)
                again |= local->versions[n]->type == local->versions[k]->type;
            if (again)
                continue;
            js_text_put(out, shown++ ? ", {" : "{");
            put_string(out, "name", local->name);
            put_string(out, "type", local->versions[k]->type->name);
            js_text_printf(out, "\"argument\": %s, \"lines\": [", local->is_argument ? "true" : "false");
            for (size_t n = k, lines = 0; n < local->nversions; n++)
                if (local->versions[n]->type == local->versions[k]->type)
                    js_text_printf(out, "%s%u", lines++ ? ", " : "", local->versions[n]->line);
            js_text_put(out, "]}");
        }
    }
    js_text_put(out, "], \"returns\": ");
    if (function->returns_none)
        js_text_put(out, "\"none\"");
    else if (function->result && !is_opaque(function->result))
        js_text_json_string(out, function->result->name, strlen(function->result->name));
    else
        js_text_put(out, "null");
    js_text_put(out, function->name.is_object_mode ? ", \"mode\": \"object\"" : ", \"mode\": \"nopython\"");
}

static void put_function(js_text *out, const js_function *function, bool types)
{
    const js_function *home = function->parent ? function->parent : function;
    js_text signature;
    js_text_init(&signature, 0);
    js_text_put(&signature, function->source_name);
    js_text_put(&signature, function->name.arguments);
    js_text_put(out, "{");
    put_string(out, "name", function->source_name);
    put_string(out, "signature", signature.status ? "" : signature.data);
    js_text_deinit(&signature);
    put_string(out, "qualname", function->name.qualname);
    put_string(out, "module", function->name.module);
    put_string(out, "kind", js_name_kind_text(function->name.kind));
    put_string(out, "file", function->has_debug_info ? js_object_path(home->object, home->file) : "");
    put_string(out, "linkage_name", function->linkage_name);
    if (function->parent)
        put_string(out, "parent", function->parent->source_name);
    else
        js_text_put(out, "\"parent\": null, ");
    js_text_printf(out, "\"line\": %u, \"low\": %llu, \"high\": %llu, \"debug_info\": %s, \"object\": %u",
                   function->parent ? function->region_line : function->line,
                   (unsigned long long)function->lo, (unsigned long long)function->hi,
                   function->has_debug_info ? "true" : "false", function->object->id);
    if (types)
        put_types(out, function);
}

int js_program_functions(js_program *program, const char *match, int types, int wrappers, char **out)
{
    regex_t pattern;
    *out = NULL;
    if (match && regcomp(&pattern, match, REG_EXTENDED | REG_NOSUB))
        return JS_EARG;
    js_text text;
    js_text_init(&text, 0);
    js_text_put(&text, "[");
    size_t shown = 0;
    for (size_t i = 0; i < program->nobjects; i++)
        for (size_t k = 0; program->objects[i] && k < program->objects[i]->nfunctions; k++) {
            const js_function *function = &program->objects[i]->functions[k];
            bool user = function->name.kind == JS_NAME_FUNCTION || function->name.kind == JS_NAME_PARFOR ||
                        function->name.kind == JS_NAME_GENERATOR_NEXT || function->name.kind == JS_NAME_CUDA;
            if ((!wrappers && !user) || (match && regexec(&pattern, function->source_name, 0, NULL, 0) &&
                                         regexec(&pattern, function->name.qualname, 0, NULL, 0)))
                continue;
            js_text_put(&text, shown++ ? ", " : "");
            put_function(&text, function, types != 0);
            js_text_put(&text, "}");
        }
    js_text_put(&text, "]");
    if (match)
        regfree(&pattern);
    return js_text_give(&text, JS_OK, out);
}

int js_program_at(js_program *program, uint64_t pc, char **out)
{
    *out = NULL;
    js_function *function = js_program_function(program, pc);
    if (!function)
        return JS_ENOTFOUND;
    const js_row *row = js_function_line_row(function, pc);
    uint32_t line = row ? row->line : 0;
    if (function->parent && line <= function->region_line)
        line = function->region_line;
    js_text text;
    js_text_init(&text, 0);
    put_function(&text, function, false);
    js_text_printf(&text, ", \"at_line\": %u, \"homes\": %s}", line, function->has_homes ? "true" : "false");
    return js_text_give(&text, JS_OK, out);
}
