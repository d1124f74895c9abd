#include "program/numba/variables.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t js_numba_base_length(const char *name, unsigned *version)
{
    *version = 0;
    const char *mark = strrchr(name, '$');
    if (!mark || mark == name || !mark[1] || strlen(mark + 1) > 9)
        return strlen(name);
    for (const char *digit = mark + 1; *digit; digit++)
        if (!isdigit((unsigned char)*digit))
            return strlen(name);
    *version = (unsigned)strtoul(mark + 1, NULL, 10);
    return (size_t)(mark - name);
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
static const char *const kernel_names[] = {"sched", "ParallelAcceleratorGufuncThreadId", "__sentinel__"};
static const char *const prefixes[] = {"$", "parfor__index_", "parfor_index", "bool$", "arg$", "__numba"};

bool js_numba_is_internal(const char *name, bool in_kernel)
{
    unsigned version;
    size_t length = js_numba_base_length(name, &version);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
            return true;
    for (size_t i = 0; i < sizeof parallel_names / sizeof *parallel_names; i++)
        if (strlen(parallel_names[i]) == length && !strncmp(name, parallel_names[i], length))
            return true;
    if (!in_kernel)
        return false;
    for (size_t i = 0; i < sizeof kernel_names / sizeof *kernel_names; i++)
        if (strlen(kernel_names[i]) == length && !strncmp(name, kernel_names[i], length))
            return true;
    size_t whole = strlen(name);
    return (whole > 5 && !strcmp(name + whole - 5, "__arr")) ||
           (whole > 4 && !strcmp(name + whole - 4, "_arr"));
}

/* numba/core/interpreter.py, op_JUMP_IF_…, <= 0.61: what holds the function bool() at offset N is `boolN`. A
 * function has no value: its storage is a pointer to nothing. */
bool js_numba_is_bool_function(const char *name, bool is_bare_pointer)
{
    if (!is_bare_pointer || strncmp(name, "bool", 4) || !name[4])
        return false;
    return name[4 + strspn(name + 4, "0123456789")] == '\0';
}

size_t js_numba_type_length(const char *name, const char **storage, size_t *storage_length)
{
    size_t length = strlen(name);
    *storage = NULL;
    *storage_length = 0;
    if (length < 4 || name[length - 1] != ')')
        return length;
    /* the LLVM text is balanced: walk back to its parenthesis */
    int depth = 0;
    for (size_t i = length; i-- > 0;) {
        if (name[i] == ')')
            depth++;
        else if (name[i] == '(' && --depth == 0) {
            if (i < 2 || name[i - 1] != ' ')
                return length;
            *storage = name + i + 1;
            *storage_length = length - i - 2;
            return i - 1;
        }
    }
    return length;
}

/* numba/core/types/scalars.py: the only types that lie so. */
static const char *float_name(const char *storage, size_t length)
{
    if (length == 6 && !strncmp(storage, "double", 6))
        return "float64";
    return length == 5 && !strncmp(storage, "float", 5) ? "float32" : NULL;
}

bool js_numba_storage_name(const char *storage, char *out, size_t capacity)
{
    static const char head[] = "{i8*, i8*, i64, i64, "; /* numba/np/arrayobj.py: make_array */
    const char *item = float_name(storage, strlen(storage));
    unsigned ndim, again;
    int end = 0;
    if (item)
        return (size_t)snprintf(out, capacity, "%s", item) < capacity;
    if (strncmp(storage, head, sizeof head - 1))
        return false;
    storage += sizeof head - 1;
    const char *star = strchr(storage, '*');
    if (!star || !(item = float_name(storage, (size_t)(star - storage))) ||
        sscanf(star, "*, [%3u x i64], [%3u x i64]}%n", &ndim, &again, &end) != 2 || ndim != again ||
        star[end])
        return false;
    return (size_t)snprintf(out, capacity, "array(%s, %ud, A)", item, ndim) < capacity;
}

bool js_numba_is_opaque(const char *type_name)
{
    return strcmp(type_name, "i8*") == 0;
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
    for (const char *at; (at = strstr(name, locals));)
        name = at + sizeof locals - 1;
    return *name ? name : qualname;
}
