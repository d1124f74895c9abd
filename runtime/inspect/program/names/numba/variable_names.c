/* Tells the user's variables and types from the compiler's own by their names. */
#include "program/names/numba/variable_names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return the length of the name before a last "$3", and that number; the whole length and 0 where there is
 * none. */
static size_t strip_version(const char *name, size_t length, unsigned *version)
{
    size_t digits = 0;
    *version = 0;
    while (digits < length && isdigit((unsigned char)name[length - digits - 1])) {
        digits++;
    }
    if (!digits || digits > 9 || digits + 1 >= length || name[length - digits - 1] != '$') {
        return length;
    }
    *version = (unsigned)strtoul(name + length - digits, NULL, 10);
    return length - digits - 1;
}

size_t js_numba_base_length(const char *name, unsigned *version)
{
    size_t length = strip_version(name, strlen(name), version), rest;
    unsigned outer;
    /* a later pass has numbered the versions anew: "x$2$1" */
    while ((rest = strip_version(name, length, &outer)) < length) {
        length = rest;
        *version = JS_NUMBA_RENUMBERED + ((outer << 10 | (*version & 1023)) & (JS_NUMBA_RENUMBERED - 1));
    }
    return length;
}

/* numba/parfors/parfor.py and parfor_lowering.py, 0.57-0.68: names that the parallel pass makes up. */
static const char *const parallel_names[] = {
    "_iget_num_threads_func",
    "num_threads_var",
    "empty_func",
    "tuple_size_var",
    "pf_const",
    "redarr",
    "redtoset",
    "full_func",
    "toset",
    "res_print_str",
    "alloc_name",
    "dtype_attr_var",
    "np_var",
    "dtype_var",
    "sizeof",
    "num_threads",
};
/* numba/core/interpreter.py, 0.57-0.68: functions that mark what a try statement guards. */
static const char *const try_names[] = {"mark_try_block", "end_try_block", "exception_check"};
static const char *const kernel_names[] = {"sched", "ParallelAcceleratorGufuncThreadId", "__sentinel__"};
static const char *const prefixes[] = {"$", "parfor__index_", "parfor_index", "bool$", "__numba"};
static const char tuple_part[] = "expanded_tuple_var_";

/* True for a temporary such as "$phi8.1", or the argument ".0", of a nested function that Numba has inlined:
 * "closure__locals___listcomp__v2__vphi8_1", "…_v2_implicit0" (numba/core/inline_closurecall.py,
 * _created_inlined_var_name). */
static bool is_inner_temporary(const char *name)
{
    const char *rest = strstr(name, "_locals__");
    while (rest && (rest = strstr(rest, "_v"))) {
        rest += 2;
        size_t digits = strspn(rest, "0123456789");
        if (digits && rest[digits] == '_' &&
            (!strncmp(rest + digits + 1, "_v", 2) || !strncmp(rest + digits + 1, "implicit", 8))) {
            return true;
        }
    }
    return false;
}

bool js_numba_is_internal(const char *name, bool in_kernel)
{
    unsigned version;
    size_t length = js_numba_base_length(name, &version);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (!strncmp(name, prefixes[i], strlen(prefixes[i]))) {
            return true;
        }
    }
    /* numba/core/interpreter.py: the argument n comes in as "arg.n"; the user's own `arg` has versions
     * "arg$1" */
    if (!strncmp(name, "arg$", 4) && !isdigit((unsigned char)name[4])) {
        return true;
    }
    for (size_t i = 0; i < sizeof parallel_names / sizeof *parallel_names; i++) {
        if (strlen(parallel_names[i]) == length && !strncmp(name, parallel_names[i], length)) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof try_names / sizeof *try_names; i++) {
        if (strlen(try_names[i]) == length && !strncmp(name, try_names[i], length)) {
            return true;
        }
    }
    /* "total$2#init" of a reduction; "max_parallel_impl__locals__max_1_v16_val" of an inlined function of
     * Numba */
    if (strchr(name, '#') || (strstr(name, "__locals__") && strncmp(name, "closure__locals__", 17) != 0)) {
        return true;
    }
    if (is_inner_temporary(name)) {
        return true;
    }
    if (!in_kernel) {
        return false;
    }
    for (size_t i = 0; i < sizeof kernel_names / sizeof *kernel_names; i++) {
        if (strlen(kernel_names[i]) == length && !strncmp(name, kernel_names[i], length)) {
            return true;
        }
    }
    if (!strncmp(name, tuple_part, sizeof tuple_part - 1)) {
        return true;
    }
    /* arrays of the workers' parts of a sum, in Numba's versions that do not describe arguments */
    size_t whole = strlen(name);
    return whole > 5 && !strcmp(name + whole - 5, "__arr");
}

/* Names that a programmer may use as well: numba/core/inline_closurecall.py (_inline_arraycall,
 * _inline_const_arraycall, _fix_nested_array), numba/parfors/array_analysis.py, numba/stencils/stencil.py and
 * stencilparfor.py, 0.57-0.68. */
static const char *const shared_names[] = {
    "size",        "index",         "array",       "dtype",      "one",
    "new_var",     "next_index",    "size_tuple",  "len_func",   "dtype_mod",
    "ret",         "assert",        "msg",         "var",        "wrap",
    "zero",        "slice_size",    "zero_val",    "last_ind",   "in_arr_shape",
    "offset_var",  "old_index_var", "getitem",     "wrap_slice", "post_wrap_slice_size",
    "const_index", "stencil_index", "explicit_neg"};

bool js_numba_is_shared(const char *base)
{
    for (size_t i = 0; i < sizeof shared_names / sizeof *shared_names; i++) {
        if (!strcmp(base, shared_names[i])) {
            return true;
        }
    }
    /* array_analysis.py: "a_shape" and "a_size0" of an array a */
    size_t length = strlen(base), digits = length;
    while (digits > 0 && isdigit((unsigned char)base[digits - 1])) {
        digits--;
    }
    return (length > 6 && !strcmp(base + length - 6, "_shape")) ||
           (digits < length && digits > 5 && !strncmp(base + digits - 5, "_size", 5));
}

/* The variable that holds the function bool() at offset N is `boolN` (numba/core/interpreter.py,
 * op_JUMP_IF_…, up to 0.61). A function has no value: its storage is a pointer to nothing. */
bool js_numba_is_bool_function(const char *name, bool is_bare_pointer)
{
    if (!is_bare_pointer || strncmp(name, "bool", 4) || !name[4]) {
        return false;
    }
    return name[4 + strspn(name + 4, "0123456789")] == '\0';
}

size_t js_numba_type_length(const char *name, const char **storage, size_t *storage_length)
{
    size_t length = strlen(name);
    *storage = NULL;
    *storage_length = 0;
    if (length < 4 || name[length - 1] != ')') {
        return length;
    }
    /* the LLVM text is balanced: walk back to its parenthesis */
    int depth = 0;
    for (size_t i = length; i-- > 0;) {
        if (name[i] == ')') {
            depth++;
        } else if (name[i] == '(' && --depth == 0) {
            if (i < 2 || name[i - 1] != ' ') {
                return length;
            }
            *storage = name + i + 1;
            *storage_length = length - i - 2;
            return i - 1;
        }
    }
    return length;
}

/* Return the type of "double" or "float", which no other type is stored as (numba/core/types/scalars.py);
 * else NULL. */
static const char *float_name(const char *storage, size_t length)
{
    if (length == 6 && !strncmp(storage, "double", 6)) {
        return "float64";
    }
    return length == 5 && !strncmp(storage, "float", 5) ? "float32" : NULL;
}

bool js_numba_storage_name(const char *storage, char *out, size_t capacity)
{
    static const char head[] = "{i8*, i8*, i64, i64, "; /* numba/np/arrayobj.py: make_array */
    const char *item = float_name(storage, strlen(storage));
    unsigned ndim, again;
    int end = 0;
    if (item) {
        return (size_t)snprintf(out, capacity, "%s", item) < capacity;
    }
    if (strncmp(storage, head, sizeof head - 1)) {
        return false;
    }
    storage += sizeof head - 1;
    const char *star = strchr(storage, '*');
    if (!star || !(item = float_name(storage, (size_t)(star - storage))) ||
        sscanf(star, "*, [%3u x i64], [%3u x i64]}%n", &ndim, &again, &end) != 2 || ndim != again ||
        star[end]) {
        return false;
    }
    return (size_t)snprintf(out, capacity, "array(%s, %ud, A)", item, ndim) < capacity;
}

bool js_numba_is_opaque(const char *type_name)
{
    return strcmp(type_name, "i8*") == 0;
}

uint64_t js_numba_record_size(const char *type_name)
{
    unsigned long long count;
    int end = 0;
    return sscanf(type_name, "[%llu x i8]*%n", &count, &end) == 1 && end && !type_name[end] ? count : 0;
}

bool js_numba_is_kernel_name(const char *linkage_name)
{
    return strstr(linkage_name, "__numba_parfor_gufunc_") != NULL;
}

bool js_numba_is_stop(const char *symbol)
{
    return strcmp(symbol, "numba_gdb_breakpoint") == 0;
}

const char *js_numba_source_name(const char *qualname)
{
    static const char locals[] = "<locals>.";
    const char *name = qualname;
    for (const char *at; (at = strstr(name, locals));) {
        name = at + sizeof locals - 1;
    }
    return *name ? name : qualname;
}

bool js_numba_takes_reference(const char *symbol)
{
    return strcmp(symbol, "NRT_incref") == 0;
}

bool js_numba_only_reads(const char *symbol)
{
    static const char *const lengths[] = {
        "numba_dict_length",
        "numba_list_length",
        "_ZN5numba5typed10dictobject8impl_len12_3clocals_3e4impl",
        "_ZN5numba5typed10listobject8impl_len12_3clocals_3e4impl",
    };
    bool found = false;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths && !found; i++) {
        found = strncmp(symbol, lengths[i], strlen(lengths[i])) == 0;
    }
    return found;
}

bool js_numba_drops_reference(const char *symbol)
{
    return strcmp(symbol, "NRT_decref") == 0;
}

bool js_numba_counts_references(const char *symbol)
{
    return js_numba_takes_reference(symbol) || js_numba_drops_reference(symbol) ||
           strcmp(symbol, "jitscope_take_reference") == 0 || strcmp(symbol, "jitscope_drop_reference") == 0;
}
