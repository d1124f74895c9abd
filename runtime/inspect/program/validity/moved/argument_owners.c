/* Passes the arguments by the calling convention, and notes where each goes. */
#include "program/validity/moved/argument_owners.h"

#include <string.h>

#include "program/names/numba/return_convention.h"
#include "program/read/argument_types.h"
#include "program/validity/locations/type_scalars.h"

static bool is_number(const js_type *type)
{
    return type->kind == JS_KIND_BOOL || type->kind == JS_KIND_INT || type->kind == JS_KIND_FLOAT ||
           type->kind == JS_KIND_COMPLEX || type->kind == JS_KIND_LITERAL;
}

/* Return the argument's number in the source; JS_OWNERS_MAX: none. */
static size_t number_of(const js_flow *flow, const js_variable *argument)
{
    size_t i = 0;
    while (i < flow->narguments && strcmp(flow->defs[i].name, argument->base) != 0) {
        i++;
    }
    return i < flow->narguments && i < JS_OWNERS_MAX ? i : JS_OWNERS_MAX;
}

/* The registers and words that are used so far. */
typedef struct passing {
    unsigned general, vectors, words;
} passing;

static void pass(const js_leaf *leaf, unsigned owner, passing *next, js_owners *out)
{
    if (leaf->is_float && next->vectors < JS_CODE_ARGUMENT_VECTORS) {
        next->vectors++;
    } else if (!leaf->is_float && next->general < JS_CODE_ARGUMENT_REGISTERS) {
        out->registers[js_code_argument_registers[next->general++]] = (uint8_t)owner;
    } else if (next->words < JS_OWNER_WORDS) {
        out->words[next->words++] = (uint8_t)owner;
    }
}

/* True if the compiler describes all arguments of the source, and no others. */
static bool is_whole(const js_function *function, const js_flow *flow)
{
    size_t count = 0;
    for (size_t i = 0; i < function->nvariables; i++) {
        count += function->variables[i].is_argument;
    }
    return count == flow->narguments && function->name.kind == JS_NAME_FUNCTION && function->name.arguments &&
           function->name.arguments[0] == '(';
}

void js_owners_find(const js_function *function, const js_flow *flow, js_owners *out)
{
    passing next = {.general = JS_NUMBA_LEADING_ARGUMENTS};
    const char *text = is_whole(function, flow) ? function->name.arguments + 1 : "";
    memset(out, 0, sizeof(*out));
    for (size_t i = 0; *text && i < function->nvariables; i++) {
        const js_variable *argument = &function->variables[i];
        js_leaf leaves[JS_TRUTH_LEAVES];
        size_t count = 0, number = number_of(flow, argument);
        if (!argument->is_argument) {
            continue;
        }
        bool is_passed = !js_is_omitted(text);
        js_first_argument(text, &text);
        if (number == JS_OWNERS_MAX ||
            js_leaves_read(argument->type, leaves, JS_TRUTH_LEAVES, &count) != JS_OK) {
            break; /* the places of the arguments after it are not known */
        }
        for (size_t l = 0; l < count && is_passed; l++) {
            pass(&leaves[l], (unsigned)number + 1, &next, out);
        }
        out->references |= is_passed && !is_number(argument->type) ? (uint64_t)1 << number : 0;
    }
}

unsigned js_owner_of_word(const js_owners *owners, int64_t offset)
{
    return offset >= 0 && offset / 8 < JS_OWNER_WORDS ? owners->words[offset / 8] : 0;
}

unsigned js_owner_of_place(const js_owners *owners, const js_track *track, uint32_t place)
{
    if (place < JS_CODE_VECTOR) {
        return owners->registers[place];
    }
    return place >= JS_CODE_REGISTERS && place < track->nplaces
               ? js_owner_of_word(owners, track->slots[place - JS_CODE_REGISTERS].offset)
               : 0;
}
