/* Makes types of the layouts that the target registers by jitscope.h. */
#ifndef JS_LAYOUTS_DESCRIBED_H
#define JS_LAYOUTS_DESCRIBED_H

#include "bytes/descriptor.h"
#include "layouts/type.h"

/* A target's descriptor: its address, and what was read of it. */
typedef struct js_descriptor {
    uint64_t address;
    jitscope_descriptor head;
} js_descriptor;

/* Give the type of a registered layout, owned by `types`. It has the layout's name if that name has the same
 * layout here or none, else the name with a number ("point#2"): a name means one layout as long as `types`
 * lives. JS_ENOTFOUND: the layout, or one that it is made of, was taken back; JS_EBAD: it contradicts itself.
 */
JS_API int js_described_type(js_types *types, js_bytes *bytes, const js_descriptor *descriptor,
                             uint64_t handle, const js_type **out);

#endif
