/* The library that writes descriptors, and their reader in another process, while the library writes. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "bytes/descriptor.h"
#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/parallel/parallel.h"
#include "program/read/described/record.h"
#include "program/session/program.h"
#include "values/api/render_api.h"

static const uint64_t descriptor = (uint64_t)(uintptr_t)&__jitscope_descriptor;

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

static uint64_t register_layout(const char *name, uint32_t kind, uint32_t flags, uint64_t bytes)
{
    jitscope_layout layout;
    uint64_t handle = 0;
    jitscope_layout_init(&layout);
    layout.name = name;
    layout.kind = kind;
    layout.flags = flags;
    layout.bytes = bytes;
    assert_int_equal(jitscope_layout_register(&layout, &handle), JITSCOPE_OK);
    assert_int_not_equal(handle, 0);
    return handle;
}

/* ---- what the library accepts ---- */

static jitscope_function small_function(void)
{
    jitscope_function function;
    jitscope_function_init(&function);
    function.name = "small";
    function.low = 0x1000;
    function.high = 0x1010;
    return function;
}

static void test_arguments(void **state)
{
    static const jitscope_variable unknown[] = {{"x", "no such layout", 0, 0, NULL, 0, 0}};
    static const jitscope_line outside[] = {{0x2000, NULL, 1, 0}};
    static char long_name[2 * JITSCOPE_TEXT_MAX];
    uint64_t handle = 0;
    (void)state;
    jitscope_function function = small_function();
    assert_int_equal(jitscope_function_register(NULL, &handle), JITSCOPE_EARG);
    assert_int_equal(jitscope_function_register(&function, NULL), JITSCOPE_EARG);
    function.size = 8; /* smaller than the first version */
    assert_int_equal(jitscope_function_register(&function, &handle), JITSCOPE_EARG);
    function = small_function();
    function.high = function.low;
    assert_int_equal(jitscope_function_register(&function, &handle), JITSCOPE_EARG);
    function = small_function();
    function.variables = unknown;
    function.nvariables = 1;
    assert_int_equal(jitscope_function_register(&function, &handle), JITSCOPE_EARG);
    function = small_function();
    function.lines = outside;
    function.nlines = 1;
    assert_int_equal(jitscope_function_register(&function, &handle), JITSCOPE_EARG);
    function = small_function();
    memset(long_name, 'x', sizeof long_name - 1);
    function.name = long_name;
    assert_int_equal(jitscope_function_register(&function, &handle), JITSCOPE_ELIMIT);
    assert_int_equal(jitscope_function_unregister(handle), JITSCOPE_ENOTFOUND);
    assert_int_equal(jitscope_layout_unregister(0), JITSCOPE_ENOTFOUND);
    assert_int_equal(jitscope_region_unregister(UINT64_MAX), JITSCOPE_ENOTFOUND);
}

/* A program that was compiled with a newer header: longer structures and entries. */
static void test_newer_program(void **state)
{
    struct {
        jitscope_function function;
        uint64_t more;
    } function = {.more = UINT64_MAX};
    struct {
        jitscope_line line;
        uint64_t more;
    } lines[2] = {{{0x1000, NULL, 3, JITSCOPE_STATEMENT}, 1}, {{0x1008, NULL, 4, JITSCOPE_STATEMENT}, 2}};
    uint64_t handle;
    js_bytes bytes;
    js_record record;
    jitscope_function_record head;
    jitscope_line_record line;
    (void)state;
    function.function = small_function();
    function.function.size = sizeof function;
    function.function.lines = &lines[0].line;
    function.function.nlines = 2;
    function.function.line_size = sizeof lines[0];
    assert_int_equal(jitscope_function_register(&function.function, &handle), JITSCOPE_OK);
    assert_int_equal(js_bytes_init_process(&bytes, getpid()), JS_OK);
    assert_int_equal(js_record_init(&record, &bytes, &__jitscope_descriptor.functions, handle), JS_OK);
    assert_int_equal(js_record_head(&record, &head, sizeof head), JS_OK);
    assert_int_equal(js_record_count(&record, head.lines), 2);
    js_record_entry(&record, head.lines, 1, &line, sizeof line);
    assert_int_equal(line.line, 4);
    js_record_deinit(&record);
    js_bytes_deinit(&bytes);
    assert_int_equal(jitscope_function_unregister(handle), JITSCOPE_OK);
}

static void test_handles_of_what_was_taken_back(void **state)
{
    jitscope_function function = small_function();
    uint64_t first, second;
    (void)state;
    assert_int_equal(jitscope_function_register(&function, &first), JITSCOPE_OK);
    assert_int_equal(jitscope_function_unregister(first), JITSCOPE_OK);
    assert_int_equal(jitscope_function_unregister(first), JITSCOPE_ENOTFOUND);
    assert_int_equal(jitscope_function_register(&function, &second), JITSCOPE_OK);
    assert_int_equal((uint32_t)first, (uint32_t)second); /* the slot is used again, with another generation */
    assert_int_not_equal(first, second);
    assert_int_equal(jitscope_function_unregister(first), JITSCOPE_ENOTFOUND);
    assert_int_equal(jitscope_function_unregister(second), JITSCOPE_OK);
}

static void test_handles_of_many(void **state)
{
    enum { MANY = 1000 }; /* several chunks */
    static uint64_t handles[MANY];
    js_bytes bytes;
    (void)state;
    assert_int_equal(js_bytes_init_process(&bytes, getpid()), JS_OK);
    for (unsigned i = 0; i < MANY; i++) {
        jitscope_function function = small_function();
        function.line = i;
        assert_int_equal(jitscope_function_register(&function, &handles[i]), JITSCOPE_OK);
    }
    for (unsigned i = 0; i < MANY; i += 37) {
        js_record record;
        jitscope_function_record head;
        assert_int_equal(js_record_init(&record, &bytes, &__jitscope_descriptor.functions, handles[i]),
                         JS_OK);
        assert_int_equal(js_record_head(&record, &head, sizeof head), JS_OK);
        assert_int_equal(head.line, i);
        js_record_deinit(&record);
    }
    for (unsigned i = 0; i < MANY; i++) {
        assert_int_equal(jitscope_function_unregister(handles[i]), JITSCOPE_OK);
    }
    js_bytes_deinit(&bytes);
}

/* ---- types ---- */

static const js_type *type_of(js_types *types, uint64_t handle)
{
    js_bytes bytes;
    js_descriptor read = {.address = descriptor};
    const js_type *type;
    assert_int_equal(js_bytes_init_process(&bytes, getpid()), JS_OK);
    assert_int_equal(js_descriptor_read(&bytes, descriptor, &read.head), JS_OK);
    assert_int_equal(js_described_type(types, &bytes, &read, handle, &type), JS_OK);
    js_bytes_deinit(&bytes);
    return type;
}

/* A name means one layout: a different layout of a known name gets a name of its own. */
static void test_names_of_types(void **state)
{
    js_types *types;
    const js_type *known;
    (void)state;
    assert_int_equal(js_types_create(&types), JS_OK);
    uint64_t same = register_layout("float64", JITSCOPE_FLOAT, 0, 8);
    uint64_t other = register_layout("int64", JITSCOPE_INT, 0, 4);
    uint64_t id = register_layout("id", JITSCOPE_INT, 0, 8),
             again = register_layout("id", JITSCOPE_INT, 0, 8);
    uint64_t changed = register_layout("id", JITSCOPE_INT, 0, 2);
    assert_int_equal(js_types_get(types, "float64", NULL, &known), JS_OK);
    assert_ptr_equal(type_of(types, same), known);
    assert_string_equal(type_of(types, other)->name, "int64#2");
    assert_int_equal(js_types_get(types, "int64", NULL, &known), JS_OK);
    assert_int_equal(known->size, 8);
    assert_string_equal(type_of(types, id)->name, "id");
    assert_ptr_equal(type_of(types, again), type_of(types, id));
    assert_string_equal(type_of(types, changed)->name, "id#2");
    assert_int_equal(js_types_get(types, "id#2", NULL, &known), JS_OK); /* as a printer looks it up */
    assert_int_equal(known->size, 2);
    const uint64_t all[] = {same, other, id, again, changed};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_int_equal(jitscope_layout_unregister(all[i]), JITSCOPE_OK);
    }
    js_types_destroy(types);
}

/* ---- values of described types ---- */

static const double numbers[] = {1.5, 2.5, 3.5, 4.5, 5.5, 6.5};

static uint64_t register_members(const char *name, uint32_t kind, uint64_t bytes, uint32_t ndim, char order,
                                 const jitscope_member *members, uint32_t nmembers)
{
    jitscope_layout layout;
    uint64_t handle;
    jitscope_layout_init(&layout);
    layout.name = name;
    layout.kind = kind;
    layout.bytes = bytes;
    layout.ndim = ndim;
    layout.order = (uint32_t)order;
    layout.element = kind == JITSCOPE_ARRAY ? "float64" : NULL;
    layout.members = members;
    layout.nmembers = nmembers;
    assert_int_equal(jitscope_layout_register(&layout, &handle), JITSCOPE_OK);
    return handle;
}

/* Check the value as text, and with a path after it; take the layout back. */
static void check_value(uint64_t handle, const void *contents, const char *path, const char *expected)
{
    js_types *types;
    js_bytes bytes;
    char *text;
    int exact;
    assert_int_equal(js_types_create(&types), JS_OK);
    const js_type *type = type_of(types, handle);
    assert_int_equal(js_bytes_init_process(&bytes, getpid()), JS_OK);
    js_api_render(types, &bytes, type->name, NULL, contents, type->size, path, NULL, 0, &text, &exact);
    assert_string_equal(text, expected);
    js_free(text);
    js_bytes_deinit(&bytes);
    js_types_destroy(types);
}

static void test_array_of_a_length(void **state)
{
    const jitscope_member members[] = {{"n", "uint32", 8, JITSCOPE_ROLE_LENGTH, 0},
                                       {"at", "void*", 0, JITSCOPE_ROLE_DATA, 0}};
    struct {
        const double *at;
        uint32_t n, rest;
    } array = {numbers, 3, UINT32_MAX};
    (void)state;
    uint64_t handle = register_members("row", JITSCOPE_ARRAY, sizeof array, 1, 'C', members, 2);
    check_value(handle, &array, NULL, "array([1.5, 2.5, 3.5])");
    check_value(handle, &array, "[-1]", "3.5");
    check_value(handle, &array, ".shape", "(3,)");
    check_value(handle, &array, ".strides", "(8,)");
    check_value(handle, &array, "[::-2]", "array([3.5, 1.5])");
    array.at = NULL;
    check_value(handle, &array, NULL, "<unknown: data is NULL, shape (3,)>");
    array.n = 0;
    check_value(handle, &array, NULL, "array([], dtype=float64)");
    assert_int_equal(jitscope_layout_unregister(handle), JITSCOPE_OK);
}

/* Two axes of 16 bits, with an item size and a count that are compared, in both orders. */
static void test_array_of_narrow_axes(void **state)
{
    const jitscope_member members[] = {{"count", "uint8", 12, JITSCOPE_ROLE_NITEMS, 0},
                                       {"each", "int16", 14, JITSCOPE_ROLE_ITEMSIZE, 0},
                                       {"dims", "pair of int16", 8, JITSCOPE_ROLE_SHAPE, 0},
                                       {"at", "void*", 0, JITSCOPE_ROLE_DATA, 0}};
    struct {
        const double *at;
        int16_t dims[2];
        uint8_t count, rest;
        int16_t each;
    } array = {numbers, {2, 3}, 6, 0xff, 8};
    jitscope_layout axes;
    uint64_t pair;
    (void)state;
    jitscope_layout_init(&axes);
    axes.name = "pair of int16";
    axes.kind = JITSCOPE_VECTOR;
    axes.element = "int16";
    axes.count = 2;
    axes.bytes = 4;
    assert_int_equal(jitscope_layout_register(&axes, &pair), JITSCOPE_OK);
    uint64_t c = register_members("c", JITSCOPE_ARRAY, sizeof array, 2, 'C', members, 4);
    uint64_t f = register_members("f", JITSCOPE_ARRAY, sizeof array, 2, 'F', members, 4);
    check_value(c, &array, NULL, "array([[1.5, 2.5, 3.5], [4.5, 5.5, 6.5]])");
    check_value(f, &array, NULL, "array([[1.5, 3.5, 5.5], [2.5, 4.5, 6.5]])");
    check_value(f, &array, "[1, 1:]", "array([4.5, 6.5])");
    array.count = 5;
    check_value(c, &array, NULL, "<unknown: shape (2, 3) does not have nitems = 5>");
    array.count = 6;
    array.each = 4;
    check_value(c, &array, NULL, "<unknown: itemsize 4, but a float64 has 8>");
    array.dims[0] = -2;
    check_value(c, &array, NULL, "<unknown: negative length in shape (-2, 3)>");
    assert_int_equal(jitscope_layout_unregister(c) | jitscope_layout_unregister(f), JITSCOPE_OK);
    assert_int_equal(jitscope_layout_unregister(pair), JITSCOPE_OK);
}

static void test_tuples_and_optionals(void **state)
{
    const jitscope_member elements[] = {{"0", "int8", 0, JITSCOPE_ROLE_ELEMENT, 0},
                                        {"1", "complex128", 8, JITSCOPE_ROLE_ELEMENT, 0},
                                        {"2", "bool", 24, JITSCOPE_ROLE_ELEMENT, 0}};
    const jitscope_member maybe[] = {{"has", "bool", 0, JITSCOPE_ROLE_VALID, 0},
                                     {"value", "float32", 4, JITSCOPE_ROLE_VALUE, 0}};
    struct {
        int8_t a;
        double b[2];
        uint8_t c;
    } tuple = {-7, {1.0, -2.0}, 1};
    struct {
        uint8_t has;
        float value;
    } optional = {1, 0.1F};
    (void)state;
    uint64_t handle = register_members("triple", JITSCOPE_TUPLE, sizeof tuple, 0, 0, elements, 3);
    check_value(handle, &tuple, NULL, "(-7, (1-2j), True)");
    check_value(handle, &tuple, "[1].imag", "-2.0");
    assert_int_equal(jitscope_layout_unregister(handle), JITSCOPE_OK);
    handle = register_members("maybe", JITSCOPE_OPTIONAL, sizeof optional, 0, 0, maybe, 2);
    check_value(handle, &optional, NULL, "0.1");
    optional.has = 0;
    check_value(handle, &optional, NULL, "None");
    optional.has = 7;
    check_value(handle, &optional, NULL, "<unknown: valid flag is 7>");
    assert_int_equal(jitscope_layout_unregister(handle), JITSCOPE_OK);
}

/* ---- regions ---- */

static void test_regions(void **state)
{
    jitscope_region region;
    uint64_t handle;
    js_program *program;
    js_bytes bytes;
    char *text, expected[200];
    (void)state;
    jitscope_region_init(&region);
    region.name = "loop";
    region.schedule = JITSCOPE_GUIDED;
    region.end = 100;
    assert_int_equal(jitscope_region_register(&region, &handle), JITSCOPE_OK);
    jitscope_region_leave(); /* outside of any region nothing happens */
    jitscope_region_chunk(1, 2);
    jitscope_region_enter(handle);
    jitscope_region_chunk(0, 10);
    jitscope_region_chunk(10, 30);
    for (unsigned i = 0; i < 10; i++) {
        jitscope_region_enter(handle + 1); /* deeper than what is recorded */
    }
    for (unsigned i = 0; i < 10; i++) {
        jitscope_region_leave();
    }
    assert_int_equal(js_program_create(&program), JS_OK);
    assert_int_equal(js_bytes_init_process(&bytes, getpid()), JS_OK);
    assert_int_equal(js_program_regions(program, descriptor, &bytes, &text), JS_OK);
    assert_non_null(strstr(text, "\"name\": \"loop\""));
    assert_non_null(strstr(text, "\"schedule\": \"guided\""));
    snprintf(
        expected, sizeof expected,
        "\"workers\": [{\"thread\": %d, \"level\": 0, \"innermost\": true, \"chunks\": 2, \"begin\": 10, "
        "\"end\": 30}]",
        gettid());
    assert_non_null(strstr(text, expected));
    js_free(text);
    jitscope_region_leave();
    assert_int_equal(js_program_regions(program, descriptor, &bytes, &text), JS_OK);
    assert_non_null(strstr(text, "\"workers\": []"));
    js_free(text);
    assert_int_equal(jitscope_region_unregister(handle), JITSCOPE_OK);
    assert_int_equal(js_program_regions(program, descriptor, &bytes, &text), JS_OK);
    assert_string_equal(text, "[]");
    js_free(text);
    js_bytes_deinit(&bytes);
    js_program_destroy(program);
}

static void test_recording_is_cheap(void **state)
{
    enum { CHUNKS = 100000, ROUNDS = 10 };
    double least = 1e9;
    (void)state;
    jitscope_region_enter(1);
    for (int round = 0; round < ROUNDS; round++) {
        /* CPU time of this thread: other work on the machine does not count. */
        double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
        for (int i = 0; i < CHUNKS; i++) {
            jitscope_region_chunk(i, i + 1);
        }
        double each = (seconds_of(CLOCK_THREAD_CPUTIME_ID) - start) / CHUNKS * 1e9;
        least = each < least ? each : least;
    }
    jitscope_region_leave();
    print_message("a chunk is recorded in %.1f ns\n", least);
    assert_true(least < 300); /* the goal is 30; the build with sanitizers runs this too */
}

static void *work_once(void *thread)
{
    jitscope_region_enter(1);
    atomic_store((atomic_int *)thread, gettid());
    jitscope_region_leave();
    return NULL;
}

/* A thread that has ended leaves its slot to the next one. */
static void test_threads_come_and_go(void **state)
{
    (void)state;
    jitscope_region_enter(1);
    jitscope_region_leave();
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        atomic_int id = 0;
        assert_int_equal(pthread_create(&thread, NULL, work_once, &id), 0);
        pthread_join(thread, NULL);
        assert_int_not_equal(atomic_load(&id), 0);
    }
    assert_true(__jitscope_descriptor.workers.nslots <= 2);
}

/* A child of fork is a thread of its own, and may register. */
static void test_fork(void **state)
{
    (void)state;
    jitscope_region_enter(1);
    pid_t child = fork();
    if (child == 0) {
        jitscope_function function = small_function();
        uint64_t handle;
        const jitscope_worker *worker = (const jitscope_worker *)((const jitscope_chunk *)(uintptr_t)
                                                                      __jitscope_descriptor.workers.chunks +
                                                                  1);
        jitscope_region_chunk(5, 6);
        bool fine = worker->thread == (uint32_t)gettid() && worker->regions[0].begin == 5 &&
                    jitscope_function_register(&function, &handle) == JITSCOPE_OK;
        _exit(fine ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    jitscope_region_leave();
}

/* ---- one process writes, another reads ---- */

enum { KINDS = 50, HELD = 40 };

/* Register a function whose fields all follow from n. */
static void register_numbered(unsigned n, uint64_t *handle)
{
    char name[32], file[32], type[32];
    jitscope_variable variables[KINDS];
    jitscope_line lines[KINDS];
    jitscope_function function = small_function();
    snprintf(name, sizeof name, "f%u", n);
    snprintf(file, sizeof file, "/toy/%u.toy", n);
    snprintf(type, sizeof type, "t%u", n);
    function.low = 0x10000 * (n + 1);
    function.high = function.low + 0x1000;
    function.name = name;
    function.file = file;
    function.line = n;
    for (unsigned i = 0; i < n; i++) {
        variables[i] = (jitscope_variable){name, type, n, 0, NULL, 0, 0};
        lines[i] = (jitscope_line){function.low + i, NULL, n, JITSCOPE_STATEMENT};
    }
    function.variables = variables;
    function.lines = lines;
    function.nvariables = function.nlines = n;
    if (jitscope_function_register(&function, handle)) {
        _exit(1);
    }
}

static void hammer(void)
{
    uint64_t held[HELD] = {0}, layout;
    for (unsigned n = 0; n < KINDS; n++) {
        char type[32];
        jitscope_layout l;
        snprintf(type, sizeof type, "t%u", n);
        jitscope_layout_init(&l);
        l.name = type;
        l.kind = JITSCOPE_OPAQUE;
        l.bytes = n + 1;
        if (jitscope_layout_register(&l, &layout)) {
            _exit(1);
        }
    }
    for (unsigned i = 0;; i++) {
        uint64_t *handle = &held[i * 7 % HELD];
        if (*handle && jitscope_function_unregister(*handle)) {
            _exit(1);
        }
        register_numbered(i * 13 % KINDS, handle);
    }
}

static void check_numbered(const js_object *object)
{
    const js_function *function = &object->functions[0];
    unsigned n = function->line;
    char expected[32];
    snprintf(expected, sizeof expected, "f%u", n);
    assert_string_equal(function->source_name, expected);
    assert_int_equal(function->lo, 0x10000 * (n + 1));
    assert_int_equal(function->hi, function->lo + 0x1000);
    assert_int_equal(function->nlocals, n);
    assert_int_equal(function->lines.nall, n ? n : 1);
    for (size_t i = 0; i < function->nlocals; i++) {
        assert_string_equal(function->locals[i].name, expected);
        assert_int_equal(function->locals[i].versions[0]->line, n);
        assert_int_equal(function->locals[i].versions[0]->type->size, n + 1);
        assert_int_equal(function->lines.all[i].line, n);
    }
    snprintf(expected, sizeof expected, "/toy/%u.toy", n);
    assert_string_equal(js_object_path(object, function->file), expected);
}

/* Read each registered function once. Return how many were complete. */
static unsigned read_all(js_types *types, js_bytes *bytes, unsigned *busy)
{
    jitscope_descriptor head;
    js_slots slots;
    unsigned whole = 0;
    assert_int_equal(js_descriptor_read(bytes, descriptor, &head), JS_OK);
    assert_int_equal(js_slots_init(&slots, bytes, &head.functions), JS_OK);
    while (js_slots_next(&slots) == JS_OK) {
        js_record record;
        js_object *object;
        int status = js_slots_record(&slots, &record);
        const jitscope_note note = {.descriptor = descriptor, .function = record.handle};
        if (!status) {
            js_record_deinit(&record);
        }
        if (!status) {
            status = js_described_create(types, &note, bytes, &object);
        }
        if (status) {
            assert_true(status == JS_ENOTFOUND || status == JS_EBUSY);
            *busy += status == JS_EBUSY;
            continue;
        }
        check_numbered(object);
        js_object_destroy(object);
        whole++;
    }
    return whole;
}

static void test_never_a_mixed_record(void **state)
{
    js_bytes bytes;
    js_types *types;
    unsigned whole = 0, busy = 0, status = 0;
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* it runs until it is killed */
        hammer();
    }
    assert_true(child > 0);
    assert_int_equal(js_types_create(&types), JS_OK);
    assert_int_equal(js_bytes_init_process(&bytes, child), JS_OK);
    double end = now() + 3;
    uint64_t changes = __jitscope_descriptor.functions.changes;
    jitscope_descriptor head;
    while (now() < end && waitpid(child, NULL, WNOHANG) == 0) {
        whole += read_all(types, &bytes, &busy);
    }
    assert_int_equal(js_descriptor_read(&bytes, descriptor, &head), JS_OK);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, (int *)&status, 0), child);
    js_bytes_deinit(&bytes);
    js_types_destroy(types);
    print_message("%u records read whole, %u were being written, in %llu changes\n", whole, busy,
                  (unsigned long long)(head.functions.changes - changes));
    assert_true(whole > 100 && head.functions.changes - changes > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_newer_program),
        cmocka_unit_test(test_handles_of_what_was_taken_back),
        cmocka_unit_test(test_handles_of_many),
        cmocka_unit_test(test_names_of_types),
        cmocka_unit_test(test_array_of_a_length),
        cmocka_unit_test(test_array_of_narrow_axes),
        cmocka_unit_test(test_tuples_and_optionals),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_recording_is_cheap),
        cmocka_unit_test(test_threads_come_and_go),
        cmocka_unit_test(test_fork),
        cmocka_unit_test(test_never_a_mixed_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
