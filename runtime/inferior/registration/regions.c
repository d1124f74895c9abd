/* Registers parallel loops: jitscope_region_register and jitscope_region_unregister. */
#include <stddef.h>

#include "registration/descriptor.h"

int jitscope_region_register(const jitscope_region *passed, uint64_t *handle)
{
    jitscope_region region;
    if (!handle || !passed_structure(passed, offsetof(jitscope_region, chunk) + 8, &region, sizeof region) ||
        region.begin > region.end || region.schedule > JITSCOPE_STEALING) {
        return JITSCOPE_EARG;
    }
    block b;
    block_init(&b, sizeof(jitscope_region_record));
    const jitscope_region_record record = {.version = JITSCOPE_VERSION,
                                           .size = sizeof record,
                                           .schedule = region.schedule,
                                           .name = block_text(&b, region.name),
                                           .function = region.function,
                                           .line = region.line,
                                           .nworkers = region.nworkers,
                                           .begin = region.begin,
                                           .end = region.end,
                                           .chunk = region.chunk};
    int status = block_finish(&b, &record, sizeof record);
    if (status) {
        block_deinit(&b);
        return status;
    }
    tables_lock();
    status = table_publish(&__jitscope_descriptor.regions, b.data, b.size, handle);
    tables_unlock();
    return status;
}

int jitscope_region_unregister(uint64_t handle)
{
    tables_lock();
    int status = table_withdraw(&__jitscope_descriptor.regions, handle);
    tables_unlock();
    return status;
}
