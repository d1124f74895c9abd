#include "program/source/formula_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WRITE_DEPTH = 64 };

static bool is_word(const char *at, size_t length, const char *what)
{
    return length == strlen(what) && memcmp(at, what, length) == 0;
}

static void write_next(js_text *out, const char **at, unsigned depth, bool is_part);

static void write_list(js_text *out, const char **at, unsigned depth, size_t count)
{
    js_text_put(out, "(");
    for (size_t i = 0; i < count && **at; i++) {
        js_text_put(out, i ? ", " : "");
        write_next(out, at, depth, false);
    }
    js_text_put(out, count == 1 ? ",)" : ")");
}

static void write_choice(js_text *out, const char **at, unsigned depth)
{
    js_text test;
    js_text_init(&test, 0);
    write_next(&test, at, depth, false);
    write_next(out, at, depth, true);
    js_text_printf(out, " if %s", test.status ? "…" : test.data);
    js_text_deinit(&test);
    if (strcmp(*at, ".none") == 0) { /* the other way it is not told at all */
        *at += strlen(".none");
        return;
    }
    js_text_put(out, " else ");
    write_next(out, at, depth, false);
}

static void write_next(js_text *out, const char **at, unsigned depth, bool is_part)
{
    size_t length = strcspn(*at, ",");
    const char *word = *at;
    *at += length + ((*at)[length] == ',');
    if (length == 0 || depth == WRITE_DEPTH) {
        js_text_put(out, "…");
    } else if (is_word(word, length, "?") || is_word(word, length, ".if")) {
        js_text_put(out, is_part ? "(" : "");
        write_choice(out, at, depth + 1);
        js_text_put(out, is_part ? ")" : "");
    } else if (is_word(word, length, ".none") || is_word(word, length, ".text")) {
        js_text_put(out, word[1] == 't' ? "the constant" : "…");
    } else if (is_word(word, length, ".whole")) {
        write_next(out, at, depth + 1, is_part);
    } else if (is_word(word, length, ".not") || is_word(word, length, ".neg")) {
        js_text_put(out, word[3] == 't' ? "not " : "-");
        write_next(out, at, depth + 1, true);
    } else if (is_word(word, length, ".and") || is_word(word, length, ".or")) {
        js_text_put(out, is_part ? "(" : "");
        write_next(out, at, depth + 1, true);
        js_text_printf(out, " %.*s ", (int)length - 1, word + 1);
        write_next(out, at, depth + 1, true);
        js_text_put(out, is_part ? ")" : "");
    } else if (length > 6 && memcmp(word, ".tuple", 6) == 0) {
        write_list(out, at, depth + 1, strtoull(word + 6, NULL, 10));
    } else if (length == 6 && memcmp(word, ".axis", 5) == 0) {
        write_next(out, at, depth + 1, true);
        js_text_printf(out, ".shape[%c]", word[5]);
    } else if (word[0] == '.') { /* len, min, max */
        js_text_printf(out, "%.*s(", (int)length - 1, word + 1);
        write_next(out, at, depth + 1, false);
        if (word[1] == 'm') {
            js_text_put(out, ", ");
            write_next(out, at, depth + 1, false);
        }
        js_text_put(out, ")");
    } else if (strchr("+*/%<>=!", word[0]) || is_word(word, length, "-")) {
        js_text_put(out, is_part ? "(" : "");
        write_next(out, at, depth + 1, true);
        js_text_printf(out, " %.*s ", (int)length, word);
        write_next(out, at, depth + 1, true);
        js_text_put(out, is_part ? ")" : "");
    } else if (word[0] == '^') { /* GDB's own way to write an argument as it came in */
        js_text_printf(out, "%.*s@entry", (int)length - 1, word + 1);
    } else {
        js_text_printf(out, "%.*s", (int)length, word);
    }
}

void js_computed_write(js_text *out, const char *words)
{
    const char *at = words;
    write_next(out, &at, 0, false);
}
