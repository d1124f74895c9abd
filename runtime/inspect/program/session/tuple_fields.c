#include "program/session/tuple_fields.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "program/model/lookup.h"
#include "program/model/object.h"

/* NULL: there is no memory. */
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

/* The names in a JSON list. JS_EBAD: it is no list of names. */
static int read_names(js_arena *arena, const char *json, const char ***names, size_t *count)
{
    json_t *list = json_loads(json, 0, NULL);
    *count = json_array_size(list);
    *names = js_arena_alloc(arena, (*count + 1) * sizeof **names);
    int status = !json_is_array(list) ? JS_EBAD : *names ? JS_OK : JS_ENOMEM;
    for (size_t i = 0; i < *count && status == JS_OK; i++) {
        const char *name = json_string_value(json_array_get(list, i));
        (*names)[i] = name ? js_arena_strdup(arena, name) : NULL;
        status = !name ? JS_EBAD : (*names)[i] ? JS_OK : JS_ENOMEM;
    }
    json_decref(list);
    return status;
}

/* 0: it is no list. */
static size_t count_names(const char *json)
{
    json_t *list = json_loads(json, 0, NULL);
    size_t count = json_array_size(list);
    json_decref(list);
    return count;
}

/* What the asked file tells, beside those before it: nothing new, the fields' names, or (types are known by
 * their text, in which two classes of one name are the same) that neither's fields can be named. */
static enum telling {
    TELLS_NOTHING,
    TELLS_NAMES,
    TELLS_CONFLICT
} compare_fields(const js_program *program, const js_class_fields *asked)
{
    enum telling telling = TELLS_NAMES;
    for (const js_class_fields *other = program->asked; other < asked; other++) {
        if (!other->fields || strcmp(other->class_name, asked->class_name) ||
            count_names(other->fields) != count_names(asked->fields)) {
            continue;
        }
        if (!strcmp(other->fields, asked->fields)) {
            return TELLS_NOTHING;
        }
        telling = TELLS_CONFLICT;
    }
    return telling;
}

/* Types that were made before stay as they are. `names`: a JSON list. */
static bool set_fields(js_program *program, js_class_fields *asked, const char *names)
{
    js_arena arena;
    const char **fields;
    size_t count;
    js_arena_init(&arena, 0);
    asked->fields = strdup(names);
    bool is_read = asked->fields && read_names(&arena, names, &fields, &count) == JS_OK && count;
    enum telling telling = is_read ? compare_fields(program, asked) : TELLS_NOTHING;
    bool is_set = telling != TELLS_NOTHING &&
                  js_types_set_fields(program->types, asked->class_name,
                                      telling == TELLS_NAMES ? fields : NULL, count) == JS_OK;
    js_arena_deinit(&arena);
    return is_set;
}

/* The program has several: from now on none has names. */
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
            is_new |=
                js_types_set_fields(program->types, class_name, NULL, count_names(asked->fields)) == JS_OK;
        }
    }
    return is_new;
}

/* Asked anew with each object, for a second class of the name may have come. */
static bool learn_class(js_program *program, const char *class_name, const char *module, const char *path)
{
    js_class_fields *asked = ask(program, class_name, path);
    if (!asked || asked->is_split) {
        return false;
    }
    js_text names, question;
    js_text_init(&names, 0);
    js_text_init(&question, 0);
    js_text_printf(&question, "%s %s", class_name, module);
    bool learnt = false,
         is_told = !question.status &&
                   program->flow(program->flow_context, path, 0, question.data, &names) == JS_OK &&
                   names.status == JS_OK;
    if (is_told &&
        (!names.length || !count_names(names.data) || (asked->fields && strcmp(asked->fields, names.data)))) {
        learnt = forget_class(program, class_name);
    } else if (is_told && !asked->fields) {
        learnt = set_fields(program, asked, names.data);
    }
    js_text_deinit(&question);
    js_text_deinit(&names);
    return learnt;
}

/* The classes of a type and of what it holds, so far as that is not too much: named tuples in a list. */
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
