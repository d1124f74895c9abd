#include "program/names/loop_name.h"

#include <string.h>

static const char suffix[] = ".prange";

char *js_loop_name(js_arena *arena, const char *function)
{
    char *name = js_arena_alloc(arena, strlen(function) + sizeof suffix);
    return name ? strcat(strcpy(name, function), suffix) : NULL;
}

size_t js_loop_name_function(const char *name)
{
    for (const char *at = name; (at = strstr(at, suffix)); at++) {
        char next = at[sizeof suffix - 1];
        if (!next || next == '[') {
            return (size_t)(at - name);
        }
    }
    return 0;
}
