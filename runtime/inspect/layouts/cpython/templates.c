/* Templates: how repr() is written for classes that only put parts of the object between words. Source:
 * Objects/{class,gen,func,descr,cell}object.c, Modules/{_functools,itertools,_zoneinfo}module.c and
 * Lib/collections/__init__.py of CPython 3.9 to 3.15.
 *
 * A part is {HOW PATH}: in PATH, `@16` follows the pointer there, and `.data` is an attribute. HOW is
 *     nothing  its repr()            =  a str without quotes      $  a C string
 *     #        a whole number        &  its address               !  its repr(), but nothing at all of None
 *     *        its items, a comma between them                    ,  and one before them
 *     ;        a comma and its repr(), unless that is 1           :  a dict's items as , key=value
 *     +        a whole number and one                             %  its items, tuples of names with dots
 *     ?WORDS|  WORDS and its repr(), nothing where it has none
 * The offsets are those with a GIL; only the one of 0 is not of an object's member.
 * {class} is the class's own name, {type} that name with its module. After [16=-1] or [16!=-1] a text is
 * written only if the number there is, or is not, -1; [b16=1] compares the byte there, [b16&1=1] bits of it.
 */
#include "layouts/cpython/internal.h"

#include <stdlib.h>
#include <string.h>

static const struct template
{
    const char *class_name;
    enum version from, to;
    const char *text;
}
templates[] = {
    {"method", PY_3_9, PY_3_15, "<bound method {=@16.__qualname__} of {@24}>"},
    {"generator", PY_3_9, PY_3_9, "<generator object {=@56} at {&}>"},
    {"generator", PY_3_10, PY_3_10, "<generator object {=@48} at {&}>"},
    {"generator", PY_3_11, PY_3_11, "<generator object {=@40} at {&}>"},
    {"generator", PY_3_12, PY_3_15, "<generator object {=@32} at {&}>"},
    {"coroutine", PY_3_9, PY_3_9, "<coroutine object {=@56} at {&}>"},
    {"coroutine", PY_3_10, PY_3_10, "<coroutine object {=@48} at {&}>"},
    {"coroutine", PY_3_11, PY_3_11, "<coroutine object {=@40} at {&}>"},
    {"coroutine", PY_3_12, PY_3_15, "<coroutine object {=@32} at {&}>"},
    {"staticmethod", PY_3_10, PY_3_15, "<staticmethod({@16})>"},
    {"classmethod", PY_3_10, PY_3_15, "<classmethod({@16})>"},
    {"method_descriptor", PY_3_9, PY_3_15, "<method '{=@24}' of '{$@16@24}' objects>"},
    {"classmethod_descriptor", PY_3_9, PY_3_15, "<method '{=@24}' of '{$@16@24}' objects>"},
    {"wrapper_descriptor", PY_3_9, PY_3_15, "<slot wrapper '{=@24}' of '{$@16@24}' objects>"},
    {"getset_descriptor", PY_3_9, PY_3_15, "<attribute '{=@24}' of '{$@16@24}' objects>"},
    {"member_descriptor", PY_3_9, PY_3_15, "<member '{=@24}' of '{$@16@24}' objects>"},
    {"method-wrapper", PY_3_9, PY_3_15, "<method-wrapper '{$@16@40@0}' of {$@24@8@24} object at {&@24}>"},
    {"cell", PY_3_9, PY_3_15, "<cell at {&}: {$@16@8@24} object at {&@16}>"},
    {"functools.partial", PY_3_9, PY_3_12, "{$@8@24}({@16}{,@24}{:@32})"},
    {"functools.partial", PY_3_13, PY_3_15, "{type}({@16}{,@24}{:@32})"},
    {"itertools.count", PY_3_9, PY_3_15, "[16!=9223372036854775807]count({#16})"},
    {"itertools.count", PY_3_9, PY_3_15, "[16=9223372036854775807]count({@24}{;@32})"},
    {"itertools.repeat", PY_3_9, PY_3_15, "[24=-1]repeat({@16})"},
    {"itertools.repeat", PY_3_9, PY_3_15, "[24!=-1]repeat({@16}, {#24})"},
    {"operator.itemgetter", PY_3_9, PY_3_15, "[16=1]operator.itemgetter({@24})"},
    {"operator.itemgetter", PY_3_9, PY_3_15, "[16!=1]operator.itemgetter({*@24})"},
    {"operator.attrgetter", PY_3_9, PY_3_15, "operator.attrgetter({%@24})"},
    {"operator.methodcaller", PY_3_13, PY_3_13, "operator.methodcaller({*@24}{:@32})"},
    {"operator.methodcaller", PY_3_9, PY_3_15, "operator.methodcaller({@16}{,@24}{:@32})"},
    {"_thread.RLock", PY_3_9, PY_3_13,
     "[32=0]<unlocked _thread.RLock object owner={#24} count={#32} at {&}>"},
    {"_thread.RLock", PY_3_9, PY_3_13, "[32!=0]<locked _thread.RLock object owner={#24} count={#32} at {&}>"},
    {"_thread.RLock", PY_3_14, PY_3_15,
     "[b16&1=0]<unlocked _thread.RLock object owner={#24} count=0 at {&}>"},
    {"_thread.RLock", PY_3_14, PY_3_15,
     "[b16&1=1]<locked _thread.RLock object owner={#24} count={+32} at {&}>"},
    {"_io.TextIOWrapper", PY_3_9, PY_3_15,
     "<_io.TextIOWrapper{? name=|.name}{? mode=|.mode} encoding={@40}>"},
    {"_io.BufferedReader", PY_3_9, PY_3_15, "<{$@8@24}{? name=|.name}>"},
    {"_io.BufferedWriter", PY_3_9, PY_3_15, "<{$@8@24}{? name=|.name}>"},
    {"_io.BufferedRandom", PY_3_9, PY_3_15, "<{$@8@24}{? name=|.name}>"},
    {"typing.TypeVar", PY_3_12, PY_3_12, "[b56=0][b57=0][b58=0]~{=@16}"},
    {"typing.TypeVar", PY_3_12, PY_3_12, "[b56=1]+{=@16}"},
    {"typing.TypeVar", PY_3_12, PY_3_12, "[b57=1]-{=@16}"},
    {"typing.TypeVar", PY_3_12, PY_3_12, "[b58=1]{=@16}"},
    {"typing.TypeVar", PY_3_13, PY_3_15, "[b72=0][b73=0][b74=0]~{=@16}"},
    {"typing.TypeVar", PY_3_13, PY_3_15, "[b72=1]+{=@16}"},
    {"typing.TypeVar", PY_3_13, PY_3_15, "[b73=1]-{=@16}"},
    {"typing.TypeVar", PY_3_13, PY_3_15, "[b74=1]{=@16}"},
    {"zoneinfo.ZoneInfo", PY_3_9, PY_3_15, "zoneinfo.ZoneInfo(key={!@16})"},
    {"numpy.ufunc", PY_3_9, PY_3_15, "<ufunc '{$@56}'>"},
    {"collections.ChainMap", PY_3_9, PY_3_15, "{class}({*.maps})"},
    {"collections.UserDict", PY_3_9, PY_3_15, "{.data}"},
    {"collections.UserList", PY_3_9, PY_3_15, "{.data}"},
    {"collections.UserString", PY_3_9, PY_3_15, "{.data}"},
    {"numba.core.types.abstract.Type", PY_3_9, PY_3_15, "{=.name}"},
};

/* True if the conditions at *text ("[16=-1]", "[b16=1]", "[b16&1=1]") hold; *text is then after them. */
static bool guards(const js_form_search *self, const char **text)
{
    bool is_met = true;
    while (**text == '[') {
        char *end;
        uint64_t number;
        bool is_byte = (*text)[1] == 'b';
        unsigned offset = (unsigned)strtoul(*text + 1 + is_byte, &end, 10);
        uint64_t bits = *end == '&' ? strtoul(end + 1, &end, 10) : is_byte ? 0xff : UINT64_MAX;
        bool is_equal = *end == '=';
        int64_t wanted = strtoll(end + (is_equal ? 1 : 2), &end, 10);
        *text = end + 1;
        is_met = is_met && js_know_word(self, offset, &number) == JS_OK &&
                 ((int64_t)(number & bits) == wanted) == is_equal;
    }
    return is_met;
}

bool js_know_template(const js_form_search *self, const char *class_name)
{
    for (size_t i = 0; i < sizeof templates / sizeof templates[0]; i++) {
        const struct template *each = &templates[i];
        const char *text = each->text;
        if (self->object->facts->version >= each->from && self->object->facts->version <= each->to &&
            strcmp(each->class_name, class_name) == 0 && guards(self, &text)) {
            self->out->form = JS_FORM_TEMPLATE;
            self->out->words = text;
            return true;
        }
    }
    return false;
}

static int attribute(js_bytes *bytes, uint64_t address, const char *name, uint64_t *out)
{
    enum { FILES = 4, TEXT_BUFFER = 32, BUFFER_RAW = 16 };
    js_python_object object;
    int status = js_object_read(bytes, address, &object);
    /* The name of a file is that of the file which it wraps. */
    for (unsigned i = 0; status == JS_OK && i < FILES && strcmp(name, "name") == 0; i++) {
        bool is_text = strcmp(object.class_name, "_io.TextIOWrapper") == 0;
        if (!is_text && strncmp(object.class_name, "_io.Buffered", 12) != 0) {
            break;
        }
        status = js_bytes_read_word(bytes, js_object_member(&object, is_text ? TEXT_BUFFER : BUFFER_RAW),
                                    &address);
        status = status ? status : !address ? JS_ENOTFOUND : js_object_read(bytes, address, &object);
    }
    if (status) {
        return status;
    }
    if (strcmp(object.class_name, "function") == 0 && strcmp(name, "__qualname__") == 0) {
        return js_bytes_read_word(bytes,
                                  js_object_member(&object, object.facts->version == PY_3_9 ? 104 : 40), out);
    }
    *out = js_object_attribute(bytes, &object, name);
    return *out ? JS_OK : JS_ENOTFOUND;
}

int js_object_follow(js_bytes *bytes, const js_python_object *object, const char *path, uint64_t *out)
{
    char name[32];
    *out = object->address;
    while (*path == '@' || *path == '.') {
        int status;
        if (*path == '@') {
            char *end;
            uint64_t offset = strtoul(path + 1, &end, 10);
            path = end;
            offset += offset ? object->facts->shift : 0;
            status = js_bytes_read_word(bytes, *out + offset, out);
        } else {
            size_t length = strcspn(++path, ".@}");
            if (length >= sizeof name) {
                return JS_ELIMIT;
            }
            memcpy(name, path, length);
            name[length] = '\0';
            path += length;
            status = attribute(bytes, *out, name, out);
        }
        if (status || !*out) {
            return status ? status : JS_ENOTFOUND;
        }
    }
    return JS_OK;
}
