/* What compiled code made and the interpreter holds, as compiled code sees it. */
#include "layouts/numba/boxed.h"
#include "values/pyobject.h"

bool js_render_pyobject_boxed(js_render *render, const js_type *type, const js_object *object, bool as_json)
{
    enum { NAME = 2048, COST = 1024 };
    char name[NAME];
    uint64_t contents[2];
    const js_type *described;
    if (!type->owner || js_boxed_read(render->bytes, object, name, sizeof name, contents) ||
        js_types_get(type->owner, name, NULL, &described) || described->size != sizeof contents ||
        described->kind == JS_KIND_STRUCT || !js_pyobject_charge(render, COST)) {
        return false;
    }
    if (as_json) {
        js_json_value(render, described, (const uint8_t *)contents);
    } else {
        js_render_value(render, described, (const uint8_t *)contents);
    }
    return true;
}
