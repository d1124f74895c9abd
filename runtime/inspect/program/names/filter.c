/* Replaces linkage names in running text. */
#include "program/names/init_symbol.h"
#include "program/names/numba/sink.h"

enum { SYMBOL_LIMIT = 16384 };

static bool is_name_byte(char c)
{
    return js_is_word(c) || c == '$';
}

static size_t word_length(js_span text)
{
    size_t end = 0;
    while (end < text.size && is_name_byte(text.at[end])) {
        end++;
    }
    return end;
}

/* Return the start of the text that has only characters of linkage names; '.' is in the prefixes of wrappers.
 */
static js_span symbol_bytes(js_span text)
{
    size_t end = 0;
    while (end < text.size && end < SYMBOL_LIMIT && (is_name_byte(text.at[end]) || text.at[end] == '.')) {
        end++;
    }
    return (js_span){text.at, end};
}

static bool may_start_cxx(js_span text, size_t word)
{
    js_span rest = js_span_after(text, word);
    return js_span_starts(rest, "::") || js_span_starts(rest, "[abi:");
}

/* Return the length of a path such as "a::b::c". One that is not this compiler's is skipped as a whole, or
 * its tail would be taken for a path. */
static size_t path_length(js_span text, size_t word)
{
    size_t end = word;
    while (js_span_starts(js_span_after(text, end), "::")) {
        size_t next = word_length(js_span_after(text, end + 2));
        if (!next) {
            break;
        }
        end += 2 + next;
    }
    return end;
}

/* Append the signature of the name at the start of `text`, and set *used to its length; 0: there is no name.
 */
static int put_name(js_span text, bool mangled, js_text *out, size_t *used)
{
    js_linkage_symbol symbol;
    js_name name;
    js_span bytes = mangled ? symbol_bytes(text) : text;
    *used = 0;
    if (!(mangled ? js_symbol_parse(&symbol, bytes) : js_symbol_parse_cxx(&symbol, bytes))) {
        return JS_OK;
    }
    size_t length = 0;
    int status = js_name_init_symbol(&name, &symbol, bytes, &length);
    if (status) {
        return status == JS_ENOMEM ? status : JS_OK;
    }
    js_span rest = js_span_after(text, length);
    if (!rest.size || !is_name_byte(rest.at[0]) || js_span_starts(rest, "__")) {
        js_name_signature(&name, out);
        if (!js_name_kind_is_written(name.kind)) {
            /* the reader would take a wrapper for a second call of the function that it wraps */
            js_text_printf(out, " [%s]", js_name_kind_text(name.kind));
        }
        *used = length;
    }
    js_name_deinit(&name);
    return JS_OK;
}

int js_names_filter(const char *text, size_t length, js_text *out)
{
    size_t plain = 0;
    for (size_t i = 0; i < length && !out->status;) {
        js_span rest = {text + i, length - i};
        size_t word = word_length(rest), used = 0;
        bool mangled = js_symbol_may_start(rest);
        if (mangled || (word && may_start_cxx(rest, word))) {
            js_text_putn(out, text + plain, i - plain);
            plain = i;
            int status = put_name(rest, mangled, out, &used);
            if (status) {
                return status;
            }
            plain += used;
        }
        i += used ? used : word ? path_length(rest, word) : 1;
    }
    js_text_putn(out, text + plain, length - plain);
    return out->status;
}
