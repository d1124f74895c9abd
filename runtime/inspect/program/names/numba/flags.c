/* Inflates the compressed flags with each dictionary that Numba's versions use. */
#include "program/names/numba/flags.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

enum { RAW_LIMIT = 1024, OPTION_LIMIT = 32, CACHE_SLOTS = 16, CACHE_TAG = 192, CACHE_TEXT = 512 };

/* TargetConfig._make_compression_dictionary: class name, options and their defaults, in order. Deflate refers
   to it by the distance from its end, so each change at the end is another dictionary. */
#define COMMON                                                                                               \
    "numba_MetaTargetConfigTrueFalseenable_loopliftFalseenable_pyobjectFalseenable_pyobject_loopliftFalse"   \
    "enable_ssaTrueforce_pyobjectFalserelease_gilFalseno_compileFalsedebuginfoFalseboundscheckFalse"         \
    "forceinlineFalseno_cpython_wrapperFalseno_cfunc_wrapperFalseauto_parallelParallelOptions("              \
    "enabled=False, comprehension=False, reduction=False, inplace_binop=False, setitem=False, numpy=False, " \
    "stencil=False, fusion=False, prange=False)nrtFalseno_rewritesFalseerror_modelpythonfastmath"            \
    "FastMathOptions(set())noaliasFalseinlineInlineOptions('never')"
#define BACKEND "target_backendcpu"
#define DEBUG_056 "dbg_extend_lifetimesFalsedbg_optnoneFalse"
#define DEBUG_057 DEBUG_056 "dbg_directives_onlyFalse"
#define CUDA_055 "nvvm_optionsNone"
#define CUDA_057 CUDA_055 "compute_capabilityNone"

static const struct {
    const char *text;
    size_t length;
} DICTIONARIES[] = {
#define ENTRY(text)                                                                                          \
    {                                                                                                        \
        text, sizeof(text) - 1                                                                               \
    }
    ENTRY(COMMON DEBUG_057),          /* 0.61 … 0.68 */
    ENTRY(COMMON BACKEND DEBUG_057),  /* 0.57 … 0.60 */
    ENTRY(COMMON BACKEND DEBUG_056),  /* 0.56 */
    ENTRY(COMMON BACKEND),            /* 0.55 */
    ENTRY(COMMON DEBUG_057 CUDA_057), /* 0.61 … 0.68, for CUDA */
    ENTRY(COMMON BACKEND DEBUG_057 CUDA_057),
    ENTRY(COMMON BACKEND DEBUG_056 CUDA_055),
    ENTRY(COMMON BACKEND CUDA_055),
#undef ENTRY
};

static const char *const OPTIONS[] = {
    "auto_parallel",
    "boundscheck",
    "compute_capability",
    "dbg_directives_only",
    "dbg_extend_lifetimes",
    "dbg_optnone",
    "debuginfo",
    "enable_looplift",
    "enable_pyobject",
    "enable_pyobject_looplift",
    "enable_ssa",
    "error_model",
    "fastmath",
    "force_pyobject",
    "forceinline",
    "inline",
    "no_cfunc_wrapper",
    "no_compile",
    "no_cpython_wrapper",
    "no_rewrites",
    "noalias",
    "nrt",
    "nvvm_options",
    "release_gil",
    "target_backend",
};

static int base64_digit(int c)
{
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decode base64 whose '+', '/' and '=' are escaped as "_2b", "_2f" and "_3d". Returns the bytes written, or
 * 0. */
static size_t decode_base64(js_span tag, uint8_t out[static RAW_LIMIT])
{
    static const char ESCAPES[] = "_2b+_2f/_3d=";
    size_t count = 0;
    uint32_t bits = 0;
    unsigned filled = 0;
    for (size_t i = 0; i < tag.size; i++) {
        int c = (unsigned char)tag.at[i];
        if (c == '_') {
            const char *escape = NULL;
            for (size_t e = 0; e < 12 && i + 2 < tag.size; e += 4) {
                escape = memcmp(ESCAPES + e, tag.at + i, 3) == 0 ? ESCAPES + e : escape;
            }
            if (!escape) {
                return 0;
            }
            c = (unsigned char)escape[3];
            i += 2;
        }
        int digit = base64_digit(c);
        if (digit < 0) {
            return c == '=' && i + 4 >= tag.size ? count : 0;
        }
        bits = bits << 6 | (uint32_t)digit;
        filled += 6;
        if (filled >= 8) {
            filled -= 8;
            if (count == RAW_LIMIT) {
                return 0;
            }
            out[count++] = (uint8_t)(bits >> filled);
        }
    }
    return count;
}

static size_t inflate_with(size_t dictionary, uint8_t *raw, size_t raw_length,
                           char out[static JS_FLAGS_LIMIT])
{
    z_stream stream = {.next_in = raw, .avail_in = (uInt)raw_length};
    if (inflateInit2(&stream, -15) != Z_OK) {
        return 0;
    }
    stream.next_out = (Bytef *)out;
    stream.avail_out = JS_FLAGS_LIMIT;
    int status = inflateSetDictionary(&stream, (const Bytef *)DICTIONARIES[dictionary].text,
                                      (uInt)DICTIONARIES[dictionary].length);
    if (status == Z_OK) {
        status = inflate(&stream, Z_FINISH);
    }
    size_t length = status == Z_STREAM_END && !stream.avail_in ? JS_FLAGS_LIMIT - stream.avail_out : 0;
    inflateEnd(&stream);
    return length;
}

static bool is_option(js_span word)
{
    for (size_t i = 0; i < sizeof OPTIONS / sizeof OPTIONS[0]; i++) {
        if (js_span_is(word, OPTIONS[i])) {
            return true;
        }
    }
    return false;
}

/* True for a text of known options in the order of summary(). Raw deflate has no checksum, so any other text
 * comes from the wrong dictionary. */
static bool is_summary(js_span text)
{
    static const char *const CLASSES[] = {"Flags(", "CUDAFlags("};
    size_t i = js_span_starts(text, CLASSES[0]) ? strlen(CLASSES[0]) : strlen(CLASSES[1]);
    if ((!js_span_starts(text, CLASSES[0]) && !js_span_starts(text, CLASSES[1])) ||
        text.at[text.size - 1] != ')') {
        return false;
    }
    js_span last = {"", 0};
    for (; i + 1 < text.size;) {
        size_t word = i, depth = 0;
        while (i < text.size && js_is_word(text.at[i])) {
            i++;
        }
        js_span name = {text.at + word, i - word};
        size_t shorter = name.size < last.size ? name.size : last.size;
        int order = memcmp(last.at, name.at, shorter);
        if (!is_option(name) || text.at[i] != '=' || order > 0 || (order == 0 && last.size >= name.size)) {
            return false;
        }
        last = name;
        size_t value = ++i;
        for (; i < text.size; i++) {
            char c = text.at[i];
            if (c < 0x20 || c > 0x7e) {
                return false;
            }
            if (c == '(' || c == '{' || c == '[') {
                depth++;
            } else if (c == ')' || c == '}' || c == ']') {
                if (!depth) {
                    break;
                }
                depth--;
            } else if (c == ',' && !depth) {
                break;
            }
        }
        if (i == value || depth) {
            return false;
        }
        if (i + 1 < text.size) {
            if (!js_span_starts(js_span_after(text, i), ", ")) {
                return false;
            }
            i += 2;
        }
    }
    return i + 1 == text.size;
}

static size_t decode(js_span tag, char out[static JS_FLAGS_LIMIT])
{
    uint8_t raw[RAW_LIMIT];
    size_t raw_length = decode_base64(tag, raw);
    for (size_t i = 0; raw_length && i < sizeof DICTIONARIES / sizeof DICTIONARIES[0]; i++) {
        size_t length = inflate_with(i, raw, raw_length, out);
        if (length && is_summary((js_span){out, length})) {
            return length;
        }
    }
    return 0;
}

/* Flags that were decoded before, in this thread: a program has few sets of flags and many names. */
typedef struct cached_flags {
    size_t tag_length, text_length;
    char tag[CACHE_TAG], text[CACHE_TEXT];
} cached_flags;

void js_numba_flags_put(js_sink *sink, js_span tag)
{
    static __thread cached_flags cache[CACHE_SLOTS];
    if (!tag.size || tag.size > RAW_LIMIT) {
        return;
    }
    uint32_t hash = (uint32_t)tag.size;
    for (size_t i = tag.size > 24 ? tag.size - 24 : 0; i < tag.size; i++) {
        hash = hash * 31 + (unsigned char)tag.at[i];
    }
    cached_flags *slot = &cache[hash % CACHE_SLOTS];
    if (slot->tag_length == tag.size && memcmp(slot->tag, tag.at, tag.size) == 0) {
        js_sink_putn(sink, slot->text, slot->text_length);
        return;
    }
    char text[JS_FLAGS_LIMIT];
    size_t length = decode(tag, text);
    js_sink_putn(sink, text, length);
    if (tag.size <= CACHE_TAG && length <= CACHE_TEXT) {
        slot->tag_length = tag.size;
        slot->text_length = length;
        memcpy(slot->tag, tag.at, tag.size);
        memcpy(slot->text, text, length);
    }
}

/* The text in the flags by which each is set. Parts of a text come in any order of the set's members. */
static const struct {
    const char *name, *set, *unset;
} shown[] = {
    {"parallel", "auto_parallel=ParallelOptions(enabled=True", NULL},
    {"fastmath", "fastmath=FastMathOptions(", "fastmath=FastMathOptions(set())"},
    {"boundscheck", "boundscheck=True", NULL},
    {"error_model=numpy", "error_model=numpy", NULL},
};

void js_numba_flags_json(const char *flags, js_text *out)
{
    if (!flags || !*flags) {
        js_text_put(out, "null");
        return;
    }
    const char *separator = "";
    js_text_put(out, "[");
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        if (strstr(flags, shown[i].set) && !(shown[i].unset && strstr(flags, shown[i].unset))) {
            js_text_printf(out, "%s\"%s\"", separator, shown[i].name);
            separator = ", ";
        }
    }
    js_text_put(out, "]");
}
