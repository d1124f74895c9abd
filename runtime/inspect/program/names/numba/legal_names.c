/* Decodes names of a kernel's arguments and of variables of inlined nested functions. */
#include "program/names/numba/legal_names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "program/names/numba/variable_names.h"

static const char closure[] = "closure__locals__";

/* Return the length of the name before its last number, if an odd number of "_" precedes the number, so that
 * one of them replaces a "."; else 0. */
static size_t before_version(const char *name, size_t length)
{
    size_t digits = length, run;
    while (digits > 0 && isdigit((unsigned char)name[digits - 1])) {
        digits--;
    }
    run = digits;
    while (run > 0 && name[run - 1] == '_') {
        run--;
    }
    return digits < length && length - digits <= 9 && (digits - run) % 2 ? digits - 1 : 0;
}

bool js_numba_legal_decode(const char *name, char *out, unsigned *version)
{
    size_t length = strlen(name), at = 0, rest, passes = 0;
    *version = 0;
    while ((rest = before_version(name, length))) {
        unsigned number = (unsigned)strtoul(name + rest + 1, NULL, 10);
        *version =
            passes++ ? JS_NUMBA_RENUMBERED + ((number << 10 | (*version & 1023)) & (JS_NUMBA_RENUMBERED - 1))
                     : number;
        length = rest;
    }
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '_' && (i + 1 == length || name[++i] != '_')) {
            return false; /* a "." or "$" within the name */
        }
        out[at++] = name[i];
    }
    out[at] = '\0';
    return at > 0;
}

bool js_numba_legal_is(const char *written, const char *name)
{
    while (*name && *written == *name) {
        if (*name == '_' && *++written != '_') {
            return false;
        }
        written++;
        name++;
    }
    while (!*name && *written == '_' && isdigit((unsigned char)written[1])) {
        for (written++; isdigit((unsigned char)*written);) {
            written++;
        }
    }
    return !*name && !*written;
}

bool js_numba_legal_may_be_parts(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && !strcmp(name + length - 4, "_arr");
}

bool js_numba_legal_is_parts(const char *written, const char *of)
{
    size_t length = strlen(of);
    return !strncmp(written, of, length) && !strcmp(written + length, "__arr");
}

/* Return what follows the function's name, which has "_" for "<" and ">"; NULL: it is another function's. */
static const char *after_function(const char *written, const char *function)
{
    for (; *function; function++, written++) {
        if (*written != (*function == '<' || *function == '>' ? '_' : *function)) {
            return NULL;
        }
    }
    return written;
}

bool js_numba_is_inlined_name(const char *written, const char *function, const char *name)
{
    const char *rest = strncmp(written, closure, sizeof closure - 1)
                           ? NULL
                           : after_function(written + sizeof closure - 1, function);
    if (!rest || strncmp(rest, "_v", 2)) {
        return false;
    }
    size_t digits = strspn(rest += 2, "0123456789");
    return digits && rest[digits] == '_' && !strcmp(rest + digits + 1, name);
}
