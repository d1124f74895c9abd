/* validity/states/current_version.c: reasons why the source does not determine a variable's current version.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assembly.h"
#include "variables_fixture.h"

static const uint8_t in_rbx[] = {DW_OP_reg3};

JS_ASSEMBLY(keeps, "push rbx; "     /* 0 */
                   "mov rbx, rdi; " /* 1 */
                   "call rax; "     /* 4 */
                   "mov rax, rbx; " /* 6 */
                   "pop rbx; ret"); /* 9 */

static js_location whole[2];

static js_variable *in_register(const char *name, unsigned version, uint32_t line)
{
    js_location *place = &whole[function.nvariables];
    *place = (js_location){0, JS_ASSEMBLY_SIZE(keeps), in_rbx, sizeof(in_rbx)};
    code(keeps, JS_ASSEMBLY_SIZE(keeps));
    js_variable *it = variable(name, "x", version, line);
    located(it, place, 1);
    return it;
}

static void expect(uint64_t offset, js_state state, const char *reason)
{
    const js_range_state *found = span("x", offset);
    assert_int_equal(found->state, state);
    assert_string_equal(found->reason, reason);
}

static void versions_that_the_source_does_not_have(void **state)
{
    (void)state;
    row(0, 6);
    in_register("x", 0, 17);
    run("{'first': 4, 'last': 9, 'defs': [{'name': 'x', 'line': 5}], "
        "'at': [{'name': 'x', 'first': 6, 'last': 6, 'defs': [1]}]}");
    expect(4, JS_STATE_UNKNOWN, "the compiler's variables of this name are not the source's assignments");
}

static void code_of_no_line(void **state)
{
    (void)state;
    static const js_flow_lines own[] = {{4, 9}};
    function.source.own = own;
    function.source.nown = 1;
    row(0, 4);
    row(4, 40);
    in_register("x", 0, 5);
    run("{'first': 4, 'last': 9, 'defs': [{'name': 'x', 'line': 5}], "
        "'at': [{'name': 'x', 'first': 6, 'last': 6, 'defs': [1]}]}");
    expect(6, JS_STATE_UNKNOWN, "this code belongs to no line of the source");
}

static void a_line_of_another_function(void **state)
{
    (void)state;
    row(0, 4);
    row(4, 6);
    in_register("x", 0, 5);
    run("{'first': 4, 'last': 9, 'defs': [{'name': 'x', 'line': 5}], "
        "'hidden': [{'name': 'x', 'first': 6, 'last': 6}], "
        "'at': [{'name': 'x', 'first': 6, 'last': 6, 'defs': [1]}]}");
    expect(6, JS_STATE_OPTIMIZED_OUT, "code of another function, which has the same name");
}

static const char of_closure[] = "{'first': 4, 'last': 9, 'defs': [], 'at': [], "
                                 "'within': [{'function': 'g', 'name': 'x', 'first': 6, 'last': 6}]}";

static void a_variable_of_a_closure(void **state)
{
    (void)state;
    row(0, 4);
    row(4, 6);
    row(9, 8);
    in_register("g.x", 0, 6)->is_within = true;
    in_register("g.1.x", 0, 6)->is_within = true;
    run(of_closure);
    expect(6, JS_STATE_UNKNOWN, "inlined several times: it is not known which copy's it is");
    expect(9, JS_STATE_UNASSIGNED, "of a function that is inlined here, and does not run");
}

JS_ASSEMBLY(home, "sub rsp, 24; "        /* 0 */
                  "mov [rsp + 8], rdi; " /* 4 */
                  "mov rax, [rsp + 8]; " /* 9 */
                  "add rsp, 24; ret");   /* 14 */

static void a_pointer_without_a_type(void **state)
{
    static const uint8_t at_8[] = {DW_OP_fbreg, 8};
    (void)state;
    js_location place = {0, JS_ASSEMBLY_SIZE(home), at_8, sizeof(at_8)};
    code(home, JS_ASSEMBLY_SIZE(home));
    row(0, 4);
    row(4, 5);
    row(9, 6);
    js_variable *x = variable("x", "x", 0, 5);
    located(x, &place, 1);
    x->is_whole = true;
    assert_int_equal(js_types_get(types, "i8*", NULL, &x->type), JS_OK);
    run(NULL);
    expect(
        9, JS_STATE_UNKNOWN,
        "a pointer to what the compiler does not name: None, a string of the source, a function, an object");
}

static void a_variable_before_a_yield(void **state)
{
    static char none[] = "";
    (void)state;
    function.name.kind = JS_NAME_GENERATOR_NEXT;
    function.name.generator = none;
    row(0, 4);
    in_register("x", 0, 5);
    run("{'first': 4, 'last': 9, 'defs': [{'name': 'x', 'line': 5}], "
        "'at': [{'name': 'x', 'first': 4, 'last': 4, 'defs': []}]}");
    expect(4, JS_STATE_OPTIMIZED_OUT, "not kept, or kept in the generator");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(versions_that_the_source_does_not_have, set_up, tear_down),
        cmocka_unit_test_setup_teardown(code_of_no_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_line_of_another_function, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_variable_of_a_closure, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_pointer_without_a_type, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_variable_before_a_yield, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
