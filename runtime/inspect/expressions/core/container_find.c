/* Searches an item of a list, set or dict. */
#include "expressions/core/container_find.h"

#include "expressions/core/compare.h"
#include "expressions/operands/containers.h"
#include "expressions/operands/sequences.h"

typedef struct search {
    const js_operand *wanted;
    js_operand value;
    bool is_found;
} search;

static int compare(js_evaluation *e, const js_operand *item, const js_operand *held, void *context,
                   bool *goes_on)
{
    search *s = context;
    js_operand same;
    int status = js_compare(e, JS_EQ, item, s->wanted, &same);
    status = status ? status : js_operand_truth(e, &same, &s->is_found);
    *goes_on = !s->is_found;
    s->value = *held;
    return status;
}

int js_container_find(js_evaluation *e, const js_operand *operand, const js_operand *item, bool *is_found,
                      js_operand *value)
{
    search s = {.wanted = item};
    int status = js_container_walk(e, operand, compare, &s);
    *is_found = status == JS_OK && s.is_found;
    *value = s.value;
    return status;
}
