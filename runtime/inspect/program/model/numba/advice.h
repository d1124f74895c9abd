/* Advice for the user of a Numba program whose values were optimised away: queries/ and session/line_stops.c
 * show it. */
#ifndef JS_PROGRAM_MODEL_NUMBA_ADVICE_H
#define JS_PROGRAM_MODEL_NUMBA_ADVICE_H

#include "program/model/level.h"
#include "program/source/flow.h"

/* numba/core/config.py: NUMBA_OPT=0 keeps variables in memory. */
static const char js_numba_advice_unoptimised[] =
    "run the program with NUMBA_OPT=0: variables then stay in memory";

/* Advice for code that was compiled with NUMBA_OPT=0, where Numba clears each variable after its last use. */
static const char js_numba_advice_cleared[] =
    "run the program with jitscope installed and JITSCOPE_LEVEL=steps: every assigned variable then stays";

static const char js_numba_advice_lines[] = "run the program with NUMBA_OPT=0, or with jitscope installed "
                                            "and JITSCOPE_LEVEL=steps: every line that runs then stops";

/* Advice on lines of code that was compiled with NUMBA_OPT=0. */
static const char js_numba_advice_stepped[] =
    "run the program with jitscope installed and JITSCOPE_LEVEL=steps: every line that runs then stops";

/* Advice for a function that has its lines only. */
static const char js_numba_advice_described[] =
    "start the program with `jitscope run --all-code`: its functions are then compiled for stepping";

static const char js_numba_fast_steps[] =
    "LLVM may reorder the arithmetic of its function (fastmath), and at level steps the results may differ";
static const char js_numba_advice_loops[] =
    "run the program under the debugger, or with JITSCOPE_LOOPS=stepped, "
    "where innermost loops step though nobody debugs";

/* What follows the advice on level steps where an innermost loop assigns the variable, and no debugger was
 * there when the loop began. */
static const char js_numba_advice_loops_too[] = " and JITSCOPE_LOOPS=stepped";
static const char js_numba_advice_loops_alone[] =
    ", and set JITSCOPE_LOOPS=stepped where no debugger starts the program";

static const char js_numba_plain_reason[] = "its loop runs at full speed, as JITSCOPE_LOOPS=plain asks for";

/* What an array is whose strides contradict its type: NumPy calls a ufunc of Numba with any strides, whatever
 * its signature says (numba/np/ufunc/wrappers.py, 0.57-0.68). */
static const char js_numba_wrong_order[] =
    ", which its type promises: compiled code reads its elements from other places than NumPy does";
static const char js_numba_advice_order[] = "write `:` instead of `::1` in the function's signature";

/* Append how to compile a function at level steps (runtime/python/jitscope/compiler/base/levels.py). by: what
 * chose its level. module: "" where it is not known. asks: how the user can ask for a level of this function.
 */
void js_numba_advise_steps(js_text *out, js_chooser by, const char *module, const char *qualname,
                           js_asks asks);

#endif
