/* Asserts the published offsets of all fields of jitscope.h, jitscope_descriptor.h and jitscope_guard.h.
 * Programs that were compiled with an older header, and debuggers of an older jitscope, have these numbers in
 * their code. A field is only ever added at the end of its structure: then its line is added here, and the
 * structure's size changes. The build compiles this file and fails where a field has another offset; nothing
 * links it. */
#include "jitscope_descriptor.h"
#include "jitscope_guard.h"

#define AT(type, field, offset)                                                                              \
    _Static_assert(offsetof(jitscope_##type, field) == (offset), #type "." #field " has another place")
#define SIZE(type, bytes) _Static_assert(sizeof(jitscope_##type) == (bytes), #type " has another size")

SIZE(table, 32);
AT(table, chunks, 0);
AT(table, nslots, 8);
AT(table, changes, 16);
AT(table, chunk_slots, 24);
AT(table, slot_size, 28);

SIZE(chunk, 16);
AT(chunk, next, 0);
AT(chunk, first, 8);

SIZE(descriptor, 184);
AT(descriptor, magic, 0);
AT(descriptor, version, 8);
AT(descriptor, size, 12);
AT(descriptor, layouts, 16);
AT(descriptor, functions, 48);
AT(descriptor, regions, 80);
AT(descriptor, workers, 112);
AT(descriptor, gather, 144);
AT(descriptor, recording, 152);
AT(descriptor, leftover, 160);
AT(descriptor, recompilation, 168);
AT(descriptor, guard, 176);

SIZE(wanted, 1552);
AT(wanted, state, 0);
AT(wanted, line, 4);
AT(wanted, level, 8);
AT(wanted, flags, 12);
AT(wanted, file, 16);
AT(wanted, text, 1040);

SIZE(recompilation, 99392);
AT(recompilation, version, 0);
AT(recompilation, size, 4);
AT(recompilation, asked, 8);
AT(recompilation, seen, 12);
AT(recompilation, slot, 16);
AT(recompilation, original, 24);
AT(recompilation, entry, 32);
AT(recompilation, answered, 40);
AT(recompilation, answer, 48);
AT(recompilation, usual, 52);
AT(recompilation, wanted, 56);
AT(recompilation, traps, 99384);

SIZE(gather, 80);
AT(gather, version, 0);
AT(gather, size, 4);
AT(gather, state, 8);
AT(gather, at, 12);
AT(gather, kernel, 16);
AT(gather, timeout_ms, 24);
AT(gather, reason, 28);
AT(gather, launch, 32);
AT(gather, expected, 40);
AT(gather, arrived, 44);
AT(gather, released, 48);
AT(gather, line_size, 52);
AT(gather, line_stop, 56);
AT(gather, line_marker, 64);
AT(gather, line_call, 72);

SIZE(slot, 32);
AT(slot, sequence, 0);
AT(slot, generation, 8);
AT(slot, state, 12);
AT(slot, block, 16);
AT(slot, block_size, 24);

SIZE(list, 12);
AT(list, offset, 0);
AT(list, count, 4);
AT(list, size, 8);

SIZE(layout_record, 72);
AT(layout_record, version, 0);
AT(layout_record, size, 4);
AT(layout_record, kind, 8);
AT(layout_record, name, 12);
AT(layout_record, element, 16);
AT(layout_record, bytes, 24);
AT(layout_record, count, 32);
AT(layout_record, align, 40);
AT(layout_record, ndim, 44);
AT(layout_record, flags, 48);
AT(layout_record, order, 52);
AT(layout_record, members, 56);
AT(layout_record, reserved, 68);

SIZE(member_record, 24);
AT(member_record, layout, 0);
AT(member_record, offset, 8);
AT(member_record, name, 16);
AT(member_record, role, 20);

SIZE(function_record, 120);
AT(function_record, version, 0);
AT(function_record, size, 4);
AT(function_record, kind, 8);
AT(function_record, machine, 12);
AT(function_record, low, 16);
AT(function_record, high, 24);
AT(function_record, name, 32);
AT(function_record, linkage_name, 36);
AT(function_record, signature, 40);
AT(function_record, file, 44);
AT(function_record, directory, 48);
AT(function_record, line, 52);
AT(function_record, unwind, 56);
AT(function_record, reserved, 60);
AT(function_record, result, 64);
AT(function_record, variables, 72);
AT(function_record, lines, 84);
AT(function_record, eh_frame, 96);
AT(function_record, reserved_2, 108);
AT(function_record, eh_frame_address, 112);

SIZE(variable_record, 32);
AT(variable_record, layout, 0);
AT(variable_record, name, 8);
AT(variable_record, line, 12);
AT(variable_record, flags, 16);
AT(variable_record, locations, 20);

SIZE(line_record, 24);
AT(line_record, address, 0);
AT(line_record, file, 8);
AT(line_record, line, 12);
AT(line_record, flags, 16);
AT(line_record, reserved, 20);

SIZE(region_record, 56);
AT(region_record, version, 0);
AT(region_record, size, 4);
AT(region_record, schedule, 8);
AT(region_record, name, 12);
AT(region_record, function, 16);
AT(region_record, line, 24);
AT(region_record, nworkers, 28);
AT(region_record, begin, 32);
AT(region_record, end, 40);
AT(region_record, chunk, 48);

SIZE(launch, 48);
AT(launch, launch, 0);
AT(launch, kernel, 8);
AT(launch, schedule, 16);
AT(launch, rows, 24);
AT(launch, row_size, 32);
AT(launch, nthreads, 36);
AT(launch, parent, 40);

SIZE(work, 48);
AT(work, launch, 0);
AT(work, kernel, 8);
AT(work, schedule, 16);
AT(work, row, 24);
AT(work, rows, 32);
AT(work, worker, 40);
AT(work, row_size, 44);

SIZE(waiting, 64);
AT(waiting, pc, 0);
AT(waiting, sp, 8);
AT(waiting, kept, 16);

SIZE(worker, 632);
AT(worker, sequence, 0);
AT(worker, thread, 8);
AT(worker, depth, 12);
AT(worker, regions, 16);
AT(worker, works, 144);
AT(worker, nlaunches, 336);
AT(worker, gathered, 340);
AT(worker, launches, 344);
AT(worker, place, 536);
AT(worker, ended, 600);

SIZE(recorded, 40);
AT(recorded, version, 0);
AT(recorded, size, 4);
AT(recorded, is_on, 8);
AT(recorded, reserved, 12);
AT(recorded, records, 16);
AT(recorded, limit, 24);
AT(recorded, used, 32);

SIZE(guard_place, 56);
AT(guard_place, codes, 0);
AT(guard_place, file, 48);
AT(guard_place, line, 52);

SIZE(guarded, 168);
AT(guarded, start, 0);
AT(guarded, end, 8);
AT(guarded, data, 16);
AT(guarded, size, 24);
AT(guarded, head, 32);
AT(guarded, state, 36);
AT(guarded, kind, 40);
AT(guarded, next, 44);
AT(guarded, prev, 48);
AT(guarded, pages, 52);
AT(guarded, made, 56);
AT(guarded, freed, 112);

SIZE(guard, 88);
AT(guard, version, 0);
AT(guard, size, 4);
AT(guard, low, 8);
AT(guard, high, 16);
AT(guard, index, 24);
AT(guard, blocks, 32);
AT(guard, files, 40);
AT(guard, nblocks, 48);
AT(guard, nfiles, 52);
AT(guard, block_size, 56);
AT(guard, page, 60);
AT(guard, live, 64);
AT(guard, most, 68);
AT(guard, damaged, 72);
AT(guard, damage, 76);
AT(guard, damage_at, 80);

SIZE(page, 16);
AT(page, number, 0);
AT(page, cells, 8);

SIZE(pages, 16);
AT(pages, capacity, 0);
AT(pages, npages, 8);

SIZE(cell, 4);
AT(cell, written, 0);
AT(cell, read, 2);

SIZE(site, 8);
AT(site, file, 0);
AT(site, line, 4);

SIZE(recorded_array, 536);
AT(recorded_array, name, 0);
AT(recorded_array, ndim, 4);
AT(recorded_array, data, 8);
AT(recorded_array, itemsize, 16);
AT(recorded_array, shape, 24);
AT(recorded_array, strides, 280);

SIZE(record, 41824);
AT(record, version, 0);
AT(record, size, 4);
AT(record, next, 8);
AT(record, launch, 16);
AT(record, worker, 24);
AT(record, thread, 28);
AT(record, owner, 32);
AT(record, accesses, 40);
AT(record, lost, 48);
AT(record, pages, 56);
AT(record, is_late, 64);
AT(record, name, 68);
AT(record, file, 72);
AT(record, line, 76);
AT(record, nsites, 80);
AT(record, narrays, 84);
AT(record, ntexts, 88);
AT(record, reserved, 92);
AT(record, sites, 96);
AT(record, arrays, 8288);
AT(record, texts, 25440);

SIZE(note, 40);
AT(note, version, 0);
AT(note, size, 4);
AT(note, descriptor, 8);
AT(note, function, 16);
AT(note, entry, 24);
AT(note, interface, 32);

SIZE(place, 16);
AT(place, address, 0);
AT(place, shares, 8);

SIZE(conflict, 1064);
AT(conflict, sites, 0);
AT(conflict, writes, 8);
AT(conflict, launch, 16);
AT(conflict, bytes, 24);
AT(conflict, nplaces, 32);
AT(conflict, places, 40);

SIZE(array, 544);
AT(array, data, 0);
AT(array, itemsize, 8);
AT(array, launch, 16);
AT(array, name, 24);
AT(array, ndim, 28);
AT(array, shape, 32);
AT(array, strides, 288);

SIZE(accesses, 64);
AT(accesses, size, 0);
AT(accesses, launches, 8);
AT(accesses, count, 16);
AT(accesses, lost, 24);
AT(accesses, nconflicts, 32);
AT(accesses, narrays, 40);
AT(accesses, conflicts, 48);
AT(accesses, arrays, 56);

SIZE(member, 32);
AT(member, name, 0);
AT(member, type, 8);
AT(member, offset, 16);
AT(member, role, 24);
AT(member, reserved, 28);

SIZE(layout, 72);
AT(layout, size, 0);
AT(layout, kind, 4);
AT(layout, name, 8);
AT(layout, element, 16);
AT(layout, bytes, 24);
AT(layout, count, 32);
AT(layout, align, 40);
AT(layout, ndim, 44);
AT(layout, flags, 48);
AT(layout, order, 52);
AT(layout, members, 56);
AT(layout, nmembers, 64);
AT(layout, member_size, 68);

SIZE(location, 32);
AT(location, low, 0);
AT(location, high, 8);
AT(location, kind, 16);
AT(location, reg, 20);
AT(location, offset, 24);

SIZE(variable, 40);
AT(variable, name, 0);
AT(variable, type, 8);
AT(variable, line, 16);
AT(variable, flags, 20);
AT(variable, locations, 24);
AT(variable, nlocations, 32);
AT(variable, location_size, 36);

SIZE(line, 24);
AT(line, address, 0);
AT(line, file, 8);
AT(line, line, 16);
AT(line, flags, 20);

SIZE(function, 128);
AT(function, size, 0);
AT(function, kind, 4);
AT(function, low, 8);
AT(function, high, 16);
AT(function, name, 24);
AT(function, linkage_name, 32);
AT(function, signature, 40);
AT(function, file, 48);
AT(function, directory, 56);
AT(function, result, 64);
AT(function, line, 72);
AT(function, unwind, 76);
AT(function, eh_frame, 80);
AT(function, eh_frame_size, 88);
AT(function, variables, 96);
AT(function, nvariables, 104);
AT(function, variable_size, 108);
AT(function, lines, 112);
AT(function, nlines, 120);
AT(function, line_size, 124);

SIZE(region, 56);
AT(region, size, 0);
AT(region, schedule, 4);
AT(region, name, 8);
AT(region, function, 16);
AT(region, line, 24);
AT(region, nworkers, 28);
AT(region, begin, 32);
AT(region, end, 40);
AT(region, chunk, 48);
