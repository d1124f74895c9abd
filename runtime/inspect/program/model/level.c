/* Reads what the compiler hook writes into a unit's producer. */
#include "program/model/level.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/status.h"

/* runtime/python/jitscope/compiler/debuginfo/dibuilder.py: PRODUCER */
static const char mark[] = " jitscope/";

js_level js_hook_level(const char *producer, unsigned *newer)
{
    const char *at = producer ? strstr(producer, mark) : NULL;
    unsigned format;
    char level[8];
    if (!at || sscanf(at + sizeof(mark) - 1, "%5u %7s", &format, level) != 2) {
        return JS_LEVEL_STOCK;
    }
    if (format > JS_HOOK_FORMAT) {
        *newer = format;
        return JS_LEVEL_STOCK;
    }
    return strcmp(level, "steps") == 0   ? JS_LEVEL_STEPS
           : strcmp(level, "exact") == 0 ? JS_LEVEL_EXACT
           : strcmp(level, "lines") == 0 ? JS_LEVEL_LINES
                                         : JS_LEVEL_STOCK;
}

const char *js_level_text(js_level level)
{
    static const char *const texts[] = {[JS_LEVEL_STOCK] = "stock",
                                        [JS_LEVEL_LINES] = "lines",
                                        [JS_LEVEL_EXACT] = "exact",
                                        [JS_LEVEL_STEPS] = "steps"};
    return texts[level];
}

/* runtime/python/jitscope/compiler/base/levels.py */
static const char *const choosers[] = {
    [JS_BY_DEFAULT] = "default",     [JS_BY_DEBUGGER] = "debugger",
    [JS_BY_FASTMATH] = "fastmath",   [JS_BY_ENVIRONMENT] = "environment",
    [JS_BY_DECORATOR] = "decorator", [JS_BY_COMMAND_LINE] = "command-line"};

js_chooser js_hook_chooser(const char *producer)
{
    const char *at = producer ? strstr(producer, mark) : NULL;
    char word[16];
    if (!at || sscanf(at + sizeof(mark) - 1, "%*5u %*7[a-z] %15[a-z-]", word) != 1) {
        return JS_BY_NOBODY;
    }
    for (js_chooser i = JS_BY_DEFAULT; i <= JS_BY_COMMAND_LINE; i++) {
        if (strcmp(word, choosers[i]) == 0) {
            return i;
        }
    }
    return JS_BY_NOBODY;
}

bool js_hook_is_fast(const char *producer)
{
    static const char word[] = " fast";
    const char *at = producer ? strstr(producer, mark) : NULL;
    const char *end = at ? at + strcspn(at, "\n") : NULL; /* the callees follow on the next lines */
    size_t size = sizeof(word) - 1;
    return at && (size_t)(end - at) > size && strncmp(end - size, word, size) == 0;
}

int js_hook_removed(js_arena *arena, const char *producer, const uint32_t **lines, size_t *count)
{
    static const char word[] = " removed ";
    const char *at = producer ? strstr(producer, mark) : NULL;
    const char *end = at ? at + strcspn(at, "\n") : NULL;
    const char *first = at ? strstr(at, word) : NULL;
    *lines = NULL;
    *count = 0;
    if (!first || first >= end) {
        return JS_OK;
    }
    uint32_t *found = js_arena_alloc(arena, (size_t)(end - first) * sizeof(*found));
    if (!found) {
        return JS_ENOMEM;
    }
    char *after = NULL;
    for (const char *text = first + sizeof(word) - 1; text < end; text = after + 1) {
        unsigned long line = strtoul(text, &after, 10);
        if (after == text || line == 0 || line > INT32_MAX) {
            break;
        }
        found[(*count)++] = (uint32_t)line;
        if (*after != ',') {
            break;
        }
    }
    *lines = found;
    return JS_OK;
}

const char *js_hook_result(const char *producer)
{
    static const char word[] = "\nreturns ";
    const char *at = producer ? strstr(producer, mark) : NULL;
    const char *found = at ? strstr(at, word) : NULL;
    return found ? found + sizeof(word) - 1 : NULL;
}

const char *js_chooser_text(js_chooser chooser)
{
    return choosers[chooser];
}
