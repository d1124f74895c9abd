/* Reads the reads and writes that the workers of a parallel loop have recorded (jitscope.h), and compares
 * them. records_json.c writes the result. */
#ifndef JS_PROGRAM_PARALLEL_RECORDS_H
#define JS_PROGRAM_PARALLEL_RECORDS_H

#include "bytes/descriptor.h"
#include "program/parallel/access_ranges.h"

enum { JS_PLACES_MAX = 64 }; /* elements of one overlap that are listed, at most */

/* The elements that one worker has written, or read, last at one site. */
typedef struct js_range {
    uint32_t array, site; /* indices in the worker's record */
    bool writes;
    js_boxes boxes;
} js_range;

typedef struct js_record_of {
    jitscope_record *record; /* owned; its counts are within bounds, and its texts end with a NUL */
    js_range *ranges;        /* owned */
    size_t nranges, capacity;
} js_record_of;

/* A site of a record, and whether it writes. */
typedef struct js_side {
    size_t record; /* index in js_records.items */
    uint32_t site; /* index in the record */
    bool writes;
} js_side;

/* Elements that two workers access at two sites; one of the two writes. */
typedef struct js_overlap {
    js_side sides[2]; /* the first side writes */
    uint32_t array;   /* the array's index in the first side's record */
    uint64_t elements;
    int64_t places[JS_PLACES_MAX][JITSCOPE_DIMENSIONS_MAX]; /* indices of the first elements */
    uint32_t workers[JS_PLACES_MAX][2];                     /* for each of these the two workers */
    uint32_t nplaces;
} js_overlap;

typedef struct js_records {
    jitscope_recorded head;
    uint64_t launch;     /* the newest launch with a record; 0: none */
    js_record_of *items; /* the records of this launch, in order of the workers; owned */
    size_t count, capacity;
    js_overlap *overlaps; /* owned */
    size_t noverlaps, overlap_capacity;
    bool is_cut; /* overlaps of further sites were left out */
} js_records;

/* Read and compare the records. `records` must be zero, and the caller releases it by js_records_deinit(),
 * whatever is returned. JS_ENOTFOUND: the target records nothing; JS_EBAD: malformed; JS_ELIMIT: too large;
 * JS_ENOMEM; errors of `memory`. */
int js_records_read(js_records *records, js_bytes *memory, const jitscope_descriptor *head);
void js_records_deinit(js_records *records);

/* Fill `axes` with the numbers of the array's axes in the order of js_box. */
void js_array_axes(const jitscope_recorded_array *array, uint32_t *axes);
/* Return the index of the record's first array that has the byte at the address, and set `at` to the indices
 * of its element in the order of js_box. record->narrays: no array has it. */
uint32_t js_array_at(const jitscope_record *record, uint64_t address, int64_t *at);

#endif
