/* How Numba's unoptimised code goes over a range (numba/cpython/rangeobj.py, 0.57-0.68): four words in the
 * frame, { address of the next number, stop, step, address of the count of iterations left }, where the
 * two that are addressed are words of their own. The next number is stored only when there is one, and then
 * given. */
#ifndef JS_PROGRAM_NAMES_NUMBA_ITERATORS_H
#define JS_PROGRAM_NAMES_NUMBA_ITERATORS_H

enum { JS_NUMBA_RANGE_NEXT = 0, JS_NUMBA_RANGE_COUNT = 24, JS_NUMBA_RANGE_WORD = 8 };

#endif
