/* Names of C++ functions, as C++ programmers and GDB write them. */
#ifndef JS_STACKS_UNWIND_CPP_NAME_H
#define JS_STACKS_UNWIND_CPP_NAME_H

/* Return the qualified name of a C++ function by its linkage name, without its parameters and without the
 * type of its result: `tbb::detail::r1::arena::process` for
 * `_ZN3tbb6detail2r15arena7processERNS1_11thread_dataE`. The caller frees it. NULL: it is no such name, there
 * is no C++ library here, or there is no memory. */
char *js_cpp_name(const char *linkage_name);

#endif
