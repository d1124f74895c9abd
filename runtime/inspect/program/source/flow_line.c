#include "program/source/flow_line.h"

#include <string.h>

bool js_flow_word_is(const js_flow_word *word, const char *what)
{
    return word->length == strlen(what) && memcmp(word->text, what, word->length) == 0;
}

bool js_flow_line_word(js_flow_line *line, js_flow_word *out)
{
    while (line->at < line->end && *line->at == ' ')
        line->at++;
    out->text = line->at;
    while (line->at < line->end && *line->at != ' ')
        line->at++;
    out->length = (size_t)(line->at - out->text);
    return out->length > 0;
}

static bool read_digits(const char *text, size_t length, int64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        *out = *out * 10 + (text[i] - '0');
    }
    return length > 0;
}

bool js_flow_line_number(js_flow_line *line, uint32_t *out)
{
    js_flow_word word;
    int64_t value;
    if (!js_flow_line_word(line, &word) || word.length > 9 || !read_digits(word.text, word.length, &value))
        return false;
    *out = (uint32_t)value;
    return true;
}

bool js_flow_line_signed(js_flow_line *line, int64_t *out)
{
    js_flow_word word;
    if (!js_flow_line_word(line, &word) || word.length > 18)
        return false;
    bool is_negative = *word.text == '-';
    if (!read_digits(word.text + is_negative, word.length - is_negative, out))
        return false;
    *out = is_negative ? -*out : *out;
    return true;
}

int js_flow_line_name(js_flow_line *line, js_arena *arena, const char **out)
{
    js_flow_word word;
    if (!js_flow_line_word(line, &word))
        return JS_EBAD;
    *out = js_arena_strndup(arena, word.text, word.length);
    return *out ? JS_OK : JS_ENOMEM;
}
