/* Builds the types of lists, sets and dicts. Source: numba/cext/{listobject,dictobject,setobject}.h for
 * numba/typed/, and the payloads in numba/core/datamodel/models.py for numba/cpython/{listobj,setobj}.py;
 * 0.42 to 0.68. */
#include "bytes/text.h"
#include "layouts/numba/numba.h"

static const js_span absent = {NULL, 0};

static bool is_known(const js_type *type)
{
    return type->kind != JS_KIND_OPAQUE || type->size != 0;
}

/* Build the type of an item in memory. JS_EUNSUP: its layout is not known. */
static int item_type(const js_build *build, js_span text, const js_type **out)
{
    int status = js_numba_inner(build, text, absent, true, out);
    return status == JS_OK && !is_known(*out) ? JS_EUNSUP : status;
}

/* Build a reflected container {meminfo, parent}, whose payload is in counted memory. */
static int reflected(const js_build *build, const js_type *payload, js_type *type)
{
    const js_type *managed;
    int status = js_numba_managed(build, payload, &managed);
    if (status) {
        return status;
    }
    const js_numba_row rows[] = {{"meminfo", NULL, JS_ROLE_STORE, managed},
                                 {"parent", "pyobject", JS_ROLE_PARENT, NULL}};
    return js_numba_rows(build, rows, 2, type);
}

/* Build a typed container {meminfo, data}, where data is the C structure. */
static int typed(const js_build *build, const js_type *store, js_type *type)
{
    const js_type *managed, *pointer;
    int status = js_numba_managed(build, NULL, &managed);
    if (status == JS_OK) {
        status = js_numba_pointer(build, store, &pointer);
    }
    if (status) {
        return status;
    }
    const js_numba_row rows[] = {{"meminfo", NULL, JS_ROLE_MEMINFO, managed},
                                 {"data", NULL, JS_ROLE_STORE, pointer}};
    return js_numba_rows(build, rows, 2, type);
}

/* Return "NAME[ITEM]", by which repr() begins. */
static const char *prefix(const js_build *build, const char *class_name, js_span item, const char *end)
{
    js_text text;
    js_text_init(&text, 0);
    js_text_printf(&text, "%s[%.*s]%s", class_name, (int)item.size, item.at, end);
    const char *kept = text.status ? NULL : js_arena_strdup(js_types_arena(build->types), text.data);
    js_text_deinit(&text);
    return kept;
}

/* Build a ListPayload: the items follow the header. */
static int list_type(const js_build *build, js_span item, js_type *type)
{
    const js_type *payload;
    int status = item_type(build, item, &type->target);
    if (status) {
        return status;
    }
    const js_numba_row rows[] = {{"size", "int64", JS_ROLE_LENGTH, NULL},
                                 {"allocated", "int64", JS_ROLE_CAPACITY, NULL},
                                 {"dirty", "bool", JS_ROLE_NONE, NULL},
                                 {"data", NULL, JS_ROLE_ITEMS, type->target}};
    status = js_numba_structure(build, "payload", rows, 4, &payload);
    type->kind = JS_KIND_LIST;
    return status ? status : reflected(build, payload, type);
}

/* Build an NB_List: the items are elsewhere. */
static int typed_list(const js_build *build, js_span item, js_type *type)
{
    const js_type *store, *pointer;
    int status = item_type(build, item, &type->target);
    if (status == JS_OK) {
        status = js_numba_pointer(build, type->target, &pointer);
    }
    if (status) {
        return status;
    }
    const js_numba_row rows[] = {
        {"size", "int64", JS_ROLE_LENGTH, NULL},        {"item_size", "int64", JS_ROLE_ITEMSIZE, NULL},
        {"allocated", "int64", JS_ROLE_CAPACITY, NULL}, {"is_mutable", "int32", JS_ROLE_NONE, NULL},
        {"item_incref", "void*", JS_ROLE_NONE, NULL},   {"item_decref", "void*", JS_ROLE_NONE, NULL},
        {"items", NULL, JS_ROLE_DATA, pointer}};
    status = js_numba_structure(build, "NB_List", rows, sizeof rows / sizeof rows[0], &store);
    type->kind = JS_KIND_LIST;
    type->prefix = prefix(build, "ListType", item, "");
    return status ? status : type->prefix ? typed(build, store, type) : JS_ENOMEM;
}

/* Build a SetPayload: the table follows the header. An entry's hash is -1 if the entry was never used, and -2
 * if it was deleted. */
static int set_type(const js_build *build, js_span key, js_type *type)
{
    const js_type *item, *payload;
    int status = item_type(build, key, &item);
    if (status) {
        return status;
    }
    const js_numba_row entry[] = {{"hash", "int64", JS_ROLE_HASH, NULL}, {"key", NULL, JS_ROLE_KEY, item}};
    status = js_numba_structure(build, "entry", entry, 2, &type->target);
    if (status) {
        return status;
    }
    const js_numba_row rows[] = {
        {"fill", "int64", JS_ROLE_NONE, NULL},       {"used", "int64", JS_ROLE_LENGTH, NULL},
        {"mask", "int64", JS_ROLE_LAST_ENTRY, NULL}, {"finger", "int64", JS_ROLE_NONE, NULL},
        {"dirty", "bool", JS_ROLE_NONE, NULL},       {"entries", NULL, JS_ROLE_ITEMS, type->target}};
    status = js_numba_structure(build, "payload", rows, sizeof rows / sizeof rows[0], &payload);
    type->kind = JS_KIND_SET;
    type->holes = 2;
    return status ? status : reflected(build, payload, type);
}

static uint64_t round_up(uint64_t size)
{
    return (size + 7) / 8 * 8;
}

/* Build an entry of a C table: hash, key, value, each aligned to 8 (aligned_size). */
static int table_entry(const js_build *build, const js_type *key, const js_type *value, const js_type **out)
{
    js_type *entry = js_build_new(build->types, js_span_of("entry"));
    js_member *members = js_arena_alloc(js_types_arena(build->types), 3 * sizeof *members);
    const js_type *hash;
    int status = js_numba_inner(build, js_span_of("int64"), absent, true, &hash);
    if (!entry || !members || status) {
        return status ? status : JS_ENOMEM;
    }
    members[0] = (js_member){"hash", hash, 0, JS_ROLE_HASH};
    members[1] = (js_member){"key", key, 8, JS_ROLE_KEY};
    entry->size = 8 + round_up(key->size);
    if (value) {
        members[2] = (js_member){"value", value, entry->size, JS_ROLE_VALUE};
        entry->size += round_up(value->size);
    }
    js_numba_set(entry, JS_SHAPE_STRUCT, JS_KIND_STRUCT, entry->size);
    entry->align = 8;
    entry->members = members;
    entry->nmembers = value ? 3 : 2;
    *out = entry;
    return JS_OK;
}

/* Build NB_Dict with NB_DictKeys, or NB_Set with NB_SetKeys: indices of 1, 2, 4 or 8 bytes, then the entries
 * in the order of insertion. A hash of -1: the entry was deleted. */
static int table(const js_build *build, const js_type *value, js_type *type)
{
    static const js_numba_row start[] = {{"size", "int64", JS_ROLE_NONE, NULL},
                                         {"usable", "int64", JS_ROLE_NONE, NULL},
                                         {"nentries", "int64", JS_ROLE_ENTRIES, NULL},
                                         {"key_size", "int64", JS_ROLE_NONE, NULL}};
    static const js_numba_row end[] = {{"entry_size", "int64", JS_ROLE_ITEMSIZE, NULL},
                                       {"entry_offset", "int64", JS_ROLE_ITEMS_OFFSET, NULL}};
    js_numba_row rows[16];
    size_t count = 0;
    memcpy(rows, start, sizeof start);
    count += sizeof start / sizeof start[0];
    if (value) {
        rows[count++] = (js_numba_row){"val_size", "int64", JS_ROLE_NONE, NULL};
    }
    memcpy(rows + count, end, sizeof end);
    count += sizeof end / sizeof end[0];
    for (unsigned methods = value ? 5 : 3; methods; methods--) {
        rows[count++] = (js_numba_row){"method", "void*", JS_ROLE_NONE, NULL};
    }
    rows[count++] = (js_numba_row){"indices", NULL, JS_ROLE_ITEMS, type->target};
    const js_type *keys, *pointer, *whole;
    int status = js_numba_structure(build, "keys", rows, count, &keys);
    if (status == JS_OK) {
        status = js_numba_pointer(build, keys, &pointer);
    }
    if (status) {
        return status;
    }
    const js_numba_row head[] = {{"used", "int64", JS_ROLE_LENGTH, NULL},
                                 {"keys", NULL, JS_ROLE_STORE, pointer}};
    status = js_numba_structure(build, "table", head, 2, &whole);
    type->holes = 1;
    return status ? status : typed(build, whole, type);
}

static int dict_type(const js_build *build, js_span inside, js_type *type)
{
    js_span key, value;
    const js_type *key_type, *value_type;
    if (!js_span_next_item(&inside, &key) || !js_span_next_item(&inside, &value) ||
        js_span_trim(inside).size) {
        return JS_EUNSUP;
    }
    int status = item_type(build, key, &key_type);
    if (status == JS_OK) {
        status = item_type(build, value, &value_type);
    }
    if (status == JS_OK) {
        status = table_entry(build, key_type, value_type, &type->target);
    }
    if (status) {
        return status;
    }
    js_text both;
    js_text_init(&both, 0);
    js_text_printf(&both, "%.*s,%.*s", (int)key.size, key.at, (int)value.size, value.at);
    type->kind = JS_KIND_DICT;
    type->prefix =
        both.status ? NULL : prefix(build, "DictType", (js_span){both.data, both.length}, "<iv=None>");
    js_text_deinit(&both);
    return type->prefix ? table(build, value_type, type) : JS_ENOMEM;
}

static int typed_set(const js_build *build, js_span key, js_type *type)
{
    const js_type *key_type;
    int status = item_type(build, key, &key_type);
    if (status == JS_OK) {
        status = table_entry(build, key_type, NULL, &type->target);
    }
    if (status) {
        return status;
    }
    type->kind = JS_KIND_SET;
    type->prefix = prefix(build, "SetType", key, "<iv=None>");
    return type->prefix ? table(build, NULL, type) : JS_ENOMEM;
}

/* Families of containers, by their names and as repr() writes them within other names. */
static const struct family {
    const char *opening;
    char closing;
    bool has_flag; /* "List(int64, True)" */
    int (*make)(const js_build *, js_span, js_type *);
} families[] = {
    {"reflected list(", ')', false, list_type},
    {"list(", ')', false, list_type},
    {"List(", ')', true, list_type},
    {"reflected set(", ')', false, set_type},
    {"set(", ')', false, set_type},
    {"Set(", ')', true, set_type},
    {"ListType[", ']', false, typed_list},
    {"ListType(", ')', false, typed_list},
    {"DictType[", ']', false, dict_type},
    {"DictType(", ')', false, dict_type},
    {"SetType[", ']', false, typed_set},
};

int js_numba_container(const js_build *build, js_type *type)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        js_span text = build->name, inside, first;
        if (!js_span_eat(&text, families[i].opening)) {
            continue;
        }
        if (!js_numba_inside(&text, families[i].closing, &inside) ||
            (text.size && !js_span_starts(text, "<iv="))) {
            return JS_EUNSUP;
        }
        if (families[i].has_flag && js_span_next_item(&inside, &first)) {
            inside = first;
        }
        return families[i].make(build, inside, type);
    }
    return JS_EUNSUP;
}
