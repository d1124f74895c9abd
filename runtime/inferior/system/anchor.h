/* For functions at which debuggers stop: each is a place of its own, whole, called wherever the source calls
 * it. */
#ifndef JITSCOPE_ANCHOR_H
#define JITSCOPE_ANCHOR_H

#if defined __clang__
#define ANCHOR __attribute__((noinline))
#else
#define ANCHOR __attribute__((noipa))
#endif

#endif
