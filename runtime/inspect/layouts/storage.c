/* Parses LLVM's type texts, with typed pointers (`double*`) and opaque ones (`ptr`), and lays them out by the
 * natural alignment of the x86-64 and AArch64 ABIs (llvm/lib/IR/DataLayout.cpp, LLVM 14 to 22). */
#include "layouts/build.h"

static int parse(js_types *types, js_span *text, unsigned depth, js_type **out);

static uint64_t round_up(uint64_t value, uint64_t align)
{
    return (value + align - 1) / align * align;
}

int js_build_lay_out(js_type *type, js_member *members, size_t count)
{
    uint64_t offset = 0, align = 1;
    for (size_t i = 0; i < count; i++) {
        uint64_t member_align = members[i].type->align ? members[i].type->align : 1;
        align = member_align > align ? member_align : align;
        offset = round_up(offset, member_align);
        members[i].offset = offset;
        offset += members[i].type->size;
        if (offset > JS_TYPE_SIZE) {
            return JS_ELIMIT;
        }
    }
    type->members = members;
    type->nmembers = count;
    type->align = align;
    type->size = round_up(offset, align);
    return JS_OK;
}

static int set_scalar(js_type *type, js_shape shape, js_kind kind, uint64_t size, uint64_t align)
{
    type->shape = shape;
    type->kind = kind;
    type->size = size;
    type->align = align;
    return JS_OK;
}

static int set_integer(js_type *type, uint64_t bits)
{
    if (bits == 0 || bits > 8192) {
        return JS_EUNSUP;
    }
    uint64_t bytes = (bits + 7) / 8, align = 1;
    while (align < bytes && align < 16) {
        align *= 2;
    }
    if (bits == 1) {
        return set_scalar(type, JS_SHAPE_BOOL, JS_KIND_BOOL, 1, 1);
    }
    bool plain = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    type->is_signed = plain;
    return set_scalar(type, plain ? JS_SHAPE_INT : JS_SHAPE_OPAQUE, plain ? JS_KIND_INT : JS_KIND_OPAQUE,
                      round_up(bytes, align), align);
}

static int parse_word(js_span *text, js_type *type)
{
    static const struct {
        const char *word;
        js_shape shape;
        js_kind kind;
        uint64_t size, align;
    } words[] = {
        {"double", JS_SHAPE_FLOAT, JS_KIND_FLOAT, 8, 8},
        {"float", JS_SHAPE_FLOAT, JS_KIND_FLOAT, 4, 4},
        {"half", JS_SHAPE_FLOAT, JS_KIND_FLOAT, 2, 2},
        {"bfloat", JS_SHAPE_OPAQUE, JS_KIND_OPAQUE, 2, 2},
        {"x86_fp80", JS_SHAPE_OPAQUE, JS_KIND_OPAQUE, 16, 16},
        {"fp128", JS_SHAPE_OPAQUE, JS_KIND_OPAQUE, 16, 16},
        {"ptr", JS_SHAPE_POINTER, JS_KIND_POINTER, 8, 8},
        {"void", JS_SHAPE_VOID, JS_KIND_OPAQUE, 0, 1},
    };
    uint64_t bits;
    js_span rest = *text;
    if (js_span_eat(&rest, "i") && js_span_eat_uint(&rest, &bits)) {
        *text = rest;
        return set_integer(type, bits);
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (js_span_eat(text, words[i].word)) {
            return set_scalar(type, words[i].shape, words[i].kind, words[i].size, words[i].align);
        }
    }
    return JS_EUNSUP;
}

static void skip_blanks(js_span *text)
{
    while (js_span_eat(text, " ")) {
    }
}

/* Parse "{a, b}" or "<{a, b}>", after its opening brace. */
static int parse_struct(js_types *types, js_span *text, bool packed, unsigned depth, js_type *type)
{
    js_member few[16], *list = few;
    size_t count = 0, room = sizeof few / sizeof few[0];
    skip_blanks(text);
    while (!js_span_eat(text, "}")) {
        js_type *member;
        if (count && !js_span_eat(text, ",")) {
            return JS_EUNSUP;
        }
        int status = parse(types, text, depth, &member);
        if (status) {
            return status;
        }
        if (count == JS_TYPE_MEMBERS) {
            return JS_ELIMIT;
        }
        if (count == room) {
            js_member *more = js_arena_alloc(js_types_arena(types), 4 * room * sizeof *more);
            if (!more) {
                return JS_ENOMEM;
            }
            memcpy(more, list, count * sizeof *more);
            list = more;
            room *= 4;
        }
        list[count] = (js_member){js_build_member_name(types, count), member, 0, JS_ROLE_ELEMENT};
        if (!list[count++].name) {
            return JS_ENOMEM;
        }
        skip_blanks(text);
    }
    if (packed && !js_span_eat(text, ">")) {
        return JS_EUNSUP;
    }
    js_member *members = js_arena_alloc(js_types_arena(types), (count ? count : 1) * sizeof *members);
    if (!members) {
        return JS_ENOMEM;
    }
    memcpy(members, list, count * sizeof *members);
    type->shape = JS_SHAPE_STRUCT;
    type->kind = JS_KIND_STRUCT;
    if (!packed) {
        return js_build_lay_out(type, members, count);
    }
    type->members = members;
    type->nmembers = count;
    type->align = 1;
    for (size_t i = 0; i < count; i++) {
        members[i].offset = type->size;
        type->size += members[i].type->size;
        if (type->size > JS_TYPE_SIZE) {
            return JS_ELIMIT;
        }
    }
    return JS_OK;
}

/* Parse "[3 x i64]" or "<4 x double>", after its opening bracket. */
static int parse_array(js_types *types, js_span *text, const char *end, unsigned depth, js_type *type)
{
    uint64_t count;
    js_type *element;
    skip_blanks(text);
    if (!js_span_eat_uint(text, &count) || !js_span_eat(text, " x ")) {
        return JS_EUNSUP;
    }
    int status = parse(types, text, depth, &element);
    if (status) {
        return status;
    }
    skip_blanks(text);
    if (!js_span_eat(text, end)) {
        return JS_EUNSUP;
    }
    if (element->size && count > JS_TYPE_SIZE / element->size) {
        return JS_ELIMIT;
    }
    type->shape = JS_SHAPE_ARRAY;
    type->kind = JS_KIND_STRUCT;
    type->target = element;
    type->count = count;
    type->size = count * element->size;
    type->align = element->align;
    if (*end == '>') { /* a vector's size and alignment: the next power of two */
        uint64_t size = 1;
        while (size < type->size) {
            size *= 2;
        }
        set_scalar(type, JS_SHAPE_OPAQUE, JS_KIND_OPAQUE, size, size);
        type->target = NULL;
        type->count = 0;
    }
    return JS_OK;
}

static int parse_one(js_types *types, js_span *text, unsigned depth, js_type *type)
{
    if (js_span_eat(text, "<{")) {
        return parse_struct(types, text, true, depth, type);
    }
    if (js_span_eat(text, "{")) {
        return parse_struct(types, text, false, depth, type);
    }
    if (js_span_eat(text, "[")) {
        return parse_array(types, text, "]", depth, type);
    }
    if (js_span_eat(text, "<")) {
        return parse_array(types, text, ">", depth, type);
    }
    return parse_word(text, type);
}

static int parse(js_types *types, js_span *text, unsigned depth, js_type **out)
{
    if (depth >= JS_TYPE_DEPTH) {
        return JS_ELIMIT;
    }
    skip_blanks(text);
    const char *start = text->at;
    js_type *type = js_build_new(types, (js_span){start, 0});
    if (!type) {
        return JS_ENOMEM;
    }
    int status = parse_one(types, text, depth + 1, type);
    if (status) {
        return status;
    }
    type->name = js_build_text(types, (js_span){start, (size_t)(text->at - start)});
    for (unsigned stars = 0; type->name; stars++) {
        js_span rest = *text;
        skip_blanks(&rest);
        bool is_function = js_span_starts(rest, "(");
        if (is_function) { /* a function's type: only a pointer to it has a size */
            size_t end = js_span_find_outside(rest, "*");
            if (end == rest.size) {
                return JS_EUNSUP;
            }
            rest = js_span_skip(rest, end);
        }
        if (js_span_eat(&rest, "addrspace(")) {
            uint64_t space;
            if (!js_span_eat_uint(&rest, &space) || !js_span_eat(&rest, ")")) {
                return JS_EUNSUP;
            }
            if (type->shape == JS_SHAPE_POINTER && !js_span_starts(rest, "*")) {
                *text = rest; /* "ptr addrspace(1)" */
                continue;
            }
        }
        if (!js_span_eat(&rest, "*")) {
            break;
        }
        if (stars >= JS_TYPE_DEPTH) {
            return JS_ELIMIT;
        }
        *text = rest;
        js_type *pointer = js_build_new(types, (js_span){start, (size_t)(rest.at - start)});
        if (!pointer) {
            return JS_ENOMEM;
        }
        set_scalar(pointer, JS_SHAPE_POINTER, JS_KIND_POINTER, 8, 8);
        bool says_nothing =
            is_function || type->shape == JS_SHAPE_VOID || js_span_is(js_span_of(type->name), "i8");
        pointer->target = says_nothing ? NULL : type;
        type = pointer;
    }
    *out = type;
    return type->name ? JS_OK : JS_ENOMEM;
}

int js_build_storage(js_types *types, js_span text, unsigned depth, const js_type **out)
{
    js_type *type;
    int status = parse(types, &text, depth, &type);
    if (status) {
        return status;
    }
    skip_blanks(&text);
    *out = type;
    return text.size ? JS_EUNSUP : JS_OK;
}

js_span js_storage_member(js_span storage, uint64_t index)
{
    static const js_span absent = {NULL, 0};
    if (!storage.at) {
        return absent;
    }
    js_span text = js_span_trim(storage), item;
    uint64_t count;
    if (js_span_eat(&text, "{") && js_span_eat_end(&text, "}")) {
        while (js_span_next_item(&text, &item)) {
            if (index-- == 0) {
                return item;
            }
        }
    } else if (js_span_eat(&text, "[") && js_span_eat_end(&text, "]") && js_span_eat_uint(&text, &count) &&
               js_span_eat(&text, " x ") && index < count) {
        return text;
    }
    return absent;
}
