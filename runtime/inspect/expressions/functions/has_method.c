/* Finds whether an operand has a method of a given name. */
#include "expressions/functions/has_method.h"

#include <string.h>

#include "expressions/functions/collections.h"
#include "expressions/functions/methods.h"
#include "expressions/functions/texts.h"

bool js_has_method(const js_operand *of, const char *name)
{
    if (of->kind == JS_OPERAND_ARRAY) {
        return js_array_has_method(name);
    }
    if (of->kind == JS_OPERAND_TEXT) {
        return js_text_has_method(name);
    }
    if (js_collection_has_method(of, name)) {
        return true;
    }
    const js_type *type = of->kind == JS_OPERAND_VALUE ? of->value.type : NULL;
    bool is_text = type && (type->kind == JS_KIND_STR || type->kind == JS_KIND_CHARSEQ ||
                            (type->kind == JS_KIND_LITERAL && type->literal_kind == 's') ||
                            (type->kind == JS_KIND_BYTES && strcmp(js_operand_type(of), "bytes") == 0));
    return is_text && js_text_has_method(name);
}
