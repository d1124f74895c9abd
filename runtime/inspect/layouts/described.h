/* Layouts that the target describes itself (jitscope.h) → types like any other. */
#ifndef JS_LAYOUTS_DESCRIBED_H
#define JS_LAYOUTS_DESCRIBED_H

#include "bytes/descriptor.h"
#include "layouts/type.h"

/* A target's descriptor: what was read of it, and where it lies. */
typedef struct js_descriptor {
    uint64_t address;
    jitscope_descriptor head;
} js_descriptor;

/* The type of a registered layout. It has the layout's name where that says the same here or nothing, else
 * the name with a number ("point#2"): a name means one layout for as long as `types` lives. JS_ENOTFOUND: the
 * layout, or one that it is made of, was taken back; JS_EBAD: it contradicts itself. */
JS_API int js_described_type(js_types *types, js_bytes *bytes, const js_descriptor *descriptor,
                             uint64_t handle, const js_type **out);

#endif
