/* jitscope_breakpoint, by which a program asks to stop. */
#include "rendezvous/gather.h"
#include "rendezvous/sentinel.h"
#include "system/anchor.h"

/* Stop, or come to a meeting. The calls at the ends are jumps (-foptimize-sibling-calls), so that the
 * caller's frame is the next one. */
ANCHOR void jitscope_breakpoint(void)
{
    sentinel_announce_once();
    if (gather_is_armed()) {
        gather_or_stop();
    } else {
        sentinel_stop();
    }
}
