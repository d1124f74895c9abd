/* Reads a variable's home from its location, fbreg with an offset. */
#include "program/validity/locations/home.h"

#include <dwarf.h>

bool js_truth_home(const js_truth *truth, const js_variable *variable, js_extent *home)
{
    if (!variable->is_whole || variable->nlocations != 1 || variable->locations[0].size < 2 ||
        truth->machine.base == JS_TRACK_NOWHERE || variable->type->size == 0 ||
        variable->type->size > 1 << 24) {
        return false;
    }
    const uint8_t *at = variable->locations[0].expr, *end = at + variable->locations[0].size;
    if (*at++ != DW_OP_fbreg) {
        return false;
    }
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte = 0x80;
    while (at < end && (byte & 0x80) && shift < 35) {
        byte = *at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    }
    if (at != end || (byte & 0x80)) {
        return false;
    }
    if (byte & 0x40) {
        value |= UINT64_MAX << shift;
    }
    home->lo = truth->machine.base + (int64_t)value;
    home->hi = home->lo + (int64_t)variable->type->size;
    return true;
}
