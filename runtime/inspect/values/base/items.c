/* Walks the items of containers of any layout, by the roles of its members. */
#include "bytes/watch.h"

#include <stdlib.h>
#include <string.h>

#include "values/base/items.h"
#include "values/base/numbers.h"
#include "values/base/rendering.h"
#include "values/base/unbox.h"

enum { CHUNK = 4096, SKIP = 4 << 20 /* SKIP: bytes of holes that one walk passes over */ };
static const uint64_t ADDRESS_SPACE = (uint64_t)1 << 56;

/* ---- stores ---- */

/* True if a store was freed: its count is 0, or is filled with 0xDE, as Numba's and other debug allocators
 * do. */
static bool is_freed(const js_type *type, const uint8_t *contents)
{
    const js_member *count = js_type_member(type, JS_ROLE_REFCOUNT);
    if (!count) {
        return false;
    }
    uint64_t number = js_load_uint(contents + count->offset, count->type->size);
    return number == 0 || number == 0xdededededededede;
}

static int add(js_stores *stores, js_render *render, const js_type *type, uint64_t address, js_text *why)
{
    const js_member *items = js_type_member(type, JS_ROLE_ITEMS);
    uint64_t size = items ? items->offset : type->size;
    struct js_store *store = &stores->at[stores->count];
    if (!address) {
        js_text_put(why, "<unknown: it is not there (NULL)>");
        return JS_EBAD;
    }
    if (size > JS_STORE_SIZE || stores->count == JS_STORES) {
        js_text_printf(why, "<unknown: it is larger than %d bytes>", JS_STORE_SIZE);
        return JS_EBAD;
    }
    *store = (struct js_store){.type = type, .address = address, .owned = malloc(size ? size : 1)};
    if (!store->owned) {
        return JS_ENOMEM;
    }
    stores->count++;
    store->contents = store->owned;
    if (js_type_member(type, JS_ROLE_ELEMENT) && render->bytes && render->bytes->watch) {
        js_watch_read(render->bytes->watch, address, size, true); /* attributes */
    }
    int status = js_render_read(render, address, store->owned, size);
    if (status == JS_ELIMIT) {
        js_text_put(why, "...");
    } else if (status) {
        js_text_printf(why, "<unreadable: 0x%llx (%llu byte%s)>", (unsigned long long)address,
                       (unsigned long long)size, size == 1 ? "" : "s");
    } else if (is_freed(type, store->owned)) {
        js_text_put(why, "<unknown: its memory was freed>");
        status = JS_EBAD;
    }
    return status;
}

/* Check that all members' types are known: a member of unknown type may have another size, and move those
 * after it. */
static int check_known(js_stores *stores, js_render *render, js_text *why)
{
    const js_type *type = stores->at[stores->count - 1].type;
    for (size_t i = 0; i < type->nmembers; i++) {
        if (!js_value_size_is_known(render->bytes, type->members[i].type)) {
            js_text_printf(why, "<unknown: which class %s is of>", type->members[i].name);
            js_stores_deinit(stores);
            return JS_EBAD;
        }
    }
    return JS_OK;
}

int js_stores_init(js_stores *stores, js_render *render, const js_type *type, const uint8_t *contents,
                   js_text *why)
{
    *stores = (js_stores){.count = 1};
    stores->at[0] = (struct js_store){.type = type, .contents = contents};
    for (;;) {
        const struct js_store *last = &stores->at[stores->count - 1];
        const js_member *member = js_type_member(last->type, JS_ROLE_STORE);
        if (!member || !member->type->target || member->offset + 8 > last->type->size) {
            return check_known(stores, render, why);
        }
        int status =
            add(stores, render, member->type->target, js_load_uint(last->contents + member->offset, 8), why);
        if (status) {
            js_stores_deinit(stores);
            return status;
        }
    }
}

void js_stores_deinit(js_stores *stores)
{
    for (unsigned i = 0; i < stores->count; i++) {
        free(stores->at[i].owned);
    }
    *stores = (js_stores){0};
}

const js_member *js_stores_find(const js_stores *stores, js_role role, const struct js_store **store)
{
    for (unsigned i = stores->count; i-- > 0;) {
        const js_member *member = js_type_member(stores->at[i].type, role);
        if (member) {
            *store = &stores->at[i];
            return member;
        }
    }
    return NULL;
}

bool js_stores_number(const js_stores *stores, js_role role, int64_t *out)
{
    const struct js_store *store;
    const js_member *member = js_stores_find(stores, role, &store);
    if (!member || member->type->shape != JS_SHAPE_INT) {
        return false;
    }
    *out = js_load_int(store->contents + member->offset, member->type->size);
    return true;
}

/* ---- items ---- */

static int bad(js_text *why, const char *what, int64_t number)
{
    js_text_printf(why, "<unknown: %s %lld>", what, (long long)number);
    return JS_EBAD;
}

/* Count the places to look at: a list's items, or a table's entries with their holes. */
static int count_slots(js_items *items, const js_stores *stores, js_text *why)
{
    int64_t length = 0, number = 0; /* every container has a length, and every table one of the two sizes */
    js_stores_number(stores, JS_ROLE_LENGTH, &length);
    if (length < 0) {
        return bad(why, "negative length", length);
    }
    items->length = items->slots = (uint64_t)length;
    if (items->type->kind == JS_KIND_LIST) {
        if (js_stores_number(stores, JS_ROLE_CAPACITY, &number) && number < length) {
            js_text_printf(why, "<unknown: length %lld where there is room for %lld>", (long long)length,
                           (long long)number);
            return JS_EBAD;
        }
        return JS_OK;
    }
    if (js_stores_number(stores, JS_ROLE_LAST_ENTRY, &number)) {
        if (number < 0 || number == INT64_MAX || (number & (number + 1)) != 0) {
            return bad(why, "table mask", number);
        }
        number++;
    } else {
        js_stores_number(stores, JS_ROLE_ENTRIES, &number);
    }
    if (number < length) {
        js_text_printf(why, "<unknown: length %lld in a table of %lld>", (long long)length,
                       (long long)number);
        return JS_EBAD;
    }
    items->slots = (uint64_t)number;
    return JS_OK;
}

static int find_first(js_items *items, const js_stores *stores, js_text *why)
{
    const struct js_store *store;
    const js_member *member = js_stores_find(stores, JS_ROLE_DATA, &store);
    int64_t number;
    items->stride = items->item->size;
    if (member && member->type->size == 8) {
        items->address = js_load_uint(store->contents + member->offset, 8);
    } else {
        member = js_stores_find(stores, JS_ROLE_ITEMS, &store);
        items->address = store->address + member->offset;
        if (js_stores_number(stores, JS_ROLE_ITEMS_OFFSET, &number)) {
            items->address += (uint64_t)number;
        }
    }
    if (js_stores_number(stores, JS_ROLE_ITEMSIZE, &number) && (uint64_t)number != items->item->size) {
        js_text_printf(why, "<unknown: its items have %lld bytes, and a %s has %llu>", (long long)number,
                       items->item->name, (unsigned long long)items->item->size);
        return JS_EBAD;
    }
    if (js_stores_number(stores, JS_ROLE_STRIDES, &number)) { /* a slice of a list */
        items->stride = (uint64_t)number;
        return JS_OK;
    }
    __int128 end = (__int128)items->address + (__int128)items->slots * items->stride;
    if (items->slots && items->stride && (items->address == 0 || end > (__int128)ADDRESS_SPACE)) {
        js_text_printf(why, "<unknown: %llu items at 0x%llx>", (unsigned long long)items->slots,
                       (unsigned long long)items->address);
        return JS_EBAD;
    }
    return JS_OK;
}

int js_items_init(js_items *items, js_render *render, const js_type *type, const uint8_t *contents,
                  js_text *why)
{
    js_stores stores;
    *items = (js_items){.type = type, .item = type->target};
    int status = js_stores_init(&stores, render, type, contents, why);
    if (status) {
        return status;
    }
    status = count_slots(items, &stores, why);
    if (status == JS_OK) {
        status = find_first(items, &stores, why);
    }
    js_stores_deinit(&stores);
    return status;
}

void js_items_deinit(js_items *items)
{
    free(items->chunk);
    *items = (js_items){0};
}

void js_items_seek(js_items *items, uint64_t index)
{
    items->at = index;
    items->chunk_count = 0;
}

void js_items_seek_on(js_items *items, uint64_t count)
{
    items->at += count;
}

/* Read slots from `at` on: as many as are wanted and fit; only one if more would reach into memory that
 * cannot be read. */
static int read_ahead(js_items *items, js_render *render, uint64_t most)
{
    uint64_t size = items->item->size, count = size < CHUNK ? CHUNK / size : 1;
    bool is_run = items->stride == size;
    count = !is_run ? 1 : count > items->slots - items->at ? items->slots - items->at : count;
    count = items->type->kind == JS_KIND_LIST && count > most ? (most ? most : 1) : count;
    if (count > items->chunk_room) {
        uint8_t *chunk = realloc(items->chunk, count * size);
        if (!chunk) {
            return JS_ENOMEM;
        }
        items->chunk = chunk;
        items->chunk_room = count;
    }
    uint64_t address = items->address + items->at * items->stride;
    int status = JS_EFAULT;
    for (; count; count = count > 1 ? 1 : 0) {
        if (size > render->left) {
            return JS_ELIMIT;
        }
        uint64_t now = count <= render->left / size ? count : render->left / size;
        status = render->bytes ? js_bytes_read_elements(render->bytes, address, items->chunk, now * size)
                               : JS_EFAULT;
        if (status == JS_OK) {
            items->chunk_at = items->at;
            items->chunk_count = now;
            return JS_OK;
        }
        if (status != JS_EFAULT) {
            return status;
        }
    }
    items->bad_address = address;
    items->bad_size = size;
    return status;
}

/* Give the bytes of the slot `at`, which count as read unless it is a hole. */
static int slot(js_items *items, js_render *render, uint64_t most, const uint8_t **contents)
{
    if (items->at < items->chunk_at || items->at >= items->chunk_at + items->chunk_count) {
        int status = read_ahead(items, render, most);
        if (status) {
            return status;
        }
    }
    *contents = items->chunk + (items->at - items->chunk_at) * items->item->size;
    return JS_OK;
}

static bool is_hole(const js_items *items, const uint8_t *contents)
{
    const js_member *hash = items->type->holes ? js_type_member(items->item, JS_ROLE_HASH) : NULL;
    if (!hash) {
        return false;
    }
    int64_t number = js_load_int(contents + hash->offset, hash->type->size);
    return number < 0 && number >= -(int64_t)items->type->holes;
}

int js_items_next(js_items *items, js_render *render, uint64_t most, const uint8_t **contents,
                  uint64_t *address)
{
    static const uint8_t nothing[1];
    uint64_t size = items->item->size;
    while (items->at < items->slots) {
        uint64_t place = items->address + items->at * items->stride;
        if (size == 0) {
            if (render->left == 0) {
                return JS_ELIMIT;
            }
            render->left--;
            items->at++;
            *contents = nothing;
            *address = place;
            return JS_OK;
        }
        const uint8_t *bytes;
        int status = slot(items, render, most, &bytes);
        if (status) {
            return status;
        }
        items->at++;
        if (is_hole(items, bytes)) {
            items->skipped += size;
            if (items->skipped > SKIP) {
                return JS_ELIMIT;
            }
            continue;
        }
        if (size > render->left) {
            return JS_ELIMIT;
        }
        render->left -= size;
        *contents = bytes;
        *address = place;
        return JS_OK;
    }
    return JS_ENOTFOUND;
}

/* ---- parts ---- */

const uint8_t *js_part_of(js_render *render, const js_member *member, const uint8_t *contents,
                          uint8_t *buffer, size_t room, const js_type **type, int *status)
{
    *type = member->type;
    *status = JS_OK;
    if (member->role != JS_ROLE_REFERENCE || !member->type->target) {
        return contents + member->offset;
    }
    *type = member->type->target;
    if (render->bytes && render->bytes->watch) {
        js_watch_read(render->bytes->watch, js_load_uint(contents + member->offset, 8), (*type)->size, true);
    }
    *status = (*type)->size > room
                  ? JS_ELIMIT
                  : js_render_read(render, js_load_uint(contents + member->offset, 8), buffer, (*type)->size);
    return *status ? NULL : buffer;
}
