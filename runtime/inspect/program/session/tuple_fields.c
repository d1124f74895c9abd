#include "program/session/tuple_fields.h"

#include <stdlib.h>
#include <string.h>

#include "program/model/lookup.h"
#include "program/model/object.h"

/* NULL: there is no memory. */
static js_class_fields *ask(js_program *program, const char *class_name, const char *path)
{
    for (size_t i = 0; i < program->nasked; i++)
        if (!strcmp(program->asked[i].class_name, class_name) && !strcmp(program->asked[i].path, path))
            return &program->asked[i];
    js_class_fields *grown = realloc(program->asked, (program->nasked + 1) * sizeof *grown);
    if (!grown)
        return NULL;
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

static size_t split_fields(char *names, const char **fields, size_t limit)
{
    size_t count = 0;
    char *rest = NULL;
    for (char *name = strtok_r(names, "\n", &rest); name && count < limit; name = strtok_r(NULL, "\n", &rest))
        fields[count++] = name;
    return count;
}

static size_t count_fields(const char *names)
{
    size_t count = 1;
    for (; *names; names++)
        count += *names == '\n';
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
            count_fields(other->fields) != count_fields(asked->fields))
            continue;
        if (!strcmp(other->fields, asked->fields))
            return TELLS_NOTHING;
        telling = TELLS_CONFLICT;
    }
    return telling;
}

/* A name a line → the class's fields. Types that were made before stay as they are. */
static bool set_fields(js_program *program, js_class_fields *asked, char *names)
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

/* The program has several: from now on none has names. */
static bool forget_class(js_program *program, const char *class_name)
{
    bool is_new = false;
    for (size_t i = 0; i < program->nasked; i++) {
        js_class_fields *asked = &program->asked[i];
        if (strcmp(asked->class_name, class_name) || asked->is_split)
            continue;
        asked->is_split = true;
        if (asked->fields)
            is_new |=
                js_types_set_fields(program->types, class_name, NULL, count_fields(asked->fields)) == JS_OK;
    }
    return is_new;
}

/* Asked anew with each object, for a second class of the name may have come. */
static bool learn_class(js_program *program, const char *class_name, const char *module, const char *path)
{
    js_class_fields *asked = ask(program, class_name, path);
    if (!asked || asked->is_split)
        return false;
    js_text names, question;
    js_text_init(&names, 0);
    js_text_init(&question, 0);
    js_text_printf(&question, "%s %s", class_name, module);
    bool learnt = false,
         is_told = !question.status &&
                   program->flow(program->flow_context, path, 0, question.data, &names) == JS_OK &&
                   names.status == JS_OK;
    if (is_told && (!names.length || (asked->fields && strcmp(asked->fields, names.data))))
        learnt = forget_class(program, class_name);
    else if (is_told && !asked->fields)
        learnt = set_fields(program, asked, names.data);
    js_text_deinit(&question);
    js_text_deinit(&names);
    return learnt;
}

/* The classes of a type and of what it holds, so far as that is not too much: named tuples in a list. */
static bool learn_type(js_program *program, const js_type *type, const char *module, const char *path,
                       unsigned depth, unsigned *left)
{
    bool learnt = false;
    if ((type->kind == JS_KIND_TUPLE || type->kind == JS_KIND_ENUM) && type->class_name)
        learnt = learn_class(program, type->class_name, module, path);
    if (!depth || !*left)
        return learnt;
    --*left;
    if (type->target && type->target != type)
        learnt |= learn_type(program, type->target, module, path, depth - 1, left);
    for (size_t i = 0; i < type->nmembers && *left; i++)
        learnt |= learn_type(program, type->members[i].type, module, path, depth - 1, left);
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
