/* Decodes one linkage name. */
#include "program/names/names.h"

#include <stdlib.h>
#include <string.h>

#include "program/names/init_symbol.h"
#include "program/names/numba/symbol_text.h"

/* Nearly every name fits; a longer one is written twice, the second time into memory of its size. */
enum { STACK_SIZE = 2048 };

static const struct {
    js_name_kind kind;
    const char *text;
} KINDS[] = {
    {JS_NAME_OTHER, "other"},
    {JS_NAME_FUNCTION, "function"},
    {JS_NAME_CPYTHON, "cpython-wrapper"},
    {JS_NAME_CFUNC, "cfunc-wrapper"},
    {JS_NAME_GUFUNC, "gufunc-wrapper"},
    {JS_NAME_UFUNC, "ufunc-wrapper"},
    {JS_NAME_PARFOR, "parfor-kernel"},
    {JS_NAME_GENERATOR_NEXT, "generator-next"},
    {JS_NAME_GENERATOR_FINALIZE, "generator-finalize"},
    {JS_NAME_ENVIRONMENT, "environment"},
    {JS_NAME_CUDA, "cuda"},
    {JS_NAME_RUNTIME, "runtime"},
};

bool js_name_kind_is_written(js_name_kind kind)
{
    return kind == JS_NAME_FUNCTION || kind == JS_NAME_CUDA || kind == JS_NAME_PARFOR ||
           kind == JS_NAME_GENERATOR_NEXT;
}

const char *js_name_kind_text(js_name_kind kind)
{
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        if (KINDS[i].kind == kind) {
            return KINDS[i].text;
        }
    }
    return "other";
}

/* Make a name whose qualname is the input. */
static int init_plain(js_name *name, js_name_kind kind, const char *symbol, size_t length)
{
    char *storage = malloc(length + 2);
    if (!storage) {
        return JS_ENOMEM;
    }
    storage[0] = '\0';
    if (length) {
        memcpy(storage + 1, symbol, length);
    }
    storage[length + 1] = '\0';
    *name = (js_name){.kind = kind,
                      .module = storage,
                      .qualname = storage + 1,
                      .arguments = storage,
                      .generator = storage,
                      .uid = storage,
                      .flags = storage,
                      .storage = storage};
    return JS_OK;
}

/* True for nothing, and for what compilers, linkers and CUDA's data symbols append: ".cold", "@plt",
 * "__errcode__". */
static bool is_suffix(js_span rest)
{
    return !rest.size || rest.at[0] == '.' || rest.at[0] == '@' || js_span_starts(rest, "__");
}

/* True if the text has only characters that the mangler writes; others would reach the user's terminal. */
static bool is_plain(js_span text)
{
    static const bool PLAIN[256] = {
        ['0' ... '9'] = true, ['A' ... 'Z'] = true, ['a' ... 'z'] = true,
        ['_'] = true,         ['$'] = true,         ['.'] = true,
    };
    bool plain = true;
    for (size_t i = 0; i < text.size; i++) {
        plain &= PLAIN[(unsigned char)text.at[i]];
    }
    return plain;
}

int js_name_init_symbol(js_name *name, const js_linkage_symbol *symbol, js_span text, size_t *used)
{
    char stack[STACK_SIZE];
    js_sink sink = {stack, sizeof stack, 0};
    js_name_fields fields;
    if (!js_symbol_put(&sink, symbol, &fields) || (!used && !is_suffix(js_span_after(text, fields.used)))) {
        return JS_ENOTFOUND;
    }
    if (symbol->types_form == JS_TYPES_MANGLED && !is_plain((js_span){text.at, fields.used})) {
        return JS_ENOTFOUND;
    }
    char *storage = malloc(sink.length);
    if (!storage) {
        return JS_ENOMEM;
    }
    if (sink.length <= sizeof stack) {
        memcpy(storage, stack, sink.length);
    } else {
        sink = (js_sink){storage, sink.length, 0};
        js_symbol_put(&sink, symbol, &fields);
    }
    *name = (js_name){.kind = symbol->kind,
                      .module = storage + fields.module,
                      .qualname = storage + fields.qualname,
                      .arguments = storage + fields.arguments,
                      .generator = storage + fields.generator,
                      .uid = storage + fields.uid,
                      .flags = storage + fields.flags,
                      .is_object_mode = fields.is_object_mode,
                      .storage = storage};
    memcpy(name->records, fields.records, sizeof name->records);
    name->nrecords = fields.nrecords;
    if (js_name_is_own(name)) {
        name->kind = JS_NAME_RUNTIME;
    }
    if (used) {
        *used = fields.used;
    }
    return JS_OK;
}

bool js_name_is_own(const js_name *name)
{
    static const char package[] = "jitscope.";
    return strncmp(name->module, package, sizeof package - 1) == 0;
}

int js_name_init(js_name *name, const char *symbol, size_t length)
{
    js_span text = {symbol, length};
    js_linkage_symbol parsed;
    int status = JS_ENOTFOUND;
    if (length && (js_symbol_parse(&parsed, text) || js_symbol_parse_cxx(&parsed, text))) {
        status = js_name_init_symbol(name, &parsed, text, NULL);
    }
    if (status != JS_ENOTFOUND) {
        return status;
    }
    js_name_kind kind = length && js_symbol_is_runtime(text) ? JS_NAME_RUNTIME : JS_NAME_OTHER;
    return init_plain(name, kind, symbol, length);
}

void js_name_deinit(js_name *name)
{
    free(name->storage);
    *name = (js_name){0};
}

int js_name_signature(const js_name *name, js_text *out)
{
    js_text_plain(out, name->qualname);
    js_text_plain(out, name->arguments);
    return out->status;
}
