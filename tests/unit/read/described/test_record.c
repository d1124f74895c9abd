/* read/described/record.c: descriptors that another version wrote, that contradict themselves, or that change
 * while they are read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bytes/descriptor.h"
#include "layouts/described.h"
#include "program/model/lookup.h"
#include "program/model/object.h"
#include "program/read/described/record.h"

/* The memory of a target, into which each test writes what is to be read. */
enum { MEMORY = 1 << 16, BASE = 0x10000, EXTRA = 16 };

typedef struct image {
    uint8_t bytes[MEMORY];
    size_t used;
    size_t extra; /* bytes that a newer version would have at the end of each structure */
} image;

static void *at(image *m, uint64_t address)
{
    return m->bytes + (address - BASE);
}

/* Take room for `size` bytes, and for the fields of a newer version. */
static uint64_t take(image *m, size_t size)
{
    size_t start = (m->used + 15) / 16 * 16;
    m->used = start + size + m->extra;
    assert_true(m->used <= MEMORY);
    memset(m->bytes + start, 0, size);
    memset(m->bytes + start + size, 0xee, m->extra);
    return BASE + start;
}

static void put_table(image *m, jitscope_table *table, uint32_t nslots)
{
    uint32_t slot_size = (uint32_t)(sizeof(jitscope_slot) + m->extra);
    uint64_t chunk = take(m, sizeof(jitscope_chunk) + (size_t)nslots * slot_size);
    *table =
        (jitscope_table){.chunks = chunk, .nslots = nslots, .chunk_slots = nslots, .slot_size = slot_size};
}

static jitscope_slot *slot_of(image *m, const jitscope_table *table, uint32_t index)
{
    return at(m, table->chunks + sizeof(jitscope_chunk) + (uint64_t)index * table->slot_size);
}

/* Put a record of `size` bytes, with `more` bytes after it, into a slot of generation 1. */
static uint8_t *put_record(image *m, const jitscope_table *table, uint32_t index, size_t size, size_t more)
{
    uint64_t block = take(m, size + m->extra + more);
    *slot_of(m, table, index) = (jitscope_slot){.sequence = 2,
                                                .generation = 1,
                                                .state = JITSCOPE_SLOT_REGISTERED,
                                                .block = block,
                                                .block_size = size + m->extra + more};
    return at(m, block);
}

static uint64_t handle_of(uint32_t index)
{
    return (uint64_t)1 << 32 | (index + 1);
}

static const char names[] = "\0float64\0pair\0x\0y\0total\0/toy/total.toy\0value";
enum { FLOAT64 = 1, PAIR = 9, X = 14, Y = 16, TOTAL = 18, SOURCE = 24, VALUE = 39 };

/* Put texts at the end of a record, and return their offset. */
static uint32_t put_names(const image *m, uint8_t *record, size_t size, size_t before)
{
    memcpy(record + size + m->extra + before, names, sizeof names);
    return (uint32_t)(size + m->extra + before);
}

/* Put a type of two float64, and a function with a variable of it, into m at BASE. */
static void put_all(image *m, size_t extra)
{
    *m = (image){.extra = extra};
    jitscope_descriptor *d = at(m, take(m, sizeof *d));
    memcpy(d->magic, JITSCOPE_MAGIC, sizeof d->magic);
    d->version = JITSCOPE_VERSION + (extra ? 6 : 0);
    d->size = (uint32_t)(sizeof *d + extra);
    put_table(m, &d->layouts, 2);
    put_table(m, &d->functions, 1);
    size_t size = sizeof(jitscope_layout_record);
    uint8_t *record = put_record(m, &d->layouts, 0, size, sizeof names);
    jitscope_layout_record layout = {.version = 1,
                                     .size = (uint32_t)(size + extra),
                                     .kind = JITSCOPE_FLOAT,
                                     .name = put_names(m, record, size, 0) + FLOAT64,
                                     .bytes = 8,
                                     .align = 8};
    memcpy(record, &layout, size);
    const uint32_t member = (uint32_t)(sizeof(jitscope_member_record) + extra);
    record = put_record(m, &d->layouts, 1, size, 2 * member + sizeof names);
    uint32_t text = put_names(m, record, size, 2 * member);
    layout.kind = JITSCOPE_STRUCT;
    layout.name = text + PAIR;
    layout.bytes = 16;
    layout.members = (jitscope_list){(uint32_t)(size + extra), 2, member};
    memcpy(record, &layout, size);
    for (uint32_t i = 0; i < 2; i++) {
        const jitscope_member_record part = {
            .layout = handle_of(0), .offset = 8 * i, .name = text + (i ? Y : X), .role = JITSCOPE_ROLE_NONE};
        memcpy(record + size + extra + i * member, &part, sizeof part);
    }
    const uint32_t variable = (uint32_t)(sizeof(jitscope_variable_record) + extra),
                   location = (uint32_t)(sizeof(jitscope_location) + extra),
                   line = (uint32_t)(sizeof(jitscope_line_record) + extra);
    size = sizeof(jitscope_function_record);
    record = put_record(m, &d->functions, 0, size, variable + location + line + sizeof names);
    uint32_t first = (uint32_t)(size + extra);
    text = put_names(m, record, size, variable + location + line);
    const jitscope_function_record function = {.version = 1,
                                               .size = first,
                                               .machine = 62,
                                               .low = 0x5000,
                                               .high = 0x5100,
                                               .name = text + TOTAL,
                                               .file = text + SOURCE,
                                               .line = 7,
                                               .result = handle_of(0),
                                               .variables = {first, 1, variable},
                                               .lines = {first + variable + location, 1, line}};
    const jitscope_variable_record value = {.layout = handle_of(1),
                                            .name = text + VALUE,
                                            .line = 8,
                                            .flags = JITSCOPE_ARGUMENT,
                                            .locations = {first + variable, 1, location}};
    const jitscope_location place = {.low = 0x5010, .high = 0x5080, .kind = JITSCOPE_AT_FRAME, .offset = -32};
    const jitscope_line_record row = {.address = 0x5004, .line = 9, .flags = JITSCOPE_STATEMENT};
    memcpy(record, &function, size);
    memcpy(record + first, &value, sizeof value);
    memcpy(record + first + variable, &place, sizeof place);
    memcpy(record + first + variable + location, &row, sizeof row);
}

static jitscope_descriptor *head_of(image *m)
{
    return at(m, BASE);
}

static int create(const image *m, js_types *types, js_object **out)
{
    js_bytes bytes;
    const jitscope_note note = {.descriptor = BASE, .function = handle_of(0)};
    assert_int_equal(js_bytes_init_buffer(&bytes, BASE, m->bytes, MEMORY), JS_OK);
    int status = js_described_create(types, &note, &bytes, out);
    js_bytes_deinit(&bytes);
    return status;
}

/* Check that everything of put_all was read. */
static void check_all(const js_object *object)
{
    assert_int_equal(object->nfunctions, 1);
    const js_function *function = &object->functions[0];
    assert_string_equal(function->source_name, "total");
    assert_string_equal(js_object_path(object, function->file), "/toy/total.toy");
    assert_int_equal(function->line, 7);
    assert_int_equal(function->lo, 0x5000);
    assert_string_equal(function->result->name, "float64");
    assert_int_equal(function->lines.nall, 2);
    assert_int_equal(function->lines.all[1].address, 0x5004);
    assert_int_equal(function->lines.all[1].line, 9);
    assert_int_equal(function->nlocals, 1);
    const js_local *local = &function->locals[0];
    assert_string_equal(local->name, "value");
    assert_true(local->is_argument);
    assert_int_equal(local->nspans, 3);
    assert_int_equal(local->spans[1].state, JS_STATE_EXACT);
    assert_int_equal(local->spans[1].lo, 0x5010);
    assert_string_equal(local->spans[0].reason, "its JIT keeps it nowhere here");
    assert_string_equal(local->spans[2].reason, "its JIT keeps it nowhere here");
    const js_type *type = local->versions[0]->type;
    assert_string_equal(type->name, "pair");
    assert_int_equal(type->nmembers, 2);
    assert_string_equal(type->members[1].name, "y");
    assert_int_equal(type->members[1].offset, 8);
    assert_int_equal(type->members[1].type->kind, JS_KIND_FLOAT);
}

static void check_status(const image *m, int expected)
{
    js_types *types;
    js_object *object = NULL;
    assert_int_equal(js_types_create(&types), JS_OK);
    assert_int_equal(create(m, types, &object), expected);
    if (expected == JS_OK) {
        check_all(object);
    }
    js_object_destroy(object);
    js_types_destroy(types);
}

static image memory;

static void test_same_version(void **state)
{
    (void)state;
    put_all(&memory, 0);
    check_status(&memory, JS_OK);
}

static void test_newer_version_has_more_at_each_end(void **state)
{
    (void)state;
    put_all(&memory, EXTRA);
    assert_true(head_of(&memory)->version > JITSCOPE_VERSION);
    check_status(&memory, JS_OK);
}

static void test_older_version_lacks_fields(void **state)
{
    js_bytes bytes;
    jitscope_descriptor head;
    (void)state;
    put_all(&memory, 0);
    head_of(&memory)->size = offsetof(jitscope_descriptor, regions);
    memset(&head_of(&memory)->regions, 0xee, sizeof(jitscope_table)); /* the bytes after it are no field */
    js_bytes_init_buffer(&bytes, BASE, memory.bytes, MEMORY);
    assert_int_equal(js_descriptor_read(&bytes, BASE, &head), JS_OK);
    assert_int_equal(head.functions.nslots, 1);
    assert_int_equal(head.regions.nslots, 0);
    js_bytes_deinit(&bytes);
    check_status(&memory, JS_OK);
    /* records that end before their last field, here the address of the .eh_frame */
    uint8_t *record = at(&memory, slot_of(&memory, &head_of(&memory)->functions, 0)->block);
    const uint32_t size = offsetof(jitscope_function_record, eh_frame);
    memcpy(record + 4, &size, sizeof size);
    memset(record + size, 0xee, sizeof(jitscope_function_record) - size);
    check_status(&memory, JS_OK);
}

static void test_not_a_descriptor(void **state)
{
    (void)state;
    put_all(&memory, 0);
    head_of(&memory)->magic[7] = 'X';
    check_status(&memory, JS_EBAD);
    put_all(&memory, 0);
    head_of(&memory)->size = 15;
    check_status(&memory, JS_EBAD);
}

static void test_taken_back(void **state)
{
    (void)state;
    put_all(&memory, 0);
    slot_of(&memory, &head_of(&memory)->functions, 0)->generation = 2;
    check_status(&memory, JS_ENOTFOUND);
    put_all(&memory, 0);
    slot_of(&memory, &head_of(&memory)->functions, 0)->state = JITSCOPE_SLOT_FREE;
    check_status(&memory, JS_ENOTFOUND);
    put_all(&memory, 0);
    head_of(&memory)->functions.nslots = 0;
    check_status(&memory, JS_ENOTFOUND);
}

static void test_layout_taken_back_shows_no_value(void **state)
{
    js_types *types;
    js_object *object;
    (void)state;
    put_all(&memory, 0);
    slot_of(&memory, &head_of(&memory)->layouts, 1)->generation = 2;
    assert_int_equal(js_types_create(&types), JS_OK);
    assert_int_equal(create(&memory, types, &object), JS_OK);
    assert_int_equal(object->functions[0].locals[0].spans[1].state, JS_STATE_UNKNOWN);
    assert_string_equal(object->functions[0].locals[0].spans[1].reason,
                        "the layout of its type was taken back");
    js_object_destroy(object);
    js_types_destroy(types);
}

/* A general register does not hold sixteen bytes, and the register of the next number does not belong to
 * them. */
static void test_value_that_no_register_holds(void **state)
{
    js_types *types;
    js_object *object;
    (void)state;
    put_all(&memory, 0);
    jitscope_function_record *record = at(&memory, slot_of(&memory, &head_of(&memory)->functions, 0)->block);
    jitscope_location place = {.low = 0x5010, .high = 0x5080, .kind = JITSCOPE_IN_REGISTER, .reg = 5};
    memcpy((uint8_t *)record + record->variables.offset + record->variables.size, &place, sizeof place);
    assert_int_equal(js_types_create(&types), JS_OK);
    assert_int_equal(create(&memory, types, &object), JS_OK);
    assert_int_equal(object->functions[0].locals[0].spans[1].state, JS_STATE_UNKNOWN);
    assert_string_equal(object->functions[0].locals[0].spans[1].reason, "its place does not fit its type");
    js_object_destroy(object);
    js_types_destroy(types);
}

static void test_contradictions(void **state)
{
    jitscope_table *functions = &head_of(&memory)->functions;
    (void)state;
    put_all(&memory, 0);
    slot_of(&memory, functions, 0)->block = 8; /* not readable */
    check_status(&memory, JS_EFAULT);
    put_all(&memory, 0);
    slot_of(&memory, functions, 0)->block_size = (uint64_t)1 << 60;
    check_status(&memory, JS_ELIMIT);
    put_all(&memory, 0);
    slot_of(&memory, functions, 0)->sequence = 3;
    check_status(&memory, JS_EBUSY);
    put_all(&memory, 0);
    functions->slot_size = 8;
    check_status(&memory, JS_EBAD);
    put_all(&memory, 0);
    functions->chunk_slots = 0;
    check_status(&memory, JS_EBAD);
    put_all(&memory, 0);
    ((jitscope_chunk *)at(&memory, functions->chunks))->first = 1;
    check_status(&memory, JS_EBAD);
    put_all(&memory, 0);
    ((jitscope_function_record *)at(&memory, slot_of(&memory, functions, 0)->block))->high = 0;
    check_status(&memory, JS_EBAD);
}

/* A list of chunks that leads back ends. */
static void test_chunks_in_a_circle(void **state)
{
    js_bytes bytes;
    js_record record;
    (void)state;
    put_all(&memory, 0);
    jitscope_table *functions = &head_of(&memory)->functions;
    ((jitscope_chunk *)at(&memory, functions->chunks))->next = functions->chunks;
    functions->nslots = 1 << 20;
    functions->chunk_slots = 32;
    js_bytes_init_buffer(&bytes, BASE, memory.bytes, MEMORY);
    assert_int_equal(js_record_init(&record, &bytes, functions, handle_of(1 << 19)), JS_EBAD);
    assert_true(bytes.reads < 10);
    js_bytes_deinit(&bytes);
}

static void test_layout_made_of_itself(void **state)
{
    js_types *types;
    js_object *object;
    (void)state;
    put_all(&memory, 0);
    jitscope_layout_record *pair = at(&memory, slot_of(&memory, &head_of(&memory)->layouts, 1)->block);
    pair->element = handle_of(1);
    assert_int_equal(js_types_create(&types), JS_OK);
    assert_int_equal(create(&memory, types, &object), JS_OK);
    assert_int_equal(object->functions[0].locals[0].spans[1].state, JS_STATE_UNKNOWN);
    js_object_destroy(object);
    js_types_destroy(types);
}

/* ---- a writer between two reads ---- */

static unsigned writes_left;
static uint64_t watched;

/* Read memory, and change the watched slot each time it is read, a number of times. */
static int read_and_write(void *context, uint64_t address, void *buffer, size_t size)
{
    image *m = context;
    if (address < BASE || size > MEMORY || address - BASE > MEMORY - size) {
        return JS_EFAULT;
    }
    memcpy(buffer, at(m, address), size);
    if (address == watched && writes_left) {
        jitscope_slot *slot = at(m, watched);
        slot->sequence += 2;
        slot->block ^= 8; /* alternates between the record and eight bytes beside it */
        writes_left--;
    }
    return JS_OK;
}

static void test_torn_reads_are_repeated(void **state)
{
    js_bytes bytes;
    js_record record;
    (void)state;
    put_all(&memory, 0);
    const jitscope_table *functions = &head_of(&memory)->functions;
    watched = functions->chunks + sizeof(jitscope_chunk);
    uint64_t block = slot_of(&memory, functions, 0)->block;
    js_bytes_init_callback(&bytes, read_and_write, &memory);
    writes_left = 100;
    assert_int_equal(js_record_init(&record, &bytes, functions, handle_of(0)), JS_OK);
    assert_int_equal(writes_left, 0);
    assert_memory_equal(record.data, at(&memory, block), record.size);
    js_record_deinit(&record);
    writes_left = 1000000;
    assert_int_equal(js_record_init(&record, &bytes, functions, handle_of(0)), JS_EBUSY);
    js_bytes_deinit(&bytes);
}

/* Slots whose writing never ends are waited for once in all, not once each. */
static void test_slots_that_stay_busy(void **state)
{
    enum { SLOTS = 500 };
    static image many;
    js_bytes bytes;
    js_slots slots;
    (void)state;
    many = (image){0};
    take(&many, sizeof(jitscope_descriptor));
    jitscope_table *functions = &head_of(&many)->functions;
    put_table(&many, functions, SLOTS);
    for (uint32_t i = 0; i < SLOTS; i++) {
        slot_of(&many, functions, i)->sequence = 1;
    }
    js_bytes_init_buffer(&bytes, BASE, many.bytes, sizeof many.bytes);
    assert_int_equal(js_slots_init(&slots, &bytes, functions), JS_OK);
    unsigned busy = 0;
    while (js_slots_next(&slots) == JS_OK) {
        js_record record;
        busy += js_slots_record(&slots, &record) == JS_EBUSY;
    }
    assert_int_equal(busy, SLOTS);
    assert_in_range(bytes.reads, 1000, 10 * SLOTS);
    js_bytes_deinit(&bytes);
}

/* ---- random bytes ---- */

static uint64_t seed = 88172645463325252U;

static uint64_t random_word(void)
{
    seed ^= seed << 13; /* xorshift64 (Marsaglia 2003) */
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

/* Some bytes of a valid image are changed: reading it must give an error or an object. */
static void test_random_bytes(void **state)
{
    enum { ROUNDS = 20000 };
    static image broken;
    unsigned made = 0, refused = 0;
    (void)state;
    put_all(&memory, EXTRA);
    for (unsigned i = 0; i < ROUNDS; i++) {
        js_types *types;
        js_object *object;
        broken = memory;
        for (uint64_t changes = 1 + random_word() % 6; changes; changes--) {
            uint64_t where = random_word() % memory.used, how = random_word();
            broken.bytes[where] = (uint8_t)(how % 3 == 0 ? 0xff : how % 3 == 1 ? 0 : how >> 8);
        }
        assert_int_equal(js_types_create(&types), JS_OK);
        int status = create(&broken, types, &object);
        if (status == JS_OK) {
            for (size_t k = 0; k < object->functions[0].nlocals; k++) {
                assert_non_null(object->functions[0].locals[k].versions[0]->type->name);
            }
            js_object_destroy(object);
            made++;
        } else {
            refused++;
        }
        js_types_destroy(types);
    }
    assert_true(made > 100 && refused > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_version),
        cmocka_unit_test(test_newer_version_has_more_at_each_end),
        cmocka_unit_test(test_older_version_lacks_fields),
        cmocka_unit_test(test_not_a_descriptor),
        cmocka_unit_test(test_taken_back),
        cmocka_unit_test(test_layout_taken_back_shows_no_value),
        cmocka_unit_test(test_value_that_no_register_holds),
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_chunks_in_a_circle),
        cmocka_unit_test(test_layout_made_of_itself),
        cmocka_unit_test(test_torn_reads_are_repeated),
        cmocka_unit_test(test_slots_that_stay_busy),
        cmocka_unit_test(test_random_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
