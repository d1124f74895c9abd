/* Internal to layouts/. */
#ifndef JS_LAYOUTS_TOLD_H
#define JS_LAYOUTS_TOLD_H

#include "layouts/span.h"
#include "layouts/type.h"

typedef struct js_told js_told;

typedef struct js_told_table {
    js_told *first;
    bool has_several; /* some text is two classes' */
} js_told_table;

typedef struct js_stops js_stops;
js_stops **js_types_known_stops(js_types *types);

js_told_table *js_types_told(js_types *types);
/* Has debug information said so of this type? Its names, NULL at the end; NULL: several classes differ. */
bool js_types_is_told(js_types *types, js_span text, const char *const **names);
#endif
