/* GDB's JIT reader, which passes each in-memory object to the callback. */
#include "reader/reader.h"

#include <gdb/jit-reader.h>
#include <stdlib.h>

#pragma GCC visibility push(default) /* GDB looks the marker up by name */
GDB_DECLARE_GPL_COMPATIBLE_READER
#pragma GCC visibility pop

static js_reader_fn reader_callback;

void js_reader_set_callback(js_reader_fn callback)
{
    reader_callback = callback;
}

static enum gdb_status reader_read(struct gdb_reader_funcs *self, struct gdb_symbol_callbacks *callbacks,
                                   void *image, long size)
{
    (void)self;
    if (!reader_callback || size <= 0 || !reader_callback(image, (size_t)size)) {
        return GDB_FAIL;
    }
    /* An object without symbols, so that GDB finds the entry again when it is unregistered. */
    callbacks->object_close(callbacks, callbacks->object_open(callbacks));
    return GDB_SUCCESS;
}

/* GDB unwinds with the call frame information of the corrected object; there is nothing to add. */
static enum gdb_status reader_unwind(struct gdb_reader_funcs *self, struct gdb_unwind_callbacks *callbacks)
{
    (void)self;
    (void)callbacks;
    return GDB_FAIL;
}

static struct gdb_frame_id reader_frame_id(struct gdb_reader_funcs *self,
                                           struct gdb_unwind_callbacks *callbacks)
{
    (void)self;
    (void)callbacks;
    return (struct gdb_frame_id){0, 0};
}

static void reader_destroy(struct gdb_reader_funcs *self)
{
    free(self);
}

JS_API struct gdb_reader_funcs *gdb_init_reader(void);

struct gdb_reader_funcs *gdb_init_reader(void)
{
    struct gdb_reader_funcs *funcs = calloc(1, sizeof *funcs);
    if (!funcs) {
        return NULL;
    }
    funcs->reader_version = GDB_READER_INTERFACE_VERSION;
    funcs->read = reader_read;
    funcs->unwind = reader_unwind;
    funcs->get_frame_id = reader_frame_id;
    funcs->destroy = reader_destroy;
    return funcs;
}
