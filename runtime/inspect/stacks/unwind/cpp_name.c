/* libstdc++'s __cxa_demangle (Itanium C++ ABI, 3.4) does the work. It is loaded when the first such name is
 * met: a process that has C++ code nearly always runs on a machine with that library. */
#include "stacks/unwind/cpp_name.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4096 /* characters of a linkage name; templates make longer ones, which no one reads */ };

typedef char *(*demangle_fn)(const char *name, char *buffer, size_t *length, int *status);

static demangle_fn find_demangle(void)
{
    static demangle_fn found;
    static bool is_tried;
    if (!is_tried) {
        is_tried = true;
        void *library = dlopen("libstdc++.so.6", RTLD_LAZY);
        *(void **)&found = library ? dlsym(library, "__cxa_demangle") : NULL;
    }
    return found;
}

/* Return what ends a bracketed part, or 0. */
static char closing(char opening)
{
    return opening == '(' ? ')' : opening == '<' ? '>' : opening == '[' ? ']' : opening == '{' ? '}' : 0;
}

static bool is_word(char character)
{
    return isalnum((unsigned char)character) || character == '_';
}

/* Return the length of the operator's name that `text` begins with: the `<` and `(` in it are no brackets.
 * `whole`: the name that it is a part of, in which `my_operator<int>` is no operator. */
static size_t operator_length(const char *whole, const char *text)
{
    static const char word[] = "operator";
    static const char *const signs[] = {"<=>", "<<=", ">>=", "->*", "<<", ">>",
                                        "<=",  ">=",  "->",  "()",  "<",  ">"};
    size_t length = sizeof word - 1;
    if (strncmp(text, word, length) != 0 || (text > whole && is_word(text[-1])) || is_word(text[length])) {
        return 0;
    }
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (strncmp(text + length, signs[i], strlen(signs[i])) == 0) {
            return length + strlen(signs[i]);
        }
    }
    return length;
}

/* Return where the bracketed part that begins at `text` ends, after its last character; NULL: nowhere. */
static const char *skip(const char *text)
{
    char expected[64];
    size_t depth = 0;
    for (const char *at = text; *at; at++) {
        size_t operator= operator_length(text, at);
        if (operator) {
            at += operator- 1;
            continue;
        }
        if (depth && *at == expected[depth - 1]) {
            depth--;
        } else if (closing(*at)) {
            if (depth == sizeof expected) {
                return NULL;
            }
            expected[depth++] = closing(*at);
        }
        if (depth == 0) {
            return at + 1;
        }
    }
    return NULL;
}

/* Return how many characters after parentheses belong to them, if they are not those of the parameters: they
 * are a part of the name, such as `(anonymous namespace)::` or the parameters of the function around a local
 * one, or of the type before it, such as `decltype(auto)` and `float __vector(8)`. -1: they are those of the
 * parameters. `start`: of the word that they stand in. */
static int inner_length(const char *start, const char *opening, const char *end)
{
    static const char type[] = "decltype", vector[] = "__vector", constant[] = " const";
    size_t length = (size_t)(opening - start);
    bool is_type = length == sizeof type - 1 &&
                   (strncmp(start, type, length) == 0 || strncmp(start, vector, length) == 0);
    if (strncmp(end, constant, sizeof constant - 1) == 0 &&
        strncmp(end + sizeof constant - 1, "::", 2) == 0) {
        return sizeof constant - 1;
    }
    return length == 0 || is_type || strncmp(end, "::", 2) == 0 ? 0 : -1;
}

/* Cut the parameters off, and what stands before the name. */
static bool keep_name(char *text)
{
    const char *start = text, *at = text;
    while (*at) {
        size_t operator= operator_length(text, at);
        if (operator) {
            at += operator;
            /* A conversion, `operator bool`, and `operator new` have a word more, up to the parameters, and
             * so has that of a literal, `operator"" _x`. */
            at += *at == '"' ? strcspn(at, "(") : *at != ' ' ? 0 : at[1] == '<' ? 1 : strcspn(at, "(");
            continue;
        }
        const char *end = closing(*at) ? skip(at) : at + 1;
        if (!end) {
            return false;
        }
        int more = *at == '(' ? inner_length(start, at, end) : 0;
        if (more < 0) {
            break;
        }
        start = *at == ' ' ? end : start;
        at = end + more;
    }
    size_t length = (size_t)(at - start);
    memmove(text, start, length);
    text[length] = '\0';
    return length > 0;
}

char *js_cpp_name(const char *linkage_name)
{
    int status = -1;
    bool is_cpp = strncmp(linkage_name, "_Z", 2) == 0 && strlen(linkage_name) <= LONGEST;
    demangle_fn demangle = is_cpp ? find_demangle() : NULL;
    char *text = demangle ? demangle(linkage_name, NULL, NULL, &status) : NULL;
    if (text && !keep_name(text)) {
        free(text);
        return NULL;
    }
    return text;
}
