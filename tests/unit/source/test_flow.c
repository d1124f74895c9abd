/* source/flow.c: the flow of functions, read from JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "flow_fixture.h"
#include "program/source/formula.h"

static const char text[] =
    "{'first': 4, 'last': 9, "
    "'leads': [{'name': 'x', 'arguments': []}, {'name': 'b', 'arguments': [0, 2]}], "
    "'accesses': [{'first': 5, 'last': 6, 'name': 'b', 'kind': 'load'}, "
    "{'first': 7, 'last': 7, 'name': null, 'kind': 'load'}, "
    "{'first': 8, 'last': 8, 'name': 'a', 'kind': 'store'}], "
    "'regions': [{'kind': 'loop', 'first_test': 6, 'last_test': 7, 'first': 8, 'last': 9}], "
    "'finals': [{'first': 8, 'last': 8, 'jump': 7}], "
    "'defs': [{'name': 'a', 'line': 4}, "
    "{'name': 'x', 'line': 5, 'literal': '-1.5', 'is_folded': true}, "
    "{'name': 'x', 'line': 8, 'in_loop': true, 'is_narrow': true, 'is_parallel': true}], "
    "'at': [{'name': 'a', 'first': 5, 'last': 5, 'defs': [1]}, "
    "{'name': 'x', 'first': 5, 'last': 5, 'maybe_unassigned': true, 'defs': []}, "
    "{'name': 'x', 'first': 8, 'last': 8, 'defs': [2, 3], 'computed': 0, 'known': '7'}], "
    "'formulas': ['a + 1']}";

static void facts_are_found_by_line_and_name(void **state)
{
    (void)state;
    js_arena arena;
    js_flow flow;
    js_arena_init(&arena, 0);
    assert_int_equal(read_flow(&arena, text, &flow), JS_OK);
    assert_int_equal(flow.first_line, 4);
    assert_int_equal(flow.last_line, 9);
    assert_true(flow.defs[1].is_folded && !flow.defs[2].is_folded);
    assert_true(js_flow_find(&flow, 5, "a")->is_everywhere);
    assert_false(js_flow_find(&flow, 5, "x")->is_everywhere);
    assert_false(js_flow_find(&flow, 8, "x")->is_everywhere);
    assert_int_equal(js_flow_leads_to(&flow, "x"), 0);
    assert_int_equal(js_flow_leads_to(&flow, "b"), 5);
    assert_int_equal(js_flow_leads_to(&flow, "a"), UINT64_MAX);
    assert_int_equal(flow.accesses[0].arguments, 5);
    assert_int_equal(flow.accesses[1].arguments, 0);
    assert_int_equal(flow.accesses[2].arguments, UINT64_MAX);
    const js_flow_at *at = js_flow_find(&flow, 8, "x");
    assert_non_null(at);
    assert_int_equal(at->ndefs, 2);
    assert_int_equal(at->defs[1], 3);
    assert_false(at->maybe_unassigned);
    assert_true(js_flow_find(&flow, 5, "x")->maybe_unassigned);
    assert_null(js_flow_find(&flow, 8, "a"));
    assert_null(js_flow_find(&flow, 6, "x"));
    assert_string_equal(js_flow_def_by_id(&flow, 2)->literal, "-1.5");
    assert_true(js_flow_def_by_id(&flow, 3)->in_loop);
    assert_true(js_flow_def_by_id(&flow, 3)->is_narrow);
    assert_false(js_flow_def_by_id(&flow, 2)->is_narrow);
    assert_true(js_flow_def_by_id(&flow, 3)->is_parallel);
    assert_false(js_flow_def_by_id(&flow, 2)->is_parallel);
    assert_int_equal(js_flow_loop(&flow, 7)->first, 8);
    assert_null(js_flow_loop(&flow, 8));
    assert_null(js_flow_def_by_id(&flow, 4));
    assert_int_equal(js_formula_kind_of(at->computed), JS_FORMULA_ADD);
    assert_string_equal(js_formula_text(js_formula_part(at->computed, 0)), "a");
    assert_string_equal(at->known, "7");
    assert_null(js_flow_find(&flow, 5, "x")->computed);
    assert_int_equal(flow.nregions, 1);
    assert_int_equal(flow.regions[0].kind, JS_REGION_LOOP);
    assert_int_equal(flow.regions[0].last_test, 7);
    assert_int_equal(flow.regions[0].last, 9);
    assert_int_equal(flow.nfinals, 1);
    assert_int_equal(flow.finals[0].jump, 7);
    assert_true(js_flow_is_final(&flow, 8));
    assert_false(js_flow_is_final(&flow, 7));
    js_arena_deinit(&arena);
}

static void what_breaks_the_form_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "[]",
        "{}",
        "{'first': 4}",
        "{'first': 4, 'last': '9'}",
        "{'first': 0, 'last': 9}",
        "{'first': 4, 'last': 9, 'last': 9}",
        "{'first': 4, 'last': 9}, 1",
        "{'first': 4, 'last': 9, 'arguments': 1}",
        "{'first': 4, 'last': 9, 'asks': 'nobody'}",
        "{'first': 4, 'last': 9, 'outer': [1]}",
        "{'first': 4, 'last': 9, 'outer': 'x'}",
        "{'first': 4, 'last': 9, 'defs': [{'line': 4}]}",
        "{'first': 4, 'last': 9, 'defs': [{'name': '', 'line': 4}]}",
        "{'first': 4, 'last': 9, 'defs': [{'name': 'a', 'line': 99999999999}]}",
        "{'first': 4, 'last': 9, 'defs': [{'name': 'a', 'line': 4, 'in_loop': 1}]}",
        "{'first': 4, 'last': 9, 'defs': [{'name': 'a', 'line': 4, 'literal': 1}]}",
        "{'first': 4, 'last': 9, 'defs': [{'name': 'a', 'line': 4, 'held': 'nothing'}]}",
        "{'first': 4, 'last': 9, 'defs': [{'name': 'a', 'line': 4, 'held': 'copy'}]}",
        "{'first': 4, 'last': 9, 'defs': [{'name': 'a', 'line': 4, 'gives': 0}]}",
        "{'first': 4, 'last': 9, 'defs': [{'name': 'a', 'line': 4, 'gives': -1}], 'formulas': ['a']}",
        "{'first': 4, 'last': 9, 'formulas': ['a +']}",
        "{'first': 4, 'last': 9, 'formulas': [1]}",
        "{'first': 4, 'last': 9, 'regions': [{'kind': 'away', 'first_test': 6, 'last_test': 7, 'first': 8, "
        "'last': 9}]}",
        "{'first': 4, 'last': 9, 'regions': [{'kind': 'arm', 'first_test': 6, 'last_test': 7, 'first': 8}]}",
        "{'first': 4, 'last': 9, 'at': [{'name': 'x', 'first': 5, 'last': 5, 'defs': [1]}]}",
        "{'first': 4, 'last': 9, 'defs': [{'name': 'a', 'line': 4}], "
        "'at': [{'name': 'x', 'first': 5, 'last': 5, 'defs': [1]}]}",
        "{'first': 4, 'last': 9, 'defs': [{'name': 'a', 'line': 4}], "
        "'at': [{'name': 'a', 'first': 5, 'last': 5, 'defs': ['1']}]}",
        "{'first': 4, 'last': 9, 'leads': [{'name': 'a', 'arguments': [64]}]}",
        "{'first': 4, 'last': 9, 'leads': [{'name': 'a', 'arguments': [-1]}]}",
        "{'first': 4, 'last': 9, 'leads': [{'name': 'a', 'arguments': ['b']}]}",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        js_arena arena;
        js_flow flow;
        js_arena_init(&arena, 0);
        assert_int_equal(read_flow(&arena, bad[i], &flow), JS_EBAD);
        js_arena_deinit(&arena);
    }
}

static void what_says_too_much_is_refused(void **state)
{
    (void)state;
    static const char much[] = "{'first': 4, 'last': 9, "
                               "'at': [{'name': 'x', 'first': 5, 'last': 900000000, 'defs': []}]}";
    js_arena arena;
    js_flow flow;
    js_arena_init(&arena, 0);
    assert_int_equal(read_flow(&arena, much, &flow), JS_ELIMIT);
    js_arena_deinit(&arena);
}

static void any_bytes_are_survived(void **state)
{
    (void)state;
    srand(5);
    for (unsigned round = 0; round < 3000; round++) {
        char noise[sizeof(text)];
        js_arena arena;
        js_flow flow;
        memcpy(noise, text, sizeof(text));
        for (unsigned i = 0; i < 1 + round % 6; i++) {
            noise[(size_t)rand() % (sizeof(text) - 1)] =
                (char)(rand() % 3 ? " '0123[]{}:,-x"[rand() % 14] : rand());
        }
        js_arena_init(&arena, 0);
        int status = read_flow(&arena, noise, &flow);
        for (size_t i = 0; status == JS_OK && i < flow.nats; i++) {
            for (size_t k = 0; k < flow.ats[i].ndefs; k++) {
                assert_non_null(js_flow_def_by_id(&flow, flow.ats[i].defs[k]));
            }
        }
        js_arena_deinit(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_are_found_by_line_and_name),
        cmocka_unit_test(what_breaks_the_form_is_refused),
        cmocka_unit_test(what_says_too_much_is_refused),
        cmocka_unit_test(any_bytes_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
