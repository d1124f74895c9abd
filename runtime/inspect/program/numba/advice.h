/* What to tell the user of a Numba program whose values were optimised away. */
#ifndef JS_PROGRAM_NUMBA_ADVICE_H
#define JS_PROGRAM_NUMBA_ADVICE_H

/* numba/core/config.py: NUMBA_OPT=0 keeps every variable in memory. */
static const char js_numba_advice_unoptimised[] =
    "run the program with NUMBA_OPT=0: every variable then stays in memory";
#endif
