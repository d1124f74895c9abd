#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program/source/flow.h"

static const char text[] = "function 4 9\n"
                           "def 1 a 4 0\n"
                           "def 2 x 5 0\n"
                           "def 3 x 8 1\n"
                           "value 2 -1.5\n"
                           "narrow 3\n"
                           "folded 2\n"
                           "leads x\nleads b 1 3\n"
                           "access 5 6 b load\naccess 7 7 - load\naccess 8 8 a store\n"
                           "parallel 3\n"
                           "region loop 6 7 8 9\n"
                           "final 8 8 7\n"
                           "at 5 a 0 1\n"
                           "at 5 x 1\n"
                           "at 8 x 0 2 3\n"
                           "computed 8 x +,a,1\n"
                           "known 8 x 7\n";

static int parse(js_arena *arena, const char *what, js_flow *flow)
{
    return js_flow_parse(arena, what, strlen(what), flow);
}

static void facts_are_found_by_line_and_name(void **state)
{
    (void)state;
    js_arena arena;
    js_flow flow;
    js_arena_init(&arena, 0);
    assert_int_equal(parse(&arena, text, &flow), JS_OK);
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
    assert_int_equal(at->computed->kind, JS_FORMULA_ADD);
    assert_string_equal(at->computed->parts[0].text, "a");
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
        "def 1 a 4 0\n",
        "function 4\n",
        "function 4 9\ndef 0 a 4 0\n",
        "function 4 9\ndef 1 a 4\n",
        "function 4 9\ndef 1 a 4 0\ndef 1 b 5 0\n",
        "function 4 9\nvalue 7 1\n",
        "function 4 9\nregion away 6 7 8 9\n",
        "function 4 9\nregion arm 6 7 8\n",
        "function 4 9\nat 5 x 0 1\n",
        "function 4 9\ndef 1 a 4 0\nat 5 x 0 1\n",
        "function 4 9\ndef 1 a 4 0\nat 5 a 0 1x\n",
        "function 4 9\ndef 1 a 99999999999 0\n",
        "function 4 9\n def 1 a 4 0\n",
        "function 4 9\nelse\n",
        "function 4 9\ncomputed 5 x 1\n",
        "function 4 9\ndef 1 a 4 0\nat 5 a 0 1\ncomputed 5 a\n",
        "function 4 9\ndef 1 a 4 0\nat 5 a 0 1\ncomputed 5 a +,a\n",
        "function 4 9\nleads a 0\n",
        "function 4 9\nleads a 65\n",
        "function 4 9\nleads a b\n",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        js_arena arena;
        js_flow flow;
        js_arena_init(&arena, 0);
        assert_int_equal(parse(&arena, bad[i], &flow), JS_EBAD);
        js_arena_deinit(&arena);
    }
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
                (char)(rand() % 3 ? " \n0123adfv"[rand() % 10] : rand());
        }
        js_arena_init(&arena, 0);
        int status = js_flow_parse(&arena, noise, sizeof(text) - 1, &flow);
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
        cmocka_unit_test(any_bytes_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
