/* The attribute of functions at which debuggers stop. The compiler keeps each as a function of its
 * own at one address, and does not inline, clone or merge it. */
#ifndef JITSCOPE_ANCHOR_H
#define JITSCOPE_ANCHOR_H

#if defined __clang__
#define ANCHOR __attribute__((noinline))
#else
#define ANCHOR __attribute__((noipa))
#endif

#endif
