/* What the parsers of type texts share: the text that is being parsed, and functions that build types.
 * Internal to layouts/. */
#ifndef JS_LAYOUTS_BUILD_H
#define JS_LAYOUTS_BUILD_H

#include "layouts/span.h"
#include "layouts/type.h"

enum {
    JS_TYPE_DEPTH = 64,        /* most nesting of type texts */
    JS_TYPE_MEMBERS = 4096,    /* most members of one type */
    JS_TYPE_TEXT = 1 << 20,    /* most bytes of one text */
    JS_TYPE_ARENA = 256 << 20, /* most bytes of all types of one target */
};
#define JS_TYPE_SIZE ((uint64_t)1 << 40) /* most bytes of one value */
/* The beginning of the name of a text literal's type (numba/core/types/abstract.py, Literal.__init__). */
#define JS_TYPE_TEXT_LITERAL "Literal[str]("

/* The text that is being parsed, and what the type is for: a variable, or an element of an array or field of
 * a record in memory (`in_data`). */
typedef struct js_build {
    js_types *types;
    js_span name;
    js_span storage; /* the compiler's structure text; at NULL: not given */
    bool in_data;
    unsigned depth; /* nesting of the text within others */
} js_build;

/* The functions that read the names which one compiler gives its types. */
typedef struct js_type_texts {
    /* Build the type of a text; its storage is compared by the caller. JS_EUNSUP: the text is not understood.
     */
    int (*type)(const js_build *build, js_type **out);
    /* Find the name of a type by its structure alone, for debug information without names. False: the
     * structure fits no type. */
    bool (*unnamed)(js_span storage, char *out, size_t room);
    /* Return names for the members of a structure of this name that is shown member by member, *count of
     * them; NULL: none are known. */
    const char *const *(*member_names)(js_span name, size_t *count);
} js_type_texts;

/* Build the type of build->name, or find it in the table. An unknown text gives an opaque type: never
 * JS_EUNSUP. JS_ENOMEM, JS_ELIMIT. */
int js_build_type(const js_build *build, const js_type **out);
/* Build the type of a compiler's structure text. JS_EUNSUP: it is no such text. */
int js_build_storage(js_types *types, js_span text, unsigned depth, const js_type **out);
/* Return the text of the index-th member (from 0) of a structure's or array's text; absent if there is none.
 */
js_span js_storage_member(js_span storage, uint64_t index);
/* Give a structure `count` members: set their offsets by their sizes and alignments, and the size and
 * alignment of the whole. JS_ELIMIT: it is too large. */
int js_build_lay_out(js_type *type, js_member *members, size_t count);

/* Return the arena that the table's types are built in. */
js_arena *js_types_arena(js_types *types);
/* Forget the types that were built. Those that were handed out stay as they are; new ones are built with what
 * is known now. */
void js_types_forget(js_types *types);
/* Return an empty type of this name, or a copy of a text, in the arena; NULL: there is no memory. */
js_type *js_build_new(js_types *types, js_span name);
char *js_build_text(js_types *types, js_span text);
/* Return the names of the `count` fields that js_types_set_fields() was given for a class; NULL: not known.
 */
const char *const *js_types_fields(js_types *types, js_span class_name, size_t count);
/* Find the text of the type with this number by the function that js_types_set_coded() was given. JS_EUNSUP:
 * there is no function, or it fails. */
int js_types_coded(js_types *types, uint64_t code, char *text, size_t room);
/* Return the frame that js_types_set_frame() was given for a generator of this type, or NULL. */
const js_type *js_types_frame(js_types *types, js_span name);
/* Return what js_types_set_stops() was given for a generator of this type, or NULL. */
const js_generator_facts *js_types_stops(js_types *types, js_span name);
/* True if js_types_set_parts() was called for a type of this text. *names: the names of its parts, NULL at
 * the end; NULL if several classes of this text differ. */
bool js_types_parts(js_types *types, js_span text, const char *const **names);
/* Return the members of an enum, NULL at the end. NULL: not known, or two classes of the name differ. */
const char *const *js_types_enumerators(js_types *types, js_span class_name);
/* Return "f<index>", the name of a member that has no other; NULL: there is no memory. */
const char *js_build_member_name(js_types *types, uint64_t index);

/* Layouts that the target describes. Return the type of a handle, or NULL; true if one has this name; keep a
 * type under its handle and its name. A kept name means its type from then on, whatever a parser makes of it.
 */
const js_type *js_types_described(const js_types *types, uint64_t descriptor, uint64_t handle);
bool js_types_is_described(const js_types *types, const char *name);
int js_types_keep_described(js_types *types, uint64_t descriptor, uint64_t handle, const js_type *type);

#endif
