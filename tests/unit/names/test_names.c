/* names/names.c: symbols of compiled functions, read as names of the source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "program/names/names_json.h"

#define FLAGS "B38c8tJTIeFIjxB2IKSgI4CrvQClQZ6FczSBAA_3d" /* as Numba 0.68.1 writes those of @njit */
#define FLAGS_TEXT "Flags(enable_looplift=True, enable_pyobject_looplift=True, nrt=True)"

typedef struct expected {
    const char *symbol, *kind, *module, *signature, *uid, *flags;
    bool object_mode;
} expected;

static char *signature_of(const js_name *name)
{
    js_text text;
    js_text_init(&text, 0);
    assert_int_equal(js_name_signature(name, &text), JS_OK);
    return js_text_take(&text);
}

static void check(const expected *want)
{
    js_name name;
    assert_int_equal(js_name_init(&name, want->symbol, strlen(want->symbol)), JS_OK);
    char *signature = signature_of(&name);
    assert_string_equal(signature, want->signature);
    assert_string_equal(js_name_kind_text(name.kind), want->kind);
    assert_string_equal(name.module, want->module);
    assert_string_equal(name.uid, want->uid);
    assert_string_equal(name.flags, want->flags);
    assert_int_equal(name.is_object_mode, want->object_mode);
    js_free(signature);
    js_name_deinit(&name);
}

/* Symbols of real objects: Numba 0.68.1. */
static void symbols_read_as_source(void **state)
{
    (void)state;
    static const expected NAMES[] = {
        {"_ZN8__main__3fooB2v1" FLAGS "E5ArrayIxLi1E1C7mutable7alignedEd", "function", "__main__",
         "foo(array(int64, 1d, C), float64)", "1", FLAGS_TEXT, false},
        {"_ZN8__main__3barB2v7" FLAGS "E", "function", "__main__", "bar()", "7", FLAGS_TEXT, false},
        {"_ZN7cpython8__main__5outer12_3clocals_3e5innerB3v12" FLAGS "Exx5TupleIxd12unicode_typeE",
         "cpython-wrapper", "__main__",
         "outer.<locals>.inner(int64, int64, Tuple(int64, float64, unicode_type))", "12", FLAGS_TEXT, false},
        {"pycfunc._ZN8__main__3barB2v7" FLAGS "E", "cpython-wrapper", "__main__", "bar()", "7", FLAGS_TEXT,
         false},
        {"cfunc._ZN8__main__6_c3_899m_c3_a9thB3v28" FLAGS "Ex", "cfunc-wrapper", "__main__",
         "\xc3\x89.m\xc3\xa9th(int64)", "28", FLAGS_TEXT, false},
        {"__gufunc__._ZN8__main__2gvB3v17E5ArrayIdLi1E1A8readonly9unalignedE", "gufunc-wrapper", "__main__",
         "gv(unaligned readonly array(float64, 1d, A))", "17", "", false},
        {".kernel.140051559747712___ufunc__._ZN8__main__3vzpB3v19" FLAGS "Ed", "ufunc-wrapper", "__main__",
         "vzp(float64)", "19", FLAGS_TEXT, false},
        {"_ZN13_3cdynamic_3e36__numba_parfor_gufunc_0x7f604c45dc90B3v10" FLAGS
         "E5ArrayIyLi1E1C7mutable7alignedE",
         "parfor-kernel", "<dynamic>", "__numba_parfor_gufunc_0x7f604c45dc90(array(uint64, 1d, C))", "10",
         FLAGS_TEXT, false},
        {"_ZN8__main__3gen4nextE125int64_20generator_28func_3d_3cfunction_20gen_20at_200x7f604c2d7240_3e_2c_"
         "20"
         "args_3d_28int64_2c_29_2c_20has_finalizer_3dTrue_29",
         "generator-next", "__main__", "gen(int64)", "", "", false},
        {"finalize__ZN8__main__3gen4nextE125int64_20generator_28func_3d_3cfunction_20gen_20at_"
         "200x7f604c2d7240_"
         "3e_2c_20args_3d_28int64_2c_29_2c_20has_finalizer_3dTrue_29",
         "generator-finalize", "__main__", "gen(int64)", "", "", false},
        {"_ZN8__main__2omB3v21E8pyobject", "function", "__main__", "om(pyobject)", "21", "", true},
        {"_ZN08NumbaEnv8__main__2omB3v21E8pyobject", "environment", "__main__", "om(pyobject)", "21", "",
         true},
        {"_ZN5numba7cpython8builtins6ol_max12_3clocals_3e4implB3v51" FLAGS "E12StarArgTupleIxjE", "function",
         "numba.cpython.builtins", "ol_max.<locals>.impl(StarArgTuple(int64, uint32))", "51", FLAGS_TEXT,
         false},
        {"_ZN8__main__2JC8__init__B3v75" FLAGS "EN8instance8jitclass32JC_237f604b832a10_3cv_3aint64_3eEx",
         "function", "__main__", "JC.__init__(instance.jitclass.JC#7f604b832a10<v:int64>, int64)", "75",
         FLAGS_TEXT, false},
        {"_ZN3pkg3mod5Thing3runB2v3" FLAGS "ENx24omitted_28default_3d3_29E", "other", "",
         "_ZN3pkg3mod5Thing3runB2v3" FLAGS "ENx24omitted_28default_3d3_29E", "", "", false},
        {"_ZN8jitscope8compiler9debuginfo5proof6_probeB2v5" FLAGS "Ex", "runtime",
         "jitscope.compiler.debuginfo.proof", "_probe(int64)", "5", FLAGS_TEXT, false},
        {"NRT_incref", "runtime", "", "NRT_incref", "", "", false},
        {"_ZN05numba6python3remEx", "runtime", "numba.python", "rem(int64)", "", "", false},
    };
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        check(&NAMES[i]);
    }
}

static void types_read_as_the_compiler_writes_them(void **state)
{
    (void)state;
    static const struct {
        const char *mangled, *arguments;
    } TYPES[] = {
        {"vbhatsjiyxDhfd", "(none, bool, uint8, int8, uint16, int16, uint32, int32, uint64, int64, float16, "
                           "float32, float64)"},
        {"8UniTupleIxLi3EE5Tuple", "(UniTuple(int64 x 3), Tuple())"},
        {"8UniTupleI8UniTupleIdLi2EELi3EE", "(UniTuple(UniTuple(float64 x 2) x 3))"},
        {"5ArrayI6RecordILi2470EELi1E1C7mutable9unalignedE", "(unaligned array(Record, 1d, C))"},
        {"24omitted_28default_3d3_29", "(omitted(default=3))"},
        {"N21omitted_28default_3d36_25_29E", "(omitted(default=3.25))"},
        {"27omitted_28default_3d_2d1_29", "(omitted(default=-1))"},
        {"30omitted_28default_3d1e_2d05_29", "(omitted(default=1e-05))"},
        {"26Literal_5bint_5d_28_2d3_29", "(Literal[int](-3))"},
        {"23OptionalType_28int64_29", "(OptionalType(int64))"},
        {"64type_28CPUDispatcher_28_3cfunction_20sum_2d_20at_200x7f_3e_29_29",
         "(type(CPUDispatcher(<function sum_2d at 0x7f>)))"},
        {"29omitted_28default_3d_2dinf_29", "(omitted(default=-inf))"},
        {"37Literal_5bstr_5d_28gr_c3_bc_c3_9fe_29", "(Literal[str](grüße))"},
        {"18iter_5ba_2d_3eb_5d", "(iter[a->b])"},
        {"N5numba73MyStruct_28_28_27x_27_2c_20int64_29_2c_20_28_27y_2b_27_2c_20float64_29_29E",
         "(numba.MyStruct(('x', int64), ('y_2b', float64)))"},
    };
    for (size_t i = 0; i < sizeof TYPES / sizeof TYPES[0]; i++) {
        char symbol[512];
        int length = snprintf(symbol, sizeof symbol, "_ZN8__main__1fB2v1E%s", TYPES[i].mangled);
        js_name name;
        assert_int_equal(js_name_init(&name, symbol, (size_t)length), JS_OK);
        assert_string_equal(name.arguments, TYPES[i].arguments);
        js_name_deinit(&name);
    }
}

/* 0.42 … 0.54: '$' escapes, uid glued; 0.55: '_' escapes, uid glued. */
static void old_symbols_read_as_source(void **state)
{
    (void)state;
    static const expected NAMES[] = {
        {"_ZN8__main__7foo$241Ex5ArrayIdLi2E1F7mutable7alignedE", "function", "__main__",
         "foo(int64, array(float64, 2d, F))", "1", "", false},
        {"_ZN7cpython8__main__11sum_2d$2412E8pyobject", "cpython-wrapper", "__main__", "sum_2d(pyobject)",
         "12", "", true},
        {"_ZN8__main__5outer12$3clocals$3e9inner$242E24omitted$28default$3d3$29", "function", "__main__",
         "outer.<locals>.inner(omitted(default=3))", "2", "", false},
        {"_ZN6cudapy8__main__7foo$241E5ArrayIxLi1E1C7mutable7alignedE", "cuda", "__main__",
         "foo(array(int64, 1d, C))", "1", "", false},
        {"_ZN8__main__7foo_241B8c8tJTIeFEx", "function", "__main__", "foo(int64)", "1", "", false},
        {"_ZN8__main__7foo_241E8pyobject", "function", "__main__", "foo(pyobject)", "1", "", true},
    };
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        check(&NAMES[i]);
    }
}

static void names_of_others_stay(void **state)
{
    (void)state;
    static const char *const OTHERS[] = {
        "",
        "main",
        "_Z",
        "_ZN",
        "_ZN8",
        "_Z3fooi",
        "_ZN3foo3barEv",
        "_ZNSt6vectorIiSaIiEE9push_backERKi",
        "_ZN4llvm5Value7setNameERKNS_5TwineE",
        "_ZN3foo5x_241Ei",
        "PyObject_Call",
        "std::sort(int*, int*)",
        "std::__1::move[abi:v160006]",
        "x_241",
        "a::b",
        "_ZN99999999999999999999999999B2v1E",
        "_ZN8__main__3fooB2v1E5ArrayIx",
        "_ZN8__main__3fooB2v1ExQ",
        "foo (x=1)",
        "_ZN8__main__5\033[2JxB2v1Ex",
        "_ZN8__main__3f\nxB2v1Ex",
        "\xff\xfe",
    };
    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++) {
        js_name name;
        assert_int_equal(js_name_init(&name, OTHERS[i], strlen(OTHERS[i])), JS_OK);
        assert_int_equal(name.kind, JS_NAME_OTHER);
        assert_string_equal(name.qualname, OTHERS[i]);
        assert_string_equal(name.arguments, "");
        js_name_deinit(&name);
    }
}

/* Deep and wide symbols are bounded, and give a name or none. */
static void hostile_symbols_are_bounded(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20 };
    char *symbol = malloc(SIZE);
    assert_non_null(symbol);
    const char *const units[] = {"5ArrayI", "8UniTupleI", "N", "x", "3abc", "_3c", "_c3", "B1v", "(", "Li"};
    for (size_t unit = 0; unit < sizeof units / sizeof units[0]; unit++) {
        size_t length = (size_t)sprintf(symbol, "_ZN8__main__3fooB2v1E");
        while (length + 16 < SIZE) {
            length += (size_t)sprintf(symbol + length, "%s", units[unit]);
        }
        js_name name;
        js_text text;
        js_text_init(&text, 0);
        assert_int_equal(js_name_init(&name, symbol, length), JS_OK);
        assert_true(strlen(name.qualname) >= 3);
        assert_int_equal(js_names_filter(symbol, length, &text), JS_OK);
        js_text_deinit(&text);
        js_name_deinit(&name);
    }
    free(symbol);
}

static void check_filter(const char *text, const char *want)
{
    js_text out;
    js_text_init(&out, 0);
    assert_int_equal(js_names_filter(text, strlen(text), &out), JS_OK);
    assert_string_equal(out.data, want);
    js_text_deinit(&out);
}

static void text_from_elsewhere_becomes_readable(void **state)
{
    (void)state;
    /* cuda-memcheck's demangler, SCENARIOS E5 */
    check_filter(
        "=========     at 0x148 in cudapy::__main__::foo$241(Array<__int64, int=1, C, mutable, aligned>)\n",
        "=========     at 0x148 in foo(array(int64, 1d, C))\n");
    /* GDB 13 */
    check_filter("#0  __main__::foo[abi:v1][abi:c8tJTC_2fWQAliW1xhDEoY6EE](long long) (x=3) at demo.py:12\n",
                 "#0  foo(int64) (x=3) at demo.py:12\n");
    check_filter(
        "#1  0x7f in cpython::__main__::outer::_3clocals_3e::inner[abi:v2][abi:c8tJ](Array<double, 1, C, "
        "readonly, unaligned>, UniTuple<long long, 3>, Tuple<bool, unichr>) ()",
        "#1  0x7f in outer.<locals>.inner(unaligned readonly array(float64, 1d, C), UniTuple(int64 x 3), "
        "Tuple(bool, unichr)) [cpython-wrapper] ()");
    check_filter(
        "in _3cdynamic_3e::__numba_parfor_gufunc_0x7f4f[abi:v3][abi:c8tJ](Array<unsigned long long, 1, C, "
        "mutable, aligned>, double)",
        "in __numba_parfor_gufunc_0x7f4f(array(uint64, 1d, C), float64)");
    check_filter(
        "$3cdynamic$3e::__numba_parfor_gufunc$242(Array<unsigned __int64, (int)1, C, mutable, aligned>)",
        "__numba_parfor_gufunc(array(uint64, 1d, C))");
    check_filter("    12.34%  python  [JIT] tid 7   [.] cfunc._ZN8__main__3fooB2v1" FLAGS "Ex\n",
                 "    12.34%  python  [JIT] tid 7   [.] foo(int64) [cfunc-wrapper]\n");
    check_filter("_ZN8__main__3fooB2v1Exd+0x12, (_ZN8__main__3barB2v2E).",
                 "foo(int64, float64)+0x12, (bar()).");
    check_filter("__main__::bar[abi:v1][abi:c8] ()", "bar ()");
    /* symbols of others */
    static const char *const SAME[] = {
        "std::__1::move[abi:v160006]<int>(int&&)",
        "std::vector<int>::push_back(int const&)",
        "cost$245 x_241 a::b(c)",
        "_ZN3foo3barEv",
        "price: 3$3c",
        "x._Zy",
        "foo[abi:cxx11](int)",
        "",
    };
    for (size_t i = 0; i < sizeof SAME / sizeof SAME[0] - 1; i++) {
        check_filter(SAME[i], SAME[i]);
    }
}

static void facade_gives_json(void **state)
{
    (void)state;
    char *json = NULL;
    assert_int_equal(js_api_name_json("_ZN8__main__2omB3v21E8pyobject", &json), JS_OK);
    assert_string_equal(json, "{\"kind\": \"function\", \"module\": \"__main__\", \"qualname\": \"om\", "
                              "\"arguments\": \"(pyobject)\", \"uid\": \"21\", \"flags\": \"\", "
                              "\"object_mode\": true, \"signature\": \"om(pyobject)\"}");
    js_free(json);
    size_t count = 1;
    assert_int_equal(js_api_names_filter("", 0, &json, &count), JS_OK);
    assert_string_equal(json, "");
    assert_int_equal(count, 0);
    js_free(json);
}

/* Each line of tests/oracle/names_corpus.txt: version, kind, symbol, module, signature, uid, flags. */
static void corpus_of_every_version_reads_as_source(void **state)
{
    (void)state;
    FILE *file = fopen(JS_NAMES_CORPUS, "r");
    assert_non_null(file);
    char *line = NULL;
    size_t size = 0, checked = 0;
    while (getline(&line, &size, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#') {
            continue;
        }
        char *field[7], *rest = line;
        for (size_t i = 0; i < 7; i++) {
            field[i] = strsep(&rest, "\t");
            assert_non_null(field[i]);
        }
        js_name name;
        assert_int_equal(js_name_init(&name, field[2], strlen(field[2])), JS_OK);
        char *signature = signature_of(&name);
        if (strcmp(signature, field[4]) || strcmp(js_name_kind_text(name.kind), field[1]) ||
            strcmp(name.module, field[3]) || strcmp(name.uid, field[5]) || strcmp(name.flags, field[6])) {
            fail_msg("%s %s\n is %s | %s | %s | %s | %s\n not %s | %s | %s | %s | %s", field[0], field[2],
                     js_name_kind_text(name.kind), name.module, signature, name.uid, name.flags, field[1],
                     field[3], field[4], field[5], field[6]);
        }
        js_free(signature);
        js_name_deinit(&name);
        checked++;
    }
    free(line);
    fclose(file);
    assert_true(checked >= 500);
}

static int bench(void)
{
    static const char SYMBOL[] = "_ZN8__main__5outer12_3clocals_3e5innerB3v12" FLAGS
                                 "E5ArrayIdLi2E1C7mutable7alignedExd8UniTupleIxLi3EE";
    enum { ROUNDS = 2000000 };
    struct timespec start, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    for (int i = 0; i < ROUNDS; i++) {
        js_name name;
        if (js_name_init(&name, SYMBOL, sizeof SYMBOL - 1)) {
            return 1;
        }
        js_name_deinit(&name);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
    printf("%.2f million names/s (%zu bytes each)\n", ROUNDS / seconds / 1e6, sizeof SYMBOL - 1);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--bench") == 0) {
        return bench();
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symbols_read_as_source),
        cmocka_unit_test(types_read_as_the_compiler_writes_them),
        cmocka_unit_test(old_symbols_read_as_source),
        cmocka_unit_test(names_of_others_stay),
        cmocka_unit_test(hostile_symbols_are_bounded),
        cmocka_unit_test(text_from_elsewhere_becomes_readable),
        cmocka_unit_test(facade_gives_json),
        cmocka_unit_test(corpus_of_every_version_reads_as_source),
    };
    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
