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
        if (!*item || !strchr("nces", *item) || out->count == JS_SUBSCRIPT_INDICES)
            return false;
        out->indices[out->count++] = (js_index){(js_index_kind)*item, item + 1};
    }
    return true;
}
