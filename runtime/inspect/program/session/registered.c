/* Reads the lists of GDB's JIT interface, and adds and removes the program's objects. */
#include "program/session/registered.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/vector.h"
#include "program/read/described/record.h"
#include "program/session/jit_list.h"

enum {
    IMAGE_MAX = 256 << 20, /* bytes of one image */
    ATTEMPTS = 4,          /* readings of the lists until none changes meanwhile */
    NO_ID = UINT32_MAX
};
static const uint64_t IMAGES_MAX = (uint64_t)4 << 30; /* bytes of all images that one update reads */

typedef enum entry_state { ENTRY_NEW, ENTRY_TAKEN, ENTRY_UNKNOWN, ENTRY_LEFT_OUT } entry_state;

/* An entry of a list, and what was made of it. */
typedef struct listed {
    uint64_t address, image, size, fingerprint;
    size_t order;    /* place in the lists, newest first */
    uint64_t lo, hi; /* addresses of the code of a new entry that is left out; else 0 */
    unsigned id;     /* the program's object; NO_ID: none */
    entry_state state;
} listed;

/* Entries in order of their addresses. */
typedef struct listing {
    listed *entries;
    size_t count, capacity;
} listing;

struct js_registered {
    js_jit_list lists[JS_REGISTERED_LISTS];
    size_t nlists;
    listing known;
    js_registered_counts counts;
    bool is_complete; /* the last update returned no error and was not torn */
    bool is_lazy;     /* new objects wait for js_registered_load() */
    uint64_t images;  /* bytes of images that this update has read */
    uint8_t *buffer;  /* for images */
    size_t buffer_size;
};

/* The entries that are being collected. */
typedef struct collection {
    listing *found;
    int status;
} collection;

static bool add_entry(void *context, uint64_t address, const js_jit_entry *entry)
{
    collection *ctx = context;
    listing *found = ctx->found;
    listed *all = js_vector_reserve(found->entries, &found->capacity, found->count + 1, sizeof *all);
    if (!all) {
        ctx->status = JS_ENOMEM;
        return false;
    }
    found->entries = all;
    all[found->count] = (listed){.address = address,
                                 .image = entry->image,
                                 .size = entry->size,
                                 .order = found->count,
                                 .id = NO_ID,
                                 .state = ENTRY_NEW};
    found->count++;
    return true;
}

bool js_registered_is_current(const js_registered *registered, js_bytes *bytes)
{
    bool is_current = registered->is_complete;
    for (size_t i = 0; i < registered->nlists && is_current; i++) {
        is_current = js_jit_list_is_current(bytes, &registered->lists[i]);
    }
    return is_current;
}

static int compare_addresses(const void *one, const void *other)
{
    const listed *a = one, *b = other;
    return a->address != b->address ? (a->address < b->address ? -1 : 1)
           : a->order != b->order   ? (a->order < b->order ? -1 : 1)
                                    : 0;
}

static int compare_orders(const void *one, const void *other)
{
    const listed *a = one, *b = other;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* Sort by address, and drop entries that a cycle, or several lists, have given twice. */
static void sort_listing(listing *found)
{
    size_t kept = 0;
    if (found->count) {
        qsort(found->entries, found->count, sizeof *found->entries, compare_addresses);
    }
    for (size_t i = 0; i < found->count; i++) {
        if (kept == 0 || found->entries[kept - 1].address != found->entries[i].address) {
            found->entries[kept++] = found->entries[i];
        }
    }
    found->count = kept;
}

/* Give the entries of `found` that are in `known`, and are proved to be unchanged, the object that they have;
 * remove the program's objects that no entry has any more. Both listings are in order of addresses. */
static void match_known(js_registered *registered, js_program *program, js_bytes *bytes, listing *found)
{
    size_t place = 0;
    for (size_t i = 0; i < registered->known.count; i++) {
        const listed *old = &registered->known.entries[i];
        while (place < found->count && found->entries[place].address < old->address) {
            place++;
        }
        listed *now = place < found->count ? &found->entries[place] : NULL;
        uint64_t fingerprint;
        if (now && now->address == old->address && now->image == old->image && now->size == old->size &&
            old->fingerprint && js_jit_read_fingerprint(bytes, now->image, now->size, &fingerprint) &&
            fingerprint == old->fingerprint) {
            now->id = old->id;
            now->state = old->state;
            now->fingerprint = fingerprint;
        } else if (old->id != NO_ID && js_program_remove(program, old->id) == JS_OK) {
            registered->counts.removed++;
        }
    }
}

/* Note that the program has dropped objects: their numbers are in the text, each with a space after it. */
static void note_forgotten(listing *found, const char *numbers)
{
    char *end;
    for (; *numbers; numbers = *end ? end + 1 : end) {
        unsigned long id = strtoul(numbers, &end, 10);
        if (end == numbers) {
            return;
        }
        for (size_t i = 0; i < found->count; i++) {
            if (found->entries[i].id == id) {
                found->entries[i].id = NO_ID;
                found->entries[i].state = ENTRY_LEFT_OUT;
            }
        }
    }
}

static bool read_image(js_registered *registered, js_bytes *bytes, listed *entry)
{
    if (entry->size == 0 || entry->size > IMAGE_MAX || entry->size > IMAGES_MAX - registered->images) {
        return false;
    }
    size_t size = (size_t)entry->size;
    if (size > registered->buffer_size) {
        free(registered->buffer);
        registered->buffer = malloc(size);
        registered->buffer_size = registered->buffer ? size : 0;
    }
    if (!registered->buffer || js_bytes_read(bytes, entry->image, registered->buffer, size)) {
        return false;
    }
    registered->images += size;
    entry->fingerprint = js_jit_fingerprint(registered->buffer, size);
    return true;
}

/* Add the object of one entry. JS_ENOMEM; everything else becomes the entry's state. */
static int add_object(js_registered *registered, js_program *program, js_bytes *bytes, listing *found,
                      listed *entry)
{
    uint64_t origin, interface;
    bool is_stop;
    js_text forgotten;
    entry->state = ENTRY_LEFT_OUT;
    if (!read_image(registered, bytes, entry)) {
        return JS_OK;
    }
    size_t size = (size_t)entry->size;
    if (js_described_origin(registered->buffer, size, &origin, &interface, &is_stop) == JS_OK && is_stop) {
        entry->state = ENTRY_UNKNOWN;
        return JS_OK;
    }
    js_text_init(&forgotten, 0);
    int status = js_program_add(program, registered->buffer, size, bytes, &forgotten, &entry->id);
    if (status == JS_OK) {
        entry->state = ENTRY_TAKEN;
        registered->counts.added++;
    } else {
        entry->id = NO_ID;
        entry->state = status == JS_EUNSUP ? ENTRY_UNKNOWN : ENTRY_LEFT_OUT;
    }
    status = status == JS_ENOMEM ? status : forgotten.status;
    if (forgotten.data) {
        unsigned id = entry->id; /* forgotten objects are others */
        entry->id = NO_ID;
        note_forgotten(found, forgotten.data);
        entry->id = id;
    }
    js_text_deinit(&forgotten);
    return status;
}

/* True if the entry's object waits for js_registered_load(). One that does not say where its code is is added
 * at once. */
static bool is_left_out(const js_registered *registered, js_bytes *bytes, listed *entry)
{
    js_jit_entry in_target = {.image = entry->image, .size = entry->size};
    return registered->is_lazy && js_jit_read_range(bytes, &in_target, &entry->lo, &entry->hi);
}

/* Read all lists once, and make the program the same. */
static int read_lists(js_registered *registered, js_program *program, js_bytes *bytes)
{
    listing found = {0};
    collection ctx = {&found, JS_OK};
    for (size_t i = 0; i < registered->nlists && ctx.status == JS_OK; i++) {
        js_jit_list_read(bytes, &registered->lists[i], add_entry, &ctx);
    }
    int status = ctx.status;
    if (status) {
        free(found.entries);
        return status;
    }
    sort_listing(&found);
    match_known(registered, program, bytes, &found);
    free(registered->known.entries);
    registered->known = found;
    /* Later objects replace those whose code they cover, so that the oldest are added first. */
    listing *known = &registered->known;
    if (known->count) {
        qsort(known->entries, known->count, sizeof *known->entries, compare_orders);
    }
    for (size_t i = known->count; i-- > 0 && status == JS_OK;) {
        if (known->entries[i].state == ENTRY_NEW && !is_left_out(registered, bytes, &known->entries[i])) {
            status = add_object(registered, program, bytes, known, &known->entries[i]);
        }
    }
    sort_listing(known);
    return status;
}

static void count_entries(js_registered *registered)
{
    js_registered_counts *counts = &registered->counts;
    counts->entries = registered->known.count;
    for (size_t i = 0; i < registered->known.count; i++) {
        entry_state state = registered->known.entries[i].state;
        counts->objects += state == ENTRY_TAKEN;
        counts->unknown += state == ENTRY_UNKNOWN;
        counts->left_out += state == ENTRY_LEFT_OUT || state == ENTRY_NEW;
    }
    for (size_t i = 0; i < registered->nlists; i++) {
        counts->is_cut |= registered->lists[i].is_cut;
    }
}

static bool has_readable(const js_registered *registered)
{
    bool is_readable = registered->nlists == 0;
    for (size_t i = 0; i < registered->nlists; i++) {
        is_readable |= registered->lists[i].is_readable;
    }
    return is_readable;
}

/* True if the last update has read these lists. */
static bool is_of(const js_registered *registered, const uint64_t *descriptors, size_t count)
{
    bool is_equal = registered->nlists == count;
    for (size_t i = 0; i < count && is_equal; i++) {
        is_equal = registered->lists[i].address == descriptors[i];
    }
    return is_equal;
}

int js_registered_update(js_registered *registered, js_program *program, js_bytes *bytes,
                         const uint64_t *descriptors, size_t count)
{
    if (count > JS_REGISTERED_LISTS) {
        return JS_EARG;
    }
    bool is_same = is_of(registered, descriptors, count);
    if (is_same && js_registered_is_current(registered, bytes)) {
        registered->counts.added = registered->counts.removed = 0;
        return JS_OK;
    }
    registered->nlists = count;
    for (size_t i = 0; i < count; i++) {
        registered->lists[i].address = descriptors[i];
    }
    registered->is_complete = false;
    registered->images = 0;
    registered->counts = (js_registered_counts){.is_torn = true};
    js_program_set_attaching(program, true);
    int status = JS_OK;
    for (int i = 0; i < ATTEMPTS && status == JS_OK && registered->counts.is_torn; i++) {
        status = read_lists(registered, program, bytes);
        bool is_torn = false;
        for (size_t k = 0; k < count; k++) {
            is_torn |= !js_jit_list_has_same_head(bytes, &registered->lists[k]);
        }
        registered->counts.is_torn = is_torn;
    }
    count_entries(registered);
    free(registered->buffer);
    registered->buffer = NULL;
    registered->buffer_size = 0;
    if (status == JS_OK && !has_readable(registered)) {
        status = JS_EFAULT;
    }
    registered->is_complete = status == JS_OK && !registered->counts.is_torn;
    return status;
}

void js_registered_set_lazy(js_registered *registered)
{
    registered->is_lazy = true;
}

int js_registered_load(js_registered *registered, js_program *program, js_bytes *bytes, uint64_t pc,
                       bool *is_added)
{
    listed *newest = NULL;
    *is_added = false;
    for (size_t i = 0; i < registered->known.count; i++) {
        listed *entry = &registered->known.entries[i];
        bool holds = entry->state == ENTRY_NEW && pc >= entry->lo && pc < entry->hi;
        newest = holds && (!newest || entry->order < newest->order) ? entry : newest;
    }
    if (!newest) {
        return JS_OK;
    }
    registered->images = 0;
    js_program_set_attaching(program, true);
    int status = add_object(registered, program, bytes, &registered->known, newest);
    *is_added = newest->state == ENTRY_TAKEN;
    return status;
}

int js_registered_create(js_registered **out)
{
    *out = calloc(1, sizeof **out);
    return *out ? JS_OK : JS_ENOMEM;
}

void js_registered_destroy(js_registered *registered)
{
    if (registered) {
        free(registered->known.entries);
        free(registered->buffer);
        free(registered);
    }
}

const js_registered_counts *js_registered_counted(const js_registered *registered)
{
    return &registered->counts;
}
