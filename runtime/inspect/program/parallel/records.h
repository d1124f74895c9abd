/* What the workers of a parallel loop have recorded of their reads and writes (jitscope.h), read and
 * compared. */
#ifndef JS_PROGRAM_PARALLEL_RECORDS_H
#define JS_PROGRAM_PARALLEL_RECORDS_H

#include "bytes/descriptor.h"
#include "program/parallel/access_ranges.h"

enum { JS_PLACES_MAX = 64 };

/* Elements that one worker has written (or read) last at one site. */
typedef struct js_range {
    uint32_t array, site; /* in its record */
    bool writes;
    js_boxes boxes;
} js_range;

typedef struct js_record_of {
    jitscope_record *record; /* owned; its counts are within bounds, its texts end */
    js_range *ranges;        /* owned */
    size_t nranges, capacity;
} js_record_of;

/* A site of a record: -1 where it has no such one. */
typedef struct js_side {
    size_t record;
    uint32_t site;
    bool writes;
} js_side;

/* Elements that two workers have, where one writes; the first ones. */
typedef struct js_overlap {
    js_side sides[2];
    uint32_t array; /* the array's index in the first side's record */
    uint64_t elements;
    int64_t places[JS_PLACES_MAX][JITSCOPE_DIMENSIONS_MAX];
    uint32_t workers[JS_PLACES_MAX][2];
    uint32_t nplaces;
} js_overlap;

typedef struct js_records {
    jitscope_recorded head;
    uint64_t launch;     /* the newest with a record; 0: none */
    js_record_of *items; /* this launch's records, in order of the workers; owned */
    size_t count, capacity;
    js_overlap *overlaps; /* owned */
    size_t noverlaps, overlap_capacity;
    bool is_cut; /* there are more overlaps of other sites */
} js_records;

/* `records` is zeroed, and released whatever is returned. JS_ENOTFOUND: the target records nothing. */
int js_records_read(js_records *records, js_bytes *memory, const jitscope_descriptor *head);
void js_records_deinit(js_records *records);

/* The axes of an array in the order of js_box. */
void js_array_axes(const jitscope_recorded_array *array, uint32_t *axes);
/* The first of a record's arrays that has the byte, and the indices of its element in the order of js_box;
 * narrays: none has it. */
uint32_t js_array_at(const jitscope_record *record, uint64_t address, int64_t *at);

#endif
