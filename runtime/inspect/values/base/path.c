/* Parses paths of attributes and subscripts. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/status.h"

#include "values/base/path.h"

static void skip_blanks(const char **at)
{
    while (**at == ' ' || **at == '\t') {
        ++*at;
    }
}

static bool is_name_byte(char c, bool is_first)
{
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
    return is_letter || (!is_first && c >= '0' && c <= '9');
}

static int parse_name(const char **at, js_path_step *step)
{
    size_t size = 0;
    while (is_name_byte((*at)[size], size == 0)) {
        size++;
    }
    if (size == 0) {
        return JS_EBAD;
    }
    if (size >= sizeof step->name) {
        return JS_ELIMIT;
    }
    memcpy(step->name, *at, size);
    step->name[size] = '\0';
    *at += size;
    return JS_OK;
}

static int parse_quoted(const char **at, js_path_step *step)
{
    char quote = **at;
    const char *end = strchr(++*at, quote);
    if (!end || memchr(*at, '\\', (size_t)(end - *at))) {
        return JS_EBAD;
    }
    size_t size = (size_t)(end - *at);
    if (size >= sizeof step->name) {
        return JS_ELIMIT;
    }
    memcpy(step->name, *at, size);
    step->name[size] = '\0';
    step->is_field = true;
    *at = end + 1;
    return JS_OK;
}

/* Read a number. JS_ENOTFOUND: there is none. */
static int parse_number(const char **at, int64_t *out)
{
    skip_blanks(at);
    const char *digits = *at + (**at == '-' || **at == '+');
    if (*digits < '0' || *digits > '9') {
        return digits == *at ? JS_ENOTFOUND : JS_EBAD;
    }
    char *end;
    errno = 0;
    *out = strtoll(*at, &end, 10);
    *at = end;
    skip_blanks(at);
    return errno ? JS_ELIMIT : JS_OK;
}

/* Read a slice from the ':' after its first number on. */
static int parse_slice(const char **at, js_path_item *item)
{
    item->kind = JS_ITEM_SLICE;
    item->step = 1;
    ++*at;
    int status = parse_number(at, &item->stop);
    item->has_stop = status == JS_OK;
    if (status && status != JS_ENOTFOUND) {
        return status;
    }
    if (**at == ':') {
        ++*at;
        status = parse_number(at, &item->step);
        if (status && status != JS_ENOTFOUND) {
            return status;
        }
    }
    return JS_OK;
}

static int parse_item(const char **at, js_path_item *item)
{
    *item = (js_path_item){0};
    skip_blanks(at);
    if (strncmp(*at, "...", 3) == 0) {
        item->kind = JS_ITEM_ELLIPSIS;
        *at += 3;
        skip_blanks(at);
        return JS_OK;
    }
    int status = parse_number(at, &item->index);
    if (**at == ':' && (status == JS_OK || status == JS_ENOTFOUND)) {
        item->has_start = status == JS_OK;
        item->start = item->index;
        return parse_slice(at, item);
    }
    return status == JS_ENOTFOUND ? JS_EBAD : status;
}

static int parse_subscript(const char **at, js_path_step *step)
{
    skip_blanks(at);
    int status;
    if (**at == '\'' || **at == '"') {
        status = parse_quoted(at, step);
        skip_blanks(at);
    } else {
        do {
            if (step->count == JS_PATH_ITEMS) {
                return JS_ELIMIT;
            }
            status = parse_item(at, &step->items[step->count]);
            if (status) {
                return status;
            }
            step->count++;
            if (**at != ',') {
                break;
            }
            ++*at;
            skip_blanks(at);
        } while (**at != ']');
    }
    if (status == JS_OK && *(*at)++ != ']') {
        --*at;
        return JS_EBAD;
    }
    return status;
}

int js_path_next(const char **path, js_path_step *step)
{
    *step = (js_path_step){0};
    skip_blanks(path);
    switch (**path) {
    case '\0':
        return JS_ENOTFOUND;
    case '.':
        ++*path;
        skip_blanks(path);
        step->is_attribute = true;
        return parse_name(path, step);
    case '[':
        ++*path;
        return parse_subscript(path, step);
    default:
        return JS_EBAD;
    }
}

static int64_t clip(int64_t bound, int64_t length, int64_t step)
{
    if (bound < 0) {
        bound += length;
        return bound < 0 ? (step < 0 ? -1 : 0) : bound;
    }
    return bound < length ? bound : (step < 0 ? length - 1 : length);
}

/* Compute the indices of a slice as PySlice_AdjustIndices does (Objects/sliceobject.c of CPython 3.11). */
int64_t js_path_slice(const js_path_item *item, int64_t length, int64_t *start)
{
    int64_t step = item->step == INT64_MIN ? -INT64_MAX : item->step;
    int64_t first = item->has_start ? clip(item->start, length, step) : (step < 0 ? length - 1 : 0);
    int64_t last = item->has_stop ? clip(item->stop, length, step) : (step < 0 ? -1 : length);
    *start = first;
    if (step < 0) {
        return last < first ? (first - last - 1) / -step + 1 : 0;
    }
    return first < last ? (last - first - 1) / step + 1 : 0;
}
