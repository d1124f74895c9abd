#include "program/source/subscripts.h"

#include <string.h>

static char *cut(char **text, char end)
{
    char *piece = *text, *found = strchr(piece, end);
    *text = found ? found + 1 : piece + strlen(piece);
    if (found)
        *found = '\0';
    return piece;
}

bool js_subscripts_next(char **lines, js_subscript *out)
{
    if (!**lines)
        return false;
    char *line = cut(lines, '\n');
    *out = (js_subscript){.array = cut(&line, '\t')};
    while (*line) {
        char *item = cut(&line, '\t');
        if (!*item || !strchr("ncevs", *item) || out->count == JS_SUBSCRIPT_INDICES)
            return false;
        out->indices[out->count++] = (js_index){(js_index_kind)*item, item + 1};
    }
    return true;
}

const char *js_index_expression(const js_index *index)
{
    const char *space = index->kind == JS_INDEX_VALUE ? strchr(index->text, ' ') : NULL;
    return space ? space + 1 : index->text;
}

bool js_subscript_forget_values(js_subscript *subscript)
{
    bool found = false;
    for (size_t i = 0; i < subscript->count; i++) {
        js_index *index = &subscript->indices[i];
        if (index->kind == JS_INDEX_VALUE) {
            *index = (js_index){JS_INDEX_EXPRESSION, js_index_expression(index)};
            found = true;
        }
    }
    return found;
}
