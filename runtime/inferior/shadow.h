/* Who has read and written which bytes: what a check for races remembers of memory. */
#ifndef JITSCOPE_INFERIOR_SHADOW_H
#define JITSCOPE_INFERIOR_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

/* One access: by which of the shares that run at once, and at which site of the program. */
enum { SHADOW_SITE_BITS = 20, SHADOW_SHARES_MAX = (1 << (32 - SHADOW_SITE_BITS)) - 2 };
static inline uint32_t shadow_who(uint32_t share, uint32_t site)
{
    return (share + 1) << SHADOW_SITE_BITS | (site & ((1u << SHADOW_SITE_BITS) - 1));
}
static inline uint32_t shadow_share(uint32_t who)
{
    return (who >> SHADOW_SITE_BITS) - 1;
}
static inline uint32_t shadow_site(uint32_t who)
{
    return who & ((1u << SHADOW_SITE_BITS) - 1);
}

/* Two shares have had the `size` bytes at `address`, and one of them has written. */
typedef void (*shadow_conflict_fn)(uint64_t address, uint32_t size, uint32_t first, bool first_writes,
                                   uint32_t second, bool second_writes);

/* Shares run one after the other: all accesses of one come before those of the next. False: no memory; the
 * access is not remembered. */
bool shadow_access(uint64_t address, uint64_t size, uint32_t who, bool writes, shadow_conflict_fn conflict);
/* Nothing has been read or written. */
void shadow_clear(void);

#endif
