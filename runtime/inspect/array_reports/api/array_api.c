/* js_api_array: reports on arrays, for callers that hold only pointers (ctypes). */
#include "array_reports/array_report.h"
#include "expressions/api/expression_api.h"

int js_api_array(js_types *types, js_bytes *bytes, const js_api_variable *variables, size_t count,
                 const char *expression, const js_array_request *request, const js_render_options *options,
                 js_progress_fn progress, void *context, char **out)
{
    js_api_variables given = {types, variables, count};
    js_surroundings surroundings = js_api_surroundings(&given, bytes, progress, context);
    js_text text;
    js_array_place place;
    js_text_init(&text, 0);
    js_text_put(&text, "{");
    int status = js_array_put(&surroundings, expression, request, options, &text, &place);
    js_text_put(&text, "}");
    return js_text_give(&text, status, out);
}
