/* Reads are answered by pages, and these are kept: the process does not run any more. */
#include "bytes/core/served.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bytes/reader.h"
#include "jitscope_report.h"

enum {
    PAGE = 4096,
    KEPT = 4096, /* pages: 16 MiB */
    AHEAD = 16   /* pages that are asked for at once */
};

_Static_assert(AHEAD *PAGE <= JITSCOPE_REPORT_LARGEST, "an answer has all of them");

typedef struct kept_page {
    uint64_t address; /* the address of a page; 1: none is kept here */
    bool is_there;    /* the process has this memory */
    uint8_t bytes[PAGE];
} kept_page;

struct js_served {
    int fd;
    uint8_t *head;
    size_t head_size;
    kept_page *pages; /* by the number of the page */
};

int js_served_create(int fd, const void *head, size_t size, js_served **out)
{
    js_served *served = calloc(1, sizeof *served);
    *out = served;
    if (!served) {
        return JS_ENOMEM;
    }
    served->fd = fd;
    served->head = malloc(size + 1);
    served->head_size = size;
    served->pages = malloc(KEPT * sizeof *served->pages);
    if (!served->head || !served->pages) {
        js_served_destroy(served);
        *out = NULL;
        return JS_ENOMEM;
    }
    memcpy(served->head, head, size);
    for (size_t i = 0; i < KEPT; i++) {
        served->pages[i].address = 1;
    }
    return JS_OK;
}

void js_served_destroy(js_served *served)
{
    if (served) {
        free(served->head);
        free(served->pages);
        free(served);
    }
}

static bool pass(int fd, void *buffer, size_t size, bool is_reading)
{
    for (size_t done = 0; done < size;) {
        ssize_t moved = is_reading ? read(fd, (char *)buffer + done, size - done)
                                   : write(fd, (char *)buffer + done, size - done);
        if (moved <= 0 && !(moved < 0 && errno == EINTR)) {
            return false;
        }
        done += moved > 0 ? (size_t)moved : 0;
    }
    return true;
}

static kept_page *slot_of(js_served *served, uint64_t address)
{
    return &served->pages[address / PAGE % KEPT];
}

/* Ask for this page and those behind it: a stack is read upwards. What the answer has of them is kept. */
static kept_page *page_at(js_served *served, uint64_t address)
{
    kept_page *page = slot_of(served, address);
    if (page->address == address) {
        return page;
    }
    jitscope_report_request request = {JITSCOPE_REPORT_READ_MEMORY, address, AHEAD * PAGE};
    int64_t count = 0;
    bool is_answered = pass(served->fd, &request, sizeof request, false) &&
                       pass(served->fd, &count, sizeof count, true) && count <= AHEAD * PAGE;
    page->address = address;
    page->is_there = false;
    for (uint64_t here = address; is_answered && count >= PAGE; here += PAGE, count -= PAGE) {
        kept_page *next = slot_of(served, here);
        next->address = here;
        next->is_there = is_answered = pass(served->fd, next->bytes, PAGE, true);
    }
    uint8_t rest[PAGE];
    if (is_answered && count > 0) {
        pass(served->fd, rest, (size_t)count, true);
    }
    return page;
}

int js_served_read(js_served *served, uint64_t offset, void *buffer, size_t size)
{
    if (offset < JITSCOPE_REPORT_MEMORY) {
        if (offset > served->head_size || size > served->head_size - offset) {
            return JS_EFAULT;
        }
        memcpy(buffer, served->head + offset, size);
        return JS_OK;
    }
    uint64_t address = offset - JITSCOPE_REPORT_MEMORY;
    for (size_t done = 0; done < size;) {
        uint64_t here = address + done, start = here / PAGE * PAGE;
        size_t rest = (size_t)(start + PAGE - here), some = rest < size - done ? rest : size - done;
        const kept_page *page = page_at(served, start);
        if (!page->is_there) {
            return JS_EFAULT;
        }
        memcpy((char *)buffer + done, page->bytes + (here - start), some);
        done += some;
    }
    return JS_OK;
}
