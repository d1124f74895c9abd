/* Asks for the fields of each class, once for each file that uses it, and compares the answers. */
#include "program/session/tuple_fields.h"

#include <stdlib.h>
#include <string.h>

#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/source/json_reader.h"

/* Return the record of the class in this file, which may be new; NULL: there is no memory. */
static js_class_fields *ask(js_program *program, const char *class_name, const char *path)
{
    for (size_t i = 0; i < program->nasked; i++) {
        if (!strcmp(program->asked[i].class_name, class_name) && !strcmp(program->asked[i].path, path)) {
            return &program->asked[i];
        }
    }
    js_class_fields *grown = realloc(program->asked, (program->nasked + 1) * sizeof *grown);
    if (!grown) {
        return NULL;
    }
    program->asked = grown;
    js_class_fields *asked = &grown[program->nasked];
    *asked = (js_class_fields){.class_name = strdup(class_name), .path = strdup(path)};
    if (!asked->class_name || !asked->path) {
        free(asked->class_name);
        free(asked->path);
        return NULL;
    }
    program->nasked++;
    return asked;
}

/* Read a JSON list of names. JS_EBAD: it is none. */
static int read_names(js_arena *arena, const char *json, const char ***names, size_t *count)
{
    js_source_json in = {.arena = arena};
    json_t *list = json_loads(json, 0, NULL);
    *count = json_array_size(list);
    *names = js_source_room(&in, *count, sizeof **names);
    if (!json_is_array(list)) {
        js_source_fail(&in, JS_EBAD);
    }
    for (size_t i = 0; i < *count && in.status == JS_OK; i++) {
        (*names)[i] = js_source_string(&in, json_array_get(list, i));
    }
    json_decref(list);
    return in.status;
}

/* Compare the fields of the class in this file with those in the files before. It adds nothing, or the names
 * of the fields; or the files differ, and no fields can be named, because a type is known by its text only,
 * which is the same for two classes of one name. */
static enum telling {
    TELLS_NOTHING,
    TELLS_NAMES,
    TELLS_CONFLICT
} compare_fields(const js_program *program, const js_class_fields *asked)
{
    enum telling telling = TELLS_NAMES;
    for (const js_class_fields *other = program->asked; other < asked; other++) {
        if (!other->fields || strcmp(other->class_name, asked->class_name) ||
            other->nfields != asked->nfields) {
            continue;
        }
        if (!strcmp(other->fields, asked->fields)) {
            return TELLS_NOTHING;
        }
        telling = TELLS_CONFLICT;
    }
    return telling;
}

/* Set the names of the fields for types that are made from now on; true if types got names or lost them.
 * text: the JSON list of the names. */
static bool set_fields(js_program *program, js_class_fields *asked, const char *text,
                       const char *const *names, size_t count)
{
    asked->fields = strdup(text);
    asked->nfields = count;
    enum telling telling = asked->fields ? compare_fields(program, asked) : TELLS_NOTHING;
    return telling != TELLS_NOTHING &&
           js_types_set_fields(program->types, asked->class_name, telling == TELLS_NAMES ? names : NULL,
                               count) == JS_OK;
}

/* Take the names from all classes of this name, as the program has several that differ; true if there were
 * some. */
static bool forget_class(js_program *program, const char *class_name)
{
    bool is_new = false;
    for (size_t i = 0; i < program->nasked; i++) {
        js_class_fields *asked = &program->asked[i];
        if (strcmp(asked->class_name, class_name) || asked->is_split) {
            continue;
        }
        asked->is_split = true;
        if (asked->fields) {
            is_new |= js_types_set_fields(program->types, class_name, NULL, asked->nfields) == JS_OK;
        }
    }
    return is_new;
}

/* Ask for the class, with each object again, as the program may have got a second class of this name. */
static bool learn_class(js_program *program, const char *class_name, const char *module, const char *path)
{
    js_class_fields *asked = ask(program, class_name, path);
    if (!asked || asked->is_split) {
        return false;
    }
    js_text text, question;
    js_arena arena;
    js_text_init(&text, 0);
    js_text_init(&question, 0);
    js_arena_init(&arena, 0);
    js_text_printf(&question, "%s %s", class_name, module);
    bool learnt = false,
         is_known = !question.status &&
                    program->flow(program->flow_context, path, 0, question.data, &text) == JS_OK &&
                    text.status == JS_OK;
    const char **names;
    size_t count = 0;
    bool has_names =
        is_known && text.length && read_names(&arena, text.data, &names, &count) == JS_OK && count;
    if (is_known && (!has_names || (asked->fields && strcmp(asked->fields, text.data)))) {
        learnt = forget_class(program, class_name);
    } else if (is_known && !asked->fields) {
        learnt = set_fields(program, asked, text.data, names, count);
    }
    js_text_deinit(&question);
    js_text_deinit(&text);
    js_arena_deinit(&arena);
    return learnt;
}

/* Learn the classes of a type and of the types in it, such as named tuples in a list, within limits. */
static bool learn_type(js_program *program, const js_type *type, const char *module, const char *path,
                       unsigned depth, unsigned *left)
{
    bool learnt = false;
    if ((type->kind == JS_KIND_TUPLE || type->kind == JS_KIND_ENUM) && type->class_name) {
        learnt = learn_class(program, type->class_name, module, path);
    }
    if (!depth || !*left) {
        return learnt;
    }
    --*left;
    if (type->target && type->target != type) {
        learnt |= learn_type(program, type->target, module, path, depth - 1, left);
    }
    for (size_t i = 0; i < type->nmembers && *left; i++) {
        learnt |= learn_type(program, type->members[i].type, module, path, depth - 1, left);
    }
    return learnt;
}

bool js_program_learn_fields(js_program *program, const js_object *object)
{
    enum { DEPTH = 5, TYPES = 256 };
    bool learnt = false;
    for (size_t i = 0; program->flow && i < object->nfunctions; i++) {
        const js_function *function = &object->functions[i];
        const char *path = js_object_path(object, function->file);
        for (size_t k = 0; k < function->nvariables; k++) {
            unsigned left = TYPES;
            learnt |=
                learn_type(program, function->variables[k].type, function->name.module, path, DEPTH, &left);
        }
    }
    return learnt;
}
