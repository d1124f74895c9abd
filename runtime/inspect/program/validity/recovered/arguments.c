/* Finds where the arguments are at a function's entry: System V ABI, AMD64, 3.2.3, for scalars that are
 * passed one by one. */
#include "program/validity/recovered/arguments.h"

#include <string.h>

#include "program/names/numba/return_convention.h"
#include "program/read/argument_types.h"
#include "program/validity/locations/home.h"
#include "program/validity/variables/constants.h"

enum { ARGUMENT_WORDS = 512, ARRAY_WORDS = 5 };

/* Count the arguments in the linkage name's list: "(int64, array(float64, 1d, C))". */
static size_t count_arguments(const char *text)
{
    size_t count = 0;
    int depth = 0;
    for (const char *at = text; *at; at++) {
        bool opens = *at == '(' || *at == '[' || *at == '{' || *at == '<';
        bool closes = *at == ')' || *at == ']' || *at == '}' || (*at == '>' && (at == text || at[-1] != '-'));
        if (!closes && *at != ' ' && depth == 1 && count == 0) {
            count = 1;
        }
        depth += opens - closes;
        count += *at == ',' && depth == 1 && at[1] != ')';
    }
    return count;
}

/* Where the scalars of the next argument are passed. */
typedef struct passing {
    unsigned general, vectors; /* registers used */
    int64_t word;              /* index of the next word on the stack, from the first that passes one */
} passing;

/* Offsets of the words of the stack that scalars were passed in. */
typedef struct word_list {
    int64_t *items;
    size_t count, capacity;
} word_list;

/* Move over the variable's scalars. words: receives those on the stack, or NULL. ids: receives the values, or
 * NULL. */
static int pass_scalars(js_truth *truth, js_variable *variable, passing *next, word_list *words,
                        uint32_t (*ids)[JS_TRUTH_IDS])
{
    js_tracked *tracked = &truth->tracked[js_truth_index(truth, variable)];
    for (size_t i = 0; i < tracked->nleaves; i++) {
        const js_leaf *leaf = &tracked->leaves[i];
        unsigned *used = leaf->is_float ? &next->vectors : &next->general;
        unsigned limit = leaf->is_float ? JS_CODE_ARGUMENT_VECTORS : JS_CODE_ARGUMENT_REGISTERS;
        uint32_t place = JS_PLACE_ABSENT;
        if (*used < limit) {
            place = leaf->is_float ? JS_CODE_VECTOR + *used : js_code_argument_registers[*used];
            (*used)++;
        } else {
            if (words && words->count == words->capacity) {
                return JS_ELIMIT;
            }
            if (words) {
                words->items[words->count++] = next->word;
            } else {
                place = js_track_place(&truth->machine.track, next->word);
            }
            next->word += 8;
        }
        if (ids && place != JS_PLACE_ABSENT && truth->machine.track.is_read[place]) {
            ids[i][0] = JS_VALUE_ENTRY + place;
        }
    }
    return JS_OK;
}

static bool omits(const char *text)
{
    bool found = js_is_omitted(text);
    while (!found && *text) {
        js_first_argument(text, &text);
        found = js_is_omitted(text);
    }
    return found;
}

/* Return how many words the first argument of this list has if it is an array, else 0; *rest is the text
 * after it. */
static unsigned array_words(const char *text, const char **rest)
{
    size_t length = js_first_argument(text, rest);
    unsigned dimensions = 0;
    for (size_t i = 0; i + 3 < length && strncmp(text, "array(", 6) == 0; i++) {
        bool is_said = text[i] == ',' && text[i + 1] == ' ' && text[i + 3] == 'd' && text[i + 2] >= '1' &&
                       text[i + 2] <= '9';
        dimensions = is_said && !dimensions ? (unsigned)(text[i + 2] - '0') : dimensions;
    }
    return dimensions ? ARRAY_WORDS + 2 * dimensions : 0;
}

/* Move over arrays that the compiler passes to a kernel before the user's argument; the first one is the
 * schedule. */
static bool skip_hidden(const js_truth *truth, const js_variable *argument, unsigned *position, passing *next)
{
    const char *text = truth->function->name.arguments + 1;
    for (unsigned i = 1; i < argument->position; i++) {
        unsigned words = array_words(text, &text);
        if (i <= *position) {
            continue;
        }
        if (!words) {
            return false;
        }
        for (; words; words--) {
            bool is_register = next->general < JS_CODE_ARGUMENT_REGISTERS;
            next->general += is_register;
            next->word += is_register ? 0 : 8;
        }
    }
    *position = argument->position;
    return true;
}

static bool passes_plainly(const js_truth *truth)
{
    const js_function *function = truth->function;
    size_t count = 0;
    if (function->name.kind != JS_NAME_FUNCTION && function->name.kind != JS_NAME_PARFOR) {
        return false;
    }
    for (size_t i = 0; i < function->nvariables; i++) {
        const js_variable *variable = &function->variables[i];
        if (variable->is_argument) {
            count++;
            if (!truth->tracked[i].is_known) {
                return false;
            }
        }
    }
    size_t passed = function->name.kind == JS_NAME_PARFOR ? function->nformals : count;
    return count > 0 && passed == count_arguments(function->name.arguments);
}

static int walk_arguments(js_truth *truth, word_list *words, bool binds)
{
    passing next = {.general = JS_NUMBA_LEADING_ARGUMENTS};
    unsigned position = 0;
    bool is_kernel = truth->function->name.kind == JS_NAME_PARFOR;
    const char *text = is_kernel ? "" : truth->function->name.arguments + 1;
    for (size_t i = 0; i < truth->function->nvariables; i++) {
        js_variable *variable = &truth->function->variables[i];
        if (!variable->is_argument) {
            continue;
        }
        if (is_kernel && !skip_hidden(truth, variable, &position, &next)) {
            return JS_OK;
        }
        bool is_passed = !js_is_omitted(text);
        js_first_argument(text, &text);
        if (!is_passed) {
            continue;
        }
        int status = pass_scalars(truth, variable, &next, words, binds ? truth->tracked[i].ids : NULL);
        if (status != JS_OK) {
            return status;
        }
    }
    return JS_OK;
}

int js_truth_list_argument_words(js_truth *truth, int64_t *words, size_t capacity, size_t *nwords)
{
    word_list list = {.items = words, .capacity = capacity};
    int status = passes_plainly(truth) ? walk_arguments(truth, &list, false) : JS_OK;
    *nwords = list.count;
    return status;
}

/* Return the position of the argument in the source, SIZE_MAX if there is none; name NULL: how many arguments
 * there are. */
static size_t source_argument(const js_truth *truth, const char *name)
{
    const js_flow *flow = truth->flow;
    size_t count = 0, found = SIZE_MAX;
    for (size_t i = 0; flow && i < flow->ndefs; i++) {
        bool is_argument = flow->defs[i].line == flow->first_line;
        found = is_argument && name && strcmp(flow->defs[i].name, name) == 0 ? count : found;
        count += is_argument;
    }
    return name ? found : count;
}

/* Return the position of the argument; SIZE_MAX: not known. If the compiler does not describe all arguments,
 * the source decides. */
static size_t position_of(const js_truth *truth, const js_variable *argument)
{
    const js_function *function = truth->function;
    size_t expected = count_arguments(function->name.arguments), count = 0, before = 0;
    for (size_t i = 0; i < function->nvariables; i++) {
        before += function->variables[i].is_argument && &function->variables[i] < argument;
        count += function->variables[i].is_argument;
    }
    if (count == expected) {
        return before;
    }
    return count < expected && source_argument(truth, NULL) == expected
               ? source_argument(truth, argument->base)
               : SIZE_MAX;
}

/* Return the default of an argument that the call omits, in the function's linkage name, where `)` ends it.
 * NULL: the argument is passed. */
static const char *default_of(const js_truth *truth, const js_variable *argument)
{
    static const char word[] = "omitted(default=";
    const char *text = truth->function->name.arguments;
    size_t index = text && text[0] == '(' ? position_of(truth, argument) : SIZE_MAX;
    if (index == SIZE_MAX) {
        return NULL;
    }
    for (text++; index > 0 && *text; index--) {
        js_first_argument(text, &text);
    }
    return strncmp(text, word, sizeof(word) - 1) == 0 ? text + sizeof(word) - 1 : NULL;
}

bool js_truth_is_omitted(const js_truth *truth, const js_variable *argument)
{
    return default_of(truth, argument) != NULL;
}

bool js_truth_put_default(const js_truth *truth, const js_variable *argument, js_expr *out)
{
    const char *text = default_of(truth, argument);
    char literal[64];
    bool is_scalar = argument->type->kind == JS_KIND_INT || argument->type->kind == JS_KIND_FLOAT;
    if (!is_scalar || !text) {
        return false;
    }
    size_t length = strspn(text, "0123456789.e+-"); /* it must be a number */
    if (length == 0 || length >= sizeof(literal) || text[length] != ')') {
        return false;
    }
    memcpy(literal, text, length);
    literal[length] = '\0';
    js_verdict found;
    bool done = js_truth_put_literal(argument, literal, &found);
    if (done) {
        *out = found.expr;
    }
    return done;
}

static void seek_caller(js_truth *truth)
{
    uint64_t sizes[JS_CALLER_ARGUMENTS] = {0};
    const js_function *function = truth->function;
    size_t count = count_arguments(function->name.arguments);
    truth->is_caller_sought = true;
    if (function->name.kind != JS_NAME_FUNCTION || count > JS_CALLER_ARGUMENTS ||
        (count && omits(function->name.arguments + 1))) {
        return;
    }
    for (size_t i = 0; i < function->nvariables; i++) {
        size_t position =
            function->variables[i].is_argument ? position_of(truth, &function->variables[i]) : SIZE_MAX;
        if (position < count) {
            sizes[position] = function->variables[i].type->size;
        }
    }
    js_caller *caller = js_arena_alloc(&truth->scratch, sizeof(*caller));
    if (caller && js_caller_init(caller, &truth->scratch, function, sizes, count) == JS_OK) {
        truth->caller = caller;
    }
}

const js_held_argument *js_truth_find_in_caller(js_truth *truth, const js_variable *argument,
                                                uint64_t *returns_to)
{
    if (!truth->is_caller_sought) {
        seek_caller(truth);
    }
    size_t index = truth->caller ? position_of(truth, argument) : SIZE_MAX;
    if (!truth->caller || index >= truth->caller->count) {
        return NULL;
    }
    *returns_to = truth->caller->returns_to;
    return &truth->caller->arguments[index];
}

/* True if the compiler's location of the argument at the first instructions is the one by the calling
 * convention. */
static bool agrees(js_truth *truth, const js_variable *variable, const js_location *location)
{
    const js_tracked *tracked = &truth->tracked[js_truth_index(truth, variable)];
    const js_basic_block *entry = &truth->machine.code.blocks[0];
    uint32_t insn = js_code_find(&truth->machine.code, location->lo);
    js_part parts[JS_TRUTH_LEAVES];
    size_t count;
    if (variable->is_whole || insn >= entry->count ||
        js_parts_read(location->expr, location->size, variable->type->size, parts, JS_TRUTH_LEAVES, &count) !=
            JS_OK) {
        return true;
    }
    js_track_enter(&truth->machine.track, 0);
    for (size_t i = 0; i < insn; i++) {
        js_track_step(&truth->machine.track, i);
    }
    for (size_t p = 0; p < count; p++) {
        uint32_t place = parts[p].is_register ? parts[p].reg : JS_PLACE_ABSENT;
        if (parts[p].is_slot) {
            place = js_track_place(&truth->machine.track,
                                   js_track_offset(&truth->machine.track, insn, parts[p].reg, parts[p].disp));
        }
        for (size_t i = 0; place != JS_PLACE_ABSENT && i < tracked->nleaves; i++) {
            uint32_t value = truth->machine.track.now[place].value;
            bool is_entry = value >= JS_VALUE_ENTRY && value < JS_VALUE_ENTRY + truth->machine.track.nplaces;
            if (tracked->leaves[i].offset == parts[p].offset && tracked->leaves[i].size == parts[p].size &&
                is_entry && tracked->ids[i][0] != JS_VALUE_ANY && value != tracked->ids[i][0]) {
                return false;
            }
        }
    }
    return true;
}

/* True if the first store to each argument's home stores the value that was passed. */
static bool stores_agree(js_truth *truth)
{
    const js_basic_block *entry = &truth->machine.code.blocks[0];
    js_track_enter(&truth->machine.track, 0);
    for (size_t i = entry->first; i < entry->first + entry->count; i++) {
        js_track_step(&truth->machine.track, i);
        const js_insn *insn = &truth->machine.code.insns[i];
        if (insn->op != JS_OP_MOVE || insn->to.kind != JS_PLACE_FRAME) {
            continue;
        }
        int64_t offset = js_track_offset(&truth->machine.track, i, insn->to.reg, insn->to.value);
        uint32_t place = js_track_place(&truth->machine.track, offset);
        uint32_t value = place == JS_PLACE_ABSENT ? JS_VALUE_ANY : truth->machine.track.now[place].value;
        if (value < JS_VALUE_ENTRY || value >= JS_VALUE_ENTRY + truth->machine.track.nplaces) {
            continue;
        }
        for (size_t v = 0; v < truth->function->nvariables; v++) {
            const js_variable *variable = &truth->function->variables[v];
            const js_tracked *tracked = &truth->tracked[v];
            js_extent home;
            if (!variable->is_argument || !js_truth_home(truth, variable, &home)) {
                continue;
            }
            for (size_t l = 0; l < tracked->nleaves; l++) {
                if (home.lo + (int64_t)tracked->leaves[l].offset == offset &&
                    tracked->ids[l][0] != JS_VALUE_ANY && tracked->ids[l][0] != value) {
                    return false;
                }
            }
        }
    }
    return true;
}

void js_truth_bind_arguments(js_truth *truth)
{
    const js_function *function = truth->function;
    if (!truth->machine.is_followed || !passes_plainly(truth) || walk_arguments(truth, NULL, true) != JS_OK) {
        return;
    }
    bool agree = stores_agree(truth);
    for (size_t i = 0; agree && i < function->nvariables; i++) {
        const js_variable *variable = &function->variables[i];
        for (size_t l = 0; agree && variable->is_argument && l < variable->nlocations; l++) {
            agree = agrees(truth, variable, &variable->locations[l]);
        }
    }
    for (size_t i = 0; !agree && i < function->nvariables; i++) {
        for (size_t l = 0; function->variables[i].is_argument && l < truth->tracked[i].nleaves; l++) {
            truth->tracked[i].ids[l][0] = JS_VALUE_ANY;
        }
    }
}
