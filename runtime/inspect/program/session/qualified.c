/* Makes the full name of a function of its module and qualname; inlined code gets that of the function with
 * its definition. */
#include "program/session/qualified.h"

#include <string.h>

#include "bytes/plain.h"
#include "program/hook/hook.h"
#include "program/model/lookup.h"
#include "program/model/object.h"

typedef struct program {
    js_object *const *objects;
    size_t count;
} program;

/* True for code that only makes a generator: it has the same name as the generator's own code. */
static bool makes_generator(const program *in, const js_function *function)
{
    for (size_t i = 0; i < in->count; i++) {
        bool may_have = in->objects[i] && in->objects[i]->has_generators;
        for (size_t k = 0; may_have && k < in->objects[i]->nfunctions; k++) {
            const js_name *other = &in->objects[i]->functions[k].name;
            if (other->kind == JS_NAME_GENERATOR_NEXT &&
                strcmp(other->qualname, function->name.qualname) == 0 &&
                strcmp(other->module, function->name.module) == 0) {
                return true;
            }
        }
    }
    return false;
}

static int qualify(const program *in, js_object *object, js_function *function)
{
    function->is_maker = function->name.kind == JS_NAME_FUNCTION && makes_generator(in, function);
    bool is_users = function->name.kind == JS_NAME_GENERATOR_NEXT ||
                    (function->name.kind == JS_NAME_FUNCTION && !function->is_maker);
    if (!is_users || !*function->name.module || function->qualified) {
        return JS_OK;
    }
    js_text text;
    js_text_init(&text, 0);
    js_text_printf(&text, "%s.%s", function->name.module, function->name.qualname);
    int status = text.status;
    if (!status) {
        function->qualified = js_arena_plain(&object->arena, text.data);
        status = function->qualified ? JS_OK : JS_ENOMEM;
    }
    js_text_deinit(&text);
    return status;
}

static const js_function *find_origin(const program *in, const js_object *object, const js_inline *item)
{
    const char *path = js_object_path(object, item->file);
    for (size_t i = in->count; i-- > 0;) {
        for (size_t k = 0; in->objects[i] && k < in->objects[i]->nfunctions; k++) {
            const js_function *function = &in->objects[i]->functions[k];
            if (function->qualified && function->line == item->line &&
                strcmp(function->source_name, item->name) == 0 &&
                strcmp(js_object_path(in->objects[i], function->file), path) == 0) {
                return function;
            }
        }
    }
    return NULL;
}

static int qualify_inlines(const program *in, js_object *object, js_function *function)
{
    int status = JS_OK;
    for (uint32_t i = 0; !status && i < function->ninlines; i++) {
        js_inline *item = &function->inlines[i];
        const js_function *origin = item->qualified ? NULL : find_origin(in, object, item);
        if (!origin) {
            continue;
        }
        item->qualified = js_arena_strdup(&object->arena, origin->qualified);
        status = item->qualified ? JS_OK : JS_ENOMEM;
        if (!status && item->level == JS_LEVEL_STEPS && origin->name.kind == JS_NAME_GENERATOR_NEXT) {
            status = js_hook_enter_at_top(object, function, i + 1);
        }
    }
    return status;
}

int js_object_qualify(js_object *object, js_object *const *objects, size_t nobjects)
{
    const program in = {objects, nobjects};
    int status = JS_OK;
    for (size_t k = 0; !status && k < object->nfunctions; k++) {
        status = qualify(&in, object, &object->functions[k]);
    }
    for (size_t k = 0; !status && k < object->nfunctions; k++) {
        status = qualify_inlines(&in, object, &object->functions[k]);
    }
    return status;
}
