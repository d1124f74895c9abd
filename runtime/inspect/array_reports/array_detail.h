/* Writes the parts of an array's report. Internal to array_reports/. */
#ifndef JS_ARRAY_REPORTS_ARRAY_DETAIL_H
#define JS_ARRAY_REPORTS_ARRAY_DETAIL_H

#include "array_reports/array_report.h"
#include "expressions/operands/operand.h"

/* The array that is reported. */
typedef struct js_array_detail {
    js_evaluation *e;
    const js_lazy *array;
    const js_array_request *request;
    const js_render_options *options;
    js_text *out;
} js_array_detail;

/* Write a part of the report as members of its JSON: statistics, the elements where a condition is true, the
 * differences from another array, a plot, the descriptor's members; save the elements to a file. */
int js_array_put_statistics(const js_array_detail *detail);
int js_array_put_where(const js_array_detail *detail, const js_operand *condition);
int js_array_put_difference(const js_array_detail *detail, const js_operand *other);
int js_array_put_plot(const js_array_detail *detail);
int js_array_put_members(const js_array_detail *detail);
int js_array_save(const js_array_detail *detail);
/* Write the indices [i, j] of the element with this number in C order. */
void js_array_put_index(js_text *out, const js_array_view *view, uint64_t linear);
/* Write an element as JSON. */
int js_array_put_element(const js_array_detail *detail, const js_type *dtype, const uint8_t *contents);
#endif
