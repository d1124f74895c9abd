/* stacks/join.c: which native frame runs which Python frames. A stack is written as a text, the innermost
 * frame first: `e` evaluates Python, `i` is another function of the interpreter, `u` one without a name, `n`
 * is native and `c` compiled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stacks/join.h"

enum { FRAME = 0x100 }; /* bytes of each native frame */

static int frame_at(void *context, size_t index, js_join_frame *out)
{
    const char *native = context;
    if (index >= strlen(native)) {
        return JS_ENOTFOUND;
    }
    *out = (js_join_frame){.stack = 0x1000 + FRAME * index, .has_name = native[index] != 'u'};
    out->is_compiled = native[index] == 'c';
    out->frame_class = native[index] == 'e'                           ? JS_FRAME_EVALUATION
                       : native[index] == 'i' || native[index] == 'u' ? JS_FRAME_INTERPRETER
                                                                      : JS_FRAME_NATIVE;
    return JS_OK;
}

/* Return an address within the native frame of an index. */
static uint64_t within(unsigned index)
{
    return 0x1000 + FRAME * index + FRAME / 2;
}

/* Join, and check the result: the native frames as above, where an `u` that evaluates has become `e`, and the
 * Python frames as digits from 0 on. */
static void check(const char *native, const js_join_python *python, size_t count, const char *expected)
{
    char found[64] = "";
    js_join *join;
    js_join_item item;
    int status;
    assert_int_equal(js_join_create(frame_at, (void *)(uintptr_t)native, python, count, &join), JS_OK);
    while ((status = js_join_next(join, &item)) == JS_OK && strlen(found) < sizeof found - 1) {
        bool evaluates = item.kind == JS_JOIN_NATIVE && item.frame_class == JS_FRAME_EVALUATION;
        found[strlen(found)] = item.kind == JS_JOIN_PYTHON ? (char)('0' + item.index)
                               : evaluates                 ? 'e'
                                                           : native[item.index];
    }
    assert_int_equal(status, JS_ENOTFOUND);
    assert_string_equal(found, expected);
    js_join_destroy(join);
}

static void evaluations_by_name(void **state)
{
    (void)state;
    const js_join_python each[] = {{.is_entry = 1}, {.is_entry = 1}};
    const js_join_python both[] = {{.is_entry = 0}, {.is_entry = 1}};
    check("nieice", each, 2, "nie0ice1");
    check("nieice", both, 2, "nie01ice");
    check("ni", each, 2, "ni01");
    check("", each, 2, "01");
    check("eie", NULL, 0, "eie");
}

static void evaluation_that_begins_or_ends(void **state)
{
    (void)state;
    const js_join_python old[] = {{.is_entry = 1, .is_sole = 1}, {.is_entry = 1, .is_sole = 1}};
    const js_join_python others[] = {{.is_entry = 1}, {.is_entry = 1}};
    const js_join_python with_shims[] = {{.is_entry = 1, .shim = within(2)},
                                         {.is_entry = 1, .shim = within(4)}};
    check("enene", old, 2, "ene0ne1"); /* one more evaluation than frames */
    check("ieiene", old, 2, "ieie0ne1");
    check("enene", others, 2, "e0ne1ne"); /* one that another interpreter runs */
    check("ene", old, 2, "e0ne1");
    check("nenene", old, 2, "ne0ne1ne"); /* the innermost frame is no evaluation that begins */
    check("enene", with_shims, 2, "ene0ne1");
    check("iieie", with_shims, 2, "iie0ie1");
}

static void evaluations_without_names(void **state)
{
    (void)state;
    const js_join_python shims[] = {
        {.is_entry = 0}, {.is_entry = 1, .shim = within(1)}, {.is_entry = 1, .shim = within(4)}};
    check("uuucuu", shims, 3, "ue01uce2u");
    const js_join_python none[] = {{.is_entry = 1}, {.is_entry = 1}};
    check("uucuu", none, 2, "uu01cuu"); /* it is not known which frame runs them */
}

static void evaluations_that_were_not_found(void **state)
{
    (void)state;
    const js_join_python shims[] = {{.is_entry = 1, .shim = within(0)},
                                    {.is_entry = 1, .shim = within(0) + 8},
                                    {.is_entry = 1, .shim = within(2)}};
    check("cnen", shims, 3, "c01ne2n");
    check("nnen", shims, 3, "n01ne2n");
    const js_join_python elsewhere[] = {{.is_entry = 1, .shim = 8}};
    check("nen", elsewhere, 1, "nen0");
}

static void frames_end_early(void **state)
{
    (void)state;
    const js_join_python frames[] = {{.is_entry = 1, .shim = within(1)}, {.is_entry = 0}};
    check("nene", frames, 2, "ne0ne1");
}

/* A request to stop ends at the first frame that does not belong to it. */
static void asks(void **state)
{
    (void)state;
    const js_join_python frames[] = {{.is_entry = 0, .asks = 1}, {.is_entry = 1}};
    js_join *join;
    js_join_item item;
    assert_int_equal(js_join_create(frame_at, "ie", frames, 2, &join), JS_OK);
    const int expected[] = {1, 1, 1, 0};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(js_join_next(join, &item), JS_OK);
        assert_int_equal(item.is_asking, expected[i]);
        assert_int_equal(item.evaluation, item.kind == JS_JOIN_PYTHON ? 1 : -1);
    }
    assert_int_equal(js_join_next(join, &item), JS_ENOTFOUND);
    js_join_destroy(join);
}

static int refused(void *context, size_t index, js_join_frame *out)
{
    (void)context, (void)index, (void)out;
    return JS_EFAULT;
}

static void error_of_the_callback(void **state)
{
    (void)state;
    js_join *join;
    js_join_item item;
    assert_int_equal(js_join_create(refused, NULL, NULL, 0, &join), JS_OK);
    assert_int_equal(js_join_next(join, &item), JS_EFAULT);
    js_join_destroy(join);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluations_by_name),       cmocka_unit_test(evaluation_that_begins_or_ends),
        cmocka_unit_test(evaluations_without_names), cmocka_unit_test(evaluations_that_were_not_found),
        cmocka_unit_test(frames_end_early),          cmocka_unit_test(asks),
        cmocka_unit_test(error_of_the_callback),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
