/* Recognises the schedule among a kernel's arguments. */
#include "program/names/numba/schedule.h"

#include <string.h>

bool js_numba_schedule_passed(const char *arguments, bool *is_signed)
{
    static const char unsigned_row[] = "(array(uint64, 1d, C)", signed_row[] = "(array(int64, 1d, C)";
    *is_signed = arguments && !strncmp(arguments, signed_row, strlen(signed_row));
    return *is_signed || (arguments && !strncmp(arguments, unsigned_row, strlen(unsigned_row)));
}

const char *js_numba_index_type(const char *arguments)
{
    bool is_signed;
    return js_numba_schedule_passed(arguments, &is_signed) && !is_signed ? "uint64" : "int64";
}

unsigned js_numba_schedule_dimensions(uint64_t shape, uint64_t stride)
{
    bool is_row = shape >= 2 && shape % 2 == 0 && shape <= 2 * JS_NUMBA_SCHEDULE_DIMENSIONS &&
                  stride == JS_NUMBA_SCHEDULE_WORD;
    return is_row ? (unsigned)(shape / 2) : 0;
}
