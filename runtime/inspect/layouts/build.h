/* What the parsers of type texts share. Internal to layouts/. */
#ifndef JS_LAYOUTS_BUILD_H
#define JS_LAYOUTS_BUILD_H

#include "layouts/span.h"
#include "layouts/type.h"

enum {
    JS_TYPE_DEPTH = 64,        /* nesting of type texts */
    JS_TYPE_MEMBERS = 4096,    /* members of one type */
    JS_TYPE_TEXT = 1 << 20,    /* bytes of one text */
    JS_TYPE_ARENA = 256 << 20, /* bytes of all types of one target */
};
#define JS_TYPE_SIZE ((uint64_t)1 << 40) /* bytes of one value */
/* How the name of a text literal's type begins (numba/core/types/abstract.py, Literal.__init__). */
#define JS_TYPE_TEXT_LITERAL "Literal[str]("

/* The text that is being parsed, and the place that it is for: a variable, or memory of an array's element or
 * a record's field.
 */
typedef struct js_build {
    js_types *types;
    js_span name;
    js_span storage; /* at is NULL: not given */
    bool in_data;
    unsigned depth;
} js_build;

/* Reads the names that a compiler gives its types. */
typedef struct js_type_texts {
    /* JS_EUNSUP: not a text that is understood. The storage has not been compared yet. */
    int (*type)(const js_build *build, js_type **out);
    /* Find the name of a type by its structure alone, for debug information that has no names; false: it fits
     * none. */
    bool (*unnamed)(js_span storage, char *out, size_t room);
    /* Names of the members of what is shown member by member; NULL when none is known. */
    const char *const *(*member_names)(js_span name, size_t *count);
} js_type_texts;

/* The type of build->name, cached. Never JS_EUNSUP. */
int js_build_type(const js_build *build, const js_type **out);
/* The type of a compiler's structure text. JS_EUNSUP: not such a text. */
int js_build_storage(js_types *types, js_span text, unsigned depth, const js_type **out);
/* The i-th member's text of a struct's or array's text; absent when there is none. */
js_span js_storage_member(js_span storage, uint64_t index);
/* How the members of such texts lie: offsets from sizes and alignments, and the whole. JS_ELIMIT when too
 * large. */
int js_build_lay_out(js_type *type, js_member *members, size_t count);

js_arena *js_types_arena(js_types *types);
/* Forget the types that were built: those handed out stay as they are, new ones use what is known now. */
void js_types_forget(js_types *types);
js_type *js_build_new(js_types *types, js_span name);
char *js_build_text(js_types *types, js_span text);
const char *const *js_types_fields(js_types *types, js_span class_name, size_t count);
/* Call the function that js_types_set_coded() was given; JS_EUNSUP: there is none, or it fails. */
int js_types_coded(js_types *types, uint64_t code, char *text, size_t room);
/* Return the frame that js_types_set_frame() was given for a generator of this type, or NULL. */
const js_type *js_types_frame(js_types *types, js_span name);
/* Return what js_types_set_stops() was given for a generator of this type, or NULL. */
const js_generator_told *js_types_stops(js_types *types, js_span name);
/* True if debug information names the parts of this type. *names: NULL at the end; NULL: several classes
 * differ. */
bool js_types_is_told(js_types *types, js_span text, const char *const **names);
/* The members of an enum, NULL at the end; NULL when not known, or when two classes of the name differ. */
const char *const *js_types_enumerators(js_types *types, js_span class_name);
/* "f<index>" */
const char *js_build_member_name(js_types *types, uint64_t index);

/* Layouts that the target described: by their handle, or NULL; and whether one has this name. A name that was
 * kept means its type from then on, whatever a parser makes of it. */
const js_type *js_types_described(const js_types *types, uint64_t descriptor, uint64_t handle);
bool js_types_is_described(const js_types *types, const char *name);
int js_types_keep_described(js_types *types, uint64_t descriptor, uint64_t handle, const js_type *type);

#endif
