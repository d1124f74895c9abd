/* How Numba's unoptimised code iterates over a range (numba/cpython/rangeobj.py, 0.57-0.68). Four words in
 * the frame are { address of the next number, stop, step, address of the count of iterations left }; the two
 * addresses lead to words of their own. An iteration stores the next number only if there is one. Used by
 * validity/recovered/range_loops.c. */
#ifndef JS_PROGRAM_NAMES_NUMBA_ITERATORS_H
#define JS_PROGRAM_NAMES_NUMBA_ITERATORS_H

enum { JS_NUMBA_RANGE_NEXT = 0, JS_NUMBA_RANGE_COUNT = 24, JS_NUMBA_RANGE_WORD = 8 };

#endif
