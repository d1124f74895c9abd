/* Writes the compiled functions as JSON. */
#include <regex.h>
#include <string.h>

#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/names/numba/flags.h"
#include "program/names/numba/overloads.h"
#include "program/names/numba/variable_names.h"
#include "program/session/program.h"

static void put_string(js_text *out, const char *key, const char *value)
{
    js_text_json_pair(out, key, value);
    js_text_put(out, ", ");
}

/* True if the source assigns the variable on this line, in the loop whose body a kernel is. Without the
 * source it is not known, and only lines above the loop or of the `def` are false. */
static bool is_assigned_at(const js_function *function, const char *name, uint32_t line)
{
    const js_flow *flow = function->source.flow;
    uint32_t first = function->region.parent ? function->region.line : function->line;
    const js_region *loop = flow && function->region.parent ? js_flow_loop(flow, first) : NULL;
    if (!flow) {
        return line >= first;
    }
    if (loop && (line < loop->first_test || line > loop->last)) {
        return false;
    }
    for (size_t i = flow->narguments; i < flow->ndefs; i++) {
        if (flow->defs[i].line == line && strcmp(flow->defs[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

typedef struct line_list {
    js_text *out;
    uint32_t lines[32];
    size_t count;
} line_list;

static void put_line(line_list *list, uint32_t line)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->lines[i] == line) {
            return;
        }
    }
    if (list->count < sizeof list->lines / sizeof *list->lines) {
        js_text_printf(list->out, "%s%u", list->count ? ", " : "", line);
        list->lines[list->count++] = line;
    }
}

/* Write the lines that assign the versions of the local that have the type of version k. The compiler gives a
 * variable of a parallel loop the line of the `def`, or a line of a template: then the lines are the
 * source's. */
static void put_lines(js_text *out, const js_function *function, const js_local *local, size_t k)
{
    const js_flow *flow = function->source.flow;
    line_list list = {.out = out};
    bool is_only_type = true;
    for (size_t n = 0; n < local->nversions; n++) {
        bool is_type = local->versions[n]->type == local->versions[k]->type;
        uint32_t line = local->versions[n]->line;
        if (is_type && (local->is_argument || is_assigned_at(function, local->name, line))) {
            put_line(&list, line);
        }
        is_only_type &= is_type;
    }
    for (size_t i = flow ? flow->narguments : 0; flow && is_only_type && !list.count && i < flow->ndefs;
         i++) {
        const js_flow_def *def = &flow->defs[i];
        if (strcmp(def->name, local->name) == 0 && is_assigned_at(function, local->name, def->line)) {
            put_line(&list, def->line);
        }
    }
}

static void put_types(js_text *out, const js_function *function)
{
    js_text_put(out, ", \"variables\": [");
    for (size_t i = 0, shown = 0; i < function->nlocals; i++) {
        const js_local *local = &function->locals[i];
        for (size_t k = 0; k < local->nversions; k++) {
            bool again = false; /* versions of one type are one variable for the user, and one entry */
            for (size_t n = 0; n < k; n++) {
                again |= local->versions[n]->type == local->versions[k]->type;
            }
            if (again) {
                continue;
            }
            js_text_put(out, shown++ ? ", {" : "{");
            put_string(out, "name", local->name);
            const char *type = local->versions[k]->type->name;
            /* the hook writes this type for a variable that Numba has removed */
            bool is_removed = function->build.level >= JS_LEVEL_EXACT && !function->name.is_object_mode &&
                              strcmp(type, "pyobject") == 0;
            put_string(out, "type", is_removed ? "unknown" : type);
            js_text_printf(out, "\"argument\": %s, \"lines\": [", local->is_argument ? "true" : "false");
            put_lines(out, function, local, k);
            js_text_put(out, "]}");
        }
    }
    js_text_put(out, "], \"returns\": ");
    if (function->source.returns_none) {
        js_text_put(out, "\"none\"");
    } else if (function->result && !js_numba_is_opaque(function->result->name)) {
        js_text_json_string(out, function->result->name, strlen(function->result->name));
    } else {
        js_text_put(out, "null");
    }
    js_text_put(out, !function->object->returns_status ? ", \"mode\": null"
                     : function->name.is_object_mode   ? ", \"mode\": \"object\""
                                                       : ", \"mode\": \"nopython\"");
}

static void put_function(js_text *out, const js_function *function, bool types)
{
    const js_function *home = function->region.parent ? function->region.parent : function;
    /* a wrapper of a function with lines has a scope without a line */
    bool is_placed = function->has_debug_info && (function->build.level != JS_LEVEL_LINES ||
                                                  js_name_kind_is_written(function->name.kind));
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
    put_string(out, "file", is_placed ? js_object_path(home->object, home->file) : "");
    put_string(out, "linkage_name", function->linkage_name);
    const char *overloaded = js_numba_overloaded(function->name.module, function->name.qualname);
    if (overloaded) {
        put_string(out, "overloads", overloaded);
    } else {
        js_text_put(out, "\"overloads\": null, ");
    }
    if (function->region.parent) {
        put_string(out, "parent", function->region.parent->source_name);
    } else {
        js_text_put(out, "\"parent\": null, ");
    }
    js_text_printf(out, "\"is_loop\": %s, ",
                   js_numba_is_kernel_name(function->linkage_name) ? "true" : "false");
    const char *level = function->has_debug_info ? js_level_text(function->build.level) : NULL;
    if (level) {
        put_string(out, "level", level);
    } else {
        js_text_put(out, "\"level\": null, ");
    }
    const char *chooser = function->has_debug_info ? js_chooser_text(function->build.chosen_by) : NULL;
    if (chooser) {
        put_string(out, "chosen_by", chooser);
    } else {
        js_text_put(out, "\"chosen_by\": null, ");
    }
    js_text_printf(out, "\"fastmath\": %s, \"flags\": ", function->build.is_fast ? "true" : "false");
    js_numba_flags_json(function->name.flags, out);
    js_text_put(out, ", ");
    js_text_printf(out,
                   "\"line\": %u, \"low\": %llu, \"high\": %llu, \"debug_info\": %s, "
                   "\"returns_status\": %s, \"object\": %u",
                   function->region.parent ? function->region.line : function->line,
                   (unsigned long long)function->lo, (unsigned long long)function->hi,
                   function->has_debug_info ? "true" : "false",
                   function->object->returns_status ? "true" : "false", function->object->id);
    if (types) {
        put_types(out, function);
    }
}

int js_program_functions(js_program *program, const char *match, int types, int wrappers, char **out)
{
    regex_t pattern;
    *out = NULL;
    if (match && regcomp(&pattern, match, REG_EXTENDED | REG_NOSUB)) {
        return JS_EARG;
    }
    js_text text;
    js_text_init(&text, 0);
    js_text_put(&text, "[");
    size_t shown = 0;
    for (size_t i = 0; i < program->nobjects; i++) {
        for (size_t k = 0; program->objects[i] && k < program->objects[i]->nfunctions; k++) {
            const js_function *function = &program->objects[i]->functions[k];
            bool user = function->name.kind == JS_NAME_FUNCTION || function->name.kind == JS_NAME_PARFOR ||
                        function->name.kind == JS_NAME_GENERATOR_NEXT || function->name.kind == JS_NAME_CUDA;
            if ((!wrappers && !user) || js_name_is_own(&function->name) ||
                (match && regexec(&pattern, function->source_name, 0, NULL, 0) &&
                 regexec(&pattern, function->name.qualname, 0, NULL, 0))) {
                continue;
            }
            js_text_put(&text, shown++ ? ", " : "");
            put_function(&text, function, types != 0);
            js_text_put(&text, "}");
        }
    }
    js_text_put(&text, "]");
    if (match) {
        regfree(&pattern);
    }
    return js_text_give(&text, JS_OK, out);
}

static bool is_met(const js_object *object, size_t before)
{
    const js_function *function = &object->functions[before];
    for (size_t i = 0; i < before; i++) {
        if (object->functions[i].has_debug_info && object->functions[i].file == function->file) {
            return true;
        }
    }
    return false;
}

int js_program_files(js_program *program, unsigned id, char **out)
{
    const js_object *object = id < program->nobjects ? program->objects[id] : NULL;
    js_text text;
    js_text_init(&text, 0);
    js_text_put(&text, "[");
    for (size_t i = 0; object && i < object->nfunctions; i++) {
        const char *path = js_object_path(object, object->functions[i].file);
        if (!object->functions[i].has_debug_info || is_met(object, i)) {
            continue;
        }
        js_text_put(&text, text.length > 1 ? ", " : "");
        js_text_json_string(&text, path, strlen(path));
    }
    js_text_put(&text, "]");
    return js_text_give(&text, object ? JS_OK : JS_ENOTFOUND, out);
}

int js_program_raise(js_program *program, uint64_t pc, char **out)
{
    const js_function *function = js_program_function(program, pc);
    *out = NULL;
    for (size_t i = 0; function && i < function->statements.nraises; i++) {
        const js_raise *raise = &function->statements.raises[i];
        if (raise->address != pc) {
            continue;
        }
        js_text text;
        js_text_init(&text, 0);
        js_text_printf(&text, "{\"register\": %u, \"made\": %s, \"called\": %s, \"line\": %s}", raise->reg,
                       raise->is_made ? "true" : "false", raise->is_called ? "true" : "false",
                       raise->has_line ? "true" : "false");
        return js_text_give(&text, JS_OK, out);
    }
    return JS_ENOTFOUND;
}

int js_program_at(js_program *program, uint64_t pc, char **out)
{
    *out = NULL;
    js_function *function = js_program_function(program, pc);
    if (!function) {
        return JS_ENOTFOUND;
    }
    const js_row *row = js_function_line_row(function, pc);
    bool is_merged = js_function_is_merged(function, pc);
    uint32_t line = is_merged ? 0 : js_function_user_line(function, row ? row->line : 0);
    js_text text;
    js_text_init(&text, 0);
    put_function(&text, function, false);
    js_text_printf(&text, ", \"at_line\": %u}", line);
    return js_text_give(&text, JS_OK, out);
}
