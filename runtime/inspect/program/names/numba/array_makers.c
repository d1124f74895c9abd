/* Lists the functions that make arrays. */
#include "program/names/numba/array_makers.h"

#include <stddef.h>
#include <string.h>

bool js_numba_makes_array(const char *maker)
{
    /* numba/np/arrayobj.py, numba/np/npyimpl.py, 0.42-0.68 */
    static const char *const makers[] = {
        "operator",         "numpy.array",      "numpy.empty",     "numpy.zeros",
        "numpy.ones",       "numpy.full",       "numpy.arange",    "numpy.linspace",
        "numpy.empty_like", "numpy.zeros_like", "numpy.ones_like", "numpy.full_like",
    };
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        if (!strcmp(maker, makers[i])) {
            return true;
        }
    }
    return false;
}

bool js_numba_fills_array(const char *maker)
{
    return js_numba_makes_array(maker) && strncmp(maker, "numpy.empty", strlen("numpy.empty")) != 0;
}

bool js_numba_allocates(const char *symbol)
{
    static const char *const beginnings[] = {"NRT_Allocate", "NRT_MemInfo_alloc"};
    bool found = false;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings && !found; i++) {
        found = strncmp(symbol, beginnings[i], strlen(beginnings[i])) == 0;
    }
    return found;
}
