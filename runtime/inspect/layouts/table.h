/* The table of the types of one target, and what debug information says of them. Internal to layouts/. */
#ifndef JS_LAYOUTS_TABLE_H
#define JS_LAYOUTS_TABLE_H

#include "layouts/build.h"

typedef struct js_table_entry js_table_entry;
typedef struct js_table_described js_table_described;
typedef struct js_table_fields js_table_fields;
typedef struct js_table_frame js_table_frame;
typedef struct js_stops js_stops;
typedef struct js_named_parts js_named_parts;

/* What js_types_set_parts() was given (named_parts.c). */
typedef struct js_named_parts_table {
    js_named_parts *first;
    bool has_several; /* true if two classes have one text */
} js_named_parts_table;

struct js_types {
    js_arena arena;
    const js_type_texts *texts;    /* the functions that read these types' names */
    js_table_described *described; /* table.c */
    js_table_entry **buckets;
    size_t nbuckets, nentries;
    js_table_fields *fields;    /* fields.c */
    js_table_frame *frames;     /* frames.c */
    js_named_parts_table parts; /* named_parts.c */
    js_stops *stops;            /* stops.c */
    js_coded_fn coded;          /* js_types_set_coded */
    void *coded_context;
};

/* Create a table whose types have names that `texts`, which is borrowed, reads. The caller frees it with
 * js_types_destroy. */
int js_types_create_with(const js_type_texts *texts, js_types **out);
/* Return the type that was built of this text and storage before, or NULL; keep a type for later calls. */
const js_type *js_types_find(const js_build *build);
int js_types_keep(const js_build *build, const js_type *type);
/* Return the type of the described layout of this name, or NULL. */
const js_type *js_types_described_as(const js_types *types, js_span name);

#endif
