/* The parts of an array's report. Internal to values/. */
#ifndef JS_ARRAY_REPORTS_ARRAY_DETAIL_H
#define JS_ARRAY_REPORTS_ARRAY_DETAIL_H

#include "array_reports/array_report.h"
#include "expressions/operands/operand.h"

typedef struct js_array_detail {
    js_evaluation *e;
    const js_lazy *array;
    const js_array_request *request;
    const js_render_options *options;
    js_text *out;
} js_array_detail;

int js_array_put_statistics(const js_array_detail *detail);
int js_array_put_where(const js_array_detail *detail, const js_operand *condition);
int js_array_put_difference(const js_array_detail *detail, const js_operand *other);
int js_array_put_plot(const js_array_detail *detail);
int js_array_put_members(const js_array_detail *detail);
int js_array_save(const js_array_detail *detail);
/* [i, j] */
void js_array_put_index(js_text *out, const js_array_view *view, uint64_t linear);
/* An element as JSON. */
int js_array_put_element(const js_array_detail *detail, const js_type *dtype, const uint8_t *contents);
#endif
