/* Splits linkage names, mangled or demangled, into parts, and sorts them by kind. */
#include "program/names/numba/symbol.h"

#include "program/names/numba/escape.h"

static const char PARFOR[] = "__numba_parfor_gufunc"; /* parfor_lowering.py, _create_gufunc_for_parfor_body */

/* Prefixes of wrappers before the symbol that they wrap. */
static const struct {
    const char *prefix;
    js_name_kind kind;
} PREFIXES[] = {
    {"cfunc.", JS_NAME_CFUNC},                 /* funcdesc.py, llvm_cfunc_wrapper_name */
    {"pycfunc.", JS_NAME_CPYTHON},             /* jitscope/compiler/base/wrappers.py */
    {"__gufunc__.", JS_NAME_GUFUNC},           /* np/ufunc/wrappers.py */
    {"__ufunc__.", JS_NAME_UFUNC},             /* np/ufunc/wrappers.py */
    {".numba_", JS_NAME_RUNTIME},              /* typed/dictobject.py: "….dict_key_decref" */
    {"finalize_", JS_NAME_GENERATOR_FINALIZE}, /* generators.py, llvm_finalizer_name */
};

static const char *const RUNTIME[] = {"NRT_",   "nrt_",    "numba_", "_numba_",
                                      ".dtor.", ".numba_", "_Dtor.", NULL};

bool js_symbol_is_runtime(js_span text)
{
    for (size_t i = 0; RUNTIME[i]; i++) {
        if (js_span_starts(text, RUNTIME[i])) {
            return true;
        }
    }
    return false;
}

bool js_symbol_may_start(js_span text)
{
    switch (text.at[0]) {
    case '_':
        return js_span_starts(text, "_Z") || js_span_starts(text, "__gufunc__._Z") ||
               js_span_starts(text, "__ufunc__._Z");
    case 'c':
        return js_span_starts(text, "cfunc._Z");
    case 'p':
        return js_span_starts(text, "pycfunc._Z");
    case 'f':
        return js_span_starts(text, "finalize__Z");
    case '.':
        return js_span_starts(text, ".kernel.") || js_span_starts(text, ".numba__Z");
    default:
        return false;
    }
}

/* Return the length of ".kernel.<id>_", which precedes a __ufunc__ or __gufunc__ symbol
 * (np/ufunc/parallel.py). */
static size_t kernel_prefix(js_span text)
{
    size_t end = strlen(".kernel.");
    if (!js_span_starts(text, ".kernel.")) {
        return 0;
    }
    size_t digits = end;
    while (end < text.size && js_is_digit(text.at[end])) {
        end++;
    }
    return end > digits && end < text.size && text.at[end] == '_' ? end + 1 : 0;
}

static js_span strip_prefixes(js_linkage_symbol *symbol, js_span text)
{
    text = js_span_after(text, kernel_prefix(text));
    for (size_t i = 0; i < sizeof PREFIXES / sizeof PREFIXES[0]; i++) {
        if (js_span_starts(text, PREFIXES[i].prefix)) {
            symbol->kind = PREFIXES[i].kind;
            return js_span_after(text, strlen(PREFIXES[i].prefix));
        }
    }
    return text;
}

static bool take_part(js_span *rest, js_span *part)
{
    size_t length = 0, digits = 0;
    while (digits < rest->size && js_is_digit(rest->at[digits])) {
        if (length > rest->size) {
            return false;
        }
        length = length * 10 + (size_t)(rest->at[digits] - '0');
        digits++;
        if (digits == 1 && length == 0) { /* ".NumbaEnv": an empty part, then "8NumbaEnv" */
            break;
        }
    }
    if (!digits || length > rest->size - digits) {
        return false;
    }
    *part = (js_span){rest->at + digits, length};
    *rest = js_span_after(*rest, digits + length);
    return true;
}

static bool is_version_tag(js_span tag)
{
    if (tag.size < 2 || tag.at[0] != 'v') {
        return false;
    }
    for (size_t i = 1; i < tag.size; i++) {
        if (!js_is_digit(tag.at[i])) {
            return false;
        }
    }
    return true;
}

static void add_tag(js_linkage_symbol *symbol, js_span tag)
{
    if (is_version_tag(tag) && !symbol->uid.size) {
        symbol->uid = js_span_after(tag, 1);
    } else {
        symbol->flags = tag;
    }
}

static void drop_first(js_linkage_symbol *symbol, size_t count)
{
    symbol->part_count -= count;
    memmove(symbol->parts, symbol->parts + count, symbol->part_count * sizeof symbol->parts[0]);
}

/* Take away a first part that says what wraps the rest; true if there is one. */
static bool read_namespace(js_linkage_symbol *symbol)
{
    js_span *part = symbol->parts;
    if (symbol->part_count > 2 && !part[0].size && js_span_is(part[1], "NumbaEnv")) {
        symbol->kind = JS_NAME_ENVIRONMENT;
        drop_first(symbol, 2);
    } else if (symbol->part_count > 1 && js_span_is(part[0], "NumbaEnv")) { /* as demangled */
        symbol->kind = JS_NAME_ENVIRONMENT;
        drop_first(symbol, 1);
    } else if (symbol->part_count > 1 && !part[0].size && js_span_is(part[1], "numba")) {
        symbol->kind = JS_NAME_RUNTIME; /* helpers: ".numba.python.rem" */
        drop_first(symbol, 1);
    } else if (symbol->part_count > 1 && js_span_is(part[0], "cudapy")) {
        symbol->kind = JS_NAME_CUDA;
        drop_first(symbol, 1);
    } else if (symbol->part_count > 1 && js_span_is(part[0], "cpython")) {
        symbol->kind = symbol->kind == JS_NAME_FUNCTION ? JS_NAME_CPYTHON : symbol->kind;
        drop_first(symbol, 1);
    } else {
        return false;
    }
    return true;
}

/* Take the uid from the end of the name, after an escaped '$': "foo$241" (0.54 and before), "foo_241" (0.55).
 */
static void read_glued_uid(js_linkage_symbol *symbol)
{
    js_span *name = &symbol->parts[symbol->part_count - 1];
    size_t digits = name->size;
    while (digits > 0 && js_is_digit(name->at[digits - 1])) {
        digits--;
    }
    /* The digits found begin with the "24" of the escape. */
    if (digits > 1 && name->at[digits - 1] == symbol->mark && name->size - digits > 2 &&
        memcmp(name->at + digits, "24", 2) == 0) {
        symbol->uid = js_span_after(*name, digits + 2);
        name->size = digits - 1;
    }
}

/* True if such a uid may be there. "x_241" alone may be any name: 0.55 adds its flags, or the arguments are
 * objects. */
static bool may_have_glued_uid(const js_linkage_symbol *symbol, bool evident)
{
    if (evident || symbol->flags.size) {
        return true;
    }
    if (symbol->mark == '$') {
        return symbol->part_count > 1;
    }
    return memmem(symbol->types.at, symbol->types.size, "pyobject", strlen("pyobject")) != NULL;
}

static bool is_bracketed(js_span part, char mark, const char *word)
{
    size_t length = strlen(word);
    return part.size == length + 6 && js_escape_byte(part, mark) == '<' &&
           memcmp(part.at + 3, word, length) == 0 &&
           js_escape_byte(js_span_after(part, length + 3), mark) == '>';
}

/* True for a name in CapWords, as classes have. */
static bool is_class_like(js_span part)
{
    size_t i = 0;
    while (i < part.size && part.at[i] == '_') {
        i++;
    }
    return i < part.size && part.at[i] >= 'A' && part.at[i] <= 'Z';
}

/* Count the parts of the module's name. The mangler joins module and qualname by dots; what each may look
 * like shows where one ends. */
static size_t count_module(const js_linkage_symbol *symbol)
{
    size_t count = symbol->part_count, place = count - 1;
    if (count == 1) {
        return 0;
    }
    if (js_span_is(symbol->parts[0], "__main__") || is_bracketed(symbol->parts[0], symbol->mark, "dynamic")) {
        return 1;
    }
    for (size_t i = 2; i < count; i++) {
        if (is_bracketed(symbol->parts[i], symbol->mark, "locals")) {
            place = i - 1;
            break;
        }
    }
    while (place > 1 && is_class_like(symbol->parts[place - 1])) {
        place--;
    }
    return place;
}

/* True if the one argument is the generator's own type: "int64_20generator_28func_3d…". */
static bool has_generator_type(const js_linkage_symbol *symbol)
{
    const char *word = symbol->mark == '$' ? "generator$28func" : "generator_28func";
    return memmem(symbol->types.at, symbol->types.size, word, strlen(word)) != NULL;
}

/* Interpret the parts of the name. False: it is not this compiler's. */
static bool finish(js_linkage_symbol *symbol)
{
    bool evident = symbol->uid.size > 0 || symbol->kind != JS_NAME_FUNCTION;
    evident |= read_namespace(symbol);
    if (!symbol->part_count || !symbol->parts[symbol->part_count - 1].size) {
        return false;
    }
    bool is_next = symbol->part_count > 1 && !symbol->uid.size && !symbol->flags.size &&
                   js_span_is(symbol->parts[symbol->part_count - 1], "next") && has_generator_type(symbol);
    if (is_next) {
        symbol->part_count--;
        evident = true;
        symbol->kind = symbol->kind == JS_NAME_FUNCTION ? JS_NAME_GENERATOR_NEXT : symbol->kind;
    }
    for (size_t i = 0; i < symbol->part_count; i++) {
        evident |= is_bracketed(symbol->parts[i], symbol->mark, "locals") ||
                   is_bracketed(symbol->parts[i], symbol->mark, "dynamic");
    }
    if (!symbol->uid.size && may_have_glued_uid(symbol, evident)) {
        read_glued_uid(symbol);
        evident |= symbol->uid.size > 0;
    }
    if (js_span_starts(symbol->parts[symbol->part_count - 1], PARFOR)) {
        evident = true;
        symbol->kind = symbol->kind == JS_NAME_FUNCTION ? JS_NAME_PARFOR : symbol->kind;
    }
    symbol->module_count = count_module(symbol);
    return evident;
}

static char find_mark(js_span text)
{
    return memchr(text.at, '$', text.size) ? '$' : '_';
}

bool js_symbol_parse(js_linkage_symbol *symbol, js_span text)
{
    symbol->kind = JS_NAME_FUNCTION;
    symbol->part_count = 0;
    symbol->uid = symbol->flags = (js_span){text.at, 0};
    symbol->mark = find_mark(text);
    symbol->types_form = JS_TYPES_MANGLED;
    js_span rest = strip_prefixes(symbol, text);
    if (!js_span_starts(rest, "_Z")) {
        return false;
    }
    rest = js_span_after(rest, 2);
    bool nested = rest.size && rest.at[0] == 'N';
    rest = js_span_after(rest, nested);
    do {
        if (symbol->part_count == JS_SYMBOL_PARTS || !take_part(&rest, &symbol->parts[symbol->part_count])) {
            return false;
        }
        symbol->part_count++;
    } while (nested && rest.size && js_is_digit(rest.at[0]));
    while (rest.size && rest.at[0] == 'B') {
        js_span tag;
        rest = js_span_after(rest, 1);
        if (!take_part(&rest, &tag)) {
            return false;
        }
        add_tag(symbol, tag);
    }
    if (nested) {
        if (!rest.size || rest.at[0] != 'E') {
            return false;
        }
        rest = js_span_after(rest, 1);
    }
    symbol->types = rest;
    symbol->used = text.size - rest.size; /* js_symbol_put() adds the types */
    return finish(symbol);
}

static js_span take_word(js_span *rest)
{
    size_t end = 0;
    while (end < rest->size && (js_is_word(rest->at[end]) || rest->at[end] == '$')) {
        end++;
    }
    js_span word = {rest->at, end};
    *rest = js_span_after(*rest, end);
    return word;
}

/* Return the length of "(…)" at the start of `text`; 0: it has no end in this line, or is too long for
 * arguments. */
static size_t parenthesised(js_span text)
{
    enum { LIMIT = 16384 };
    size_t depth = 0;
    for (size_t i = 0; i < text.size && i < LIMIT && text.at[i] != '\n'; i++) {
        if (text.at[i] == '(') {
            depth++;
        } else if (text.at[i] == ')' && --depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

bool js_symbol_parse_cxx(js_linkage_symbol *symbol, js_span text)
{
    symbol->kind = JS_NAME_FUNCTION;
    symbol->part_count = 0;
    symbol->uid = symbol->flags = symbol->types = (js_span){text.at, 0};
    symbol->types_form = JS_TYPES_ABSENT;
    js_span rest = text;
    for (;;) {
        js_span part = take_word(&rest);
        if (!part.size || symbol->part_count == JS_SYMBOL_PARTS) {
            return false;
        }
        symbol->parts[symbol->part_count++] = part;
        if (!js_span_starts(rest, "::")) {
            break;
        }
        rest = js_span_after(rest, 2);
    }
    if (js_span_is(symbol->parts[0], "std")) { /* libc++ tags its inline functions "[abi:v160006]" */
        return false;
    }
    symbol->mark = find_mark((js_span){text.at, text.size - rest.size});
    while (js_span_starts(rest, "[abi:")) {
        rest = js_span_after(rest, strlen("[abi:"));
        js_span tag = take_word(&rest);
        if (!tag.size || !js_span_starts(rest, "]")) {
            return false;
        }
        add_tag(symbol, tag);
        rest = js_span_after(rest, 1);
    }
    size_t length = rest.size && rest.at[0] == '(' ? parenthesised(rest) : 0;
    if (length) {
        symbol->types = (js_span){rest.at + 1, length - 2};
        symbol->types_form = JS_TYPES_CXX;
        rest = js_span_after(rest, length);
    }
    symbol->used = text.size - rest.size;
    return finish(symbol);
}
