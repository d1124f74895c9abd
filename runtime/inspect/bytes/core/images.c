/* Finds the files on disk that a core's process had mapped, and reads the pages that the core leaves out.
 * Only programs and libraries are read: the loader maps them privately, and their read-only parts are never
 * written. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes/core/contents.h"

enum { OPEN_MAX = 128 };

static const char deleted[] = " (deleted)";

static uint64_t round_down(uint64_t value)
{
    return value & ~(uint64_t)(PAGE - 1);
}

static uint64_t round_up(uint64_t value)
{
    return value > UINT64_MAX - PAGE ? UINT64_MAX : round_down(value + PAGE - 1);
}

/* Open a regular file without an effect on anything else that the path may name. */
static int open_regular(const char *path, struct stat *info)
{
    if (path[0] != '/' || stat(path, info) != 0 || !S_ISREG(info->st_mode)) {
        return -1;
    }
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0 && (fstat(fd, info) != 0 || !S_ISREG(info->st_mode))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Read the parts that the loader maps. False: it is no ELF file of the machine, or its end is missing. */
static bool read_parts(const js_core *core, js_core_image *image)
{
    Elf64_Ehdr head;
    if (js_core_pread(image->fd, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_ident[EI_DATA] != ELFDATA2LSB ||
        head.e_machine != core->machine || head.e_phentsize != sizeof(Elf64_Phdr) ||
        head.e_phnum > HEADERS_MAX) {
        return false;
    }
    free(image->parts);
    image->part_count = 0;
    image->parts = malloc((head.e_phnum ? head.e_phnum : 1) * sizeof *image->parts);
    for (size_t i = 0; image->parts && i < head.e_phnum; i++) {
        Elf64_Phdr part;
        if (js_core_pread(image->fd, head.e_phoff + i * sizeof part, &part, sizeof part)) {
            return false;
        }
        if (part.p_type != PT_LOAD || part.p_filesz == 0) {
            continue;
        }
        if (part.p_offset > image->size || part.p_filesz > image->size - part.p_offset) {
            return false;
        }
        image->parts[image->part_count++] =
            (js_core_part){.start = round_down(part.p_offset),
                           .end = round_up(part.p_offset + part.p_filesz),
                           .distance = round_down(part.p_vaddr) - round_down(part.p_offset),
                           .is_writable = part.p_flags & PF_W};
    }
    return image->part_count > 0;
}

/* True if the mapping has an address of no part. The loader maps a file whole, and then takes the access from
 * what lies between two parts, which may be beyond the end of the file. */
static bool is_hole(const js_core_image *image, const js_core_mapping *mapping, uint64_t bias)
{
    for (size_t p = 0; p < image->part_count; p++) {
        uint64_t first = bias + image->parts[p].distance;
        if (mapping->start < first + image->parts[p].end && first + image->parts[p].start < mapping->end) {
            return false;
        }
    }
    return true;
}

/* True if each mapping of the image is where a loader puts the file's parts, at one distance from the
 * addresses in the file, and the file is as long and as old as that. */
static bool fits_mappings(const js_core *core, const js_core_image *image, int64_t changed)
{
    bool is_known = false;
    uint64_t bias = 0;
    for (size_t i = 0; i < image->count; i++) {
        const js_core_mapping *mapping = core->by_path[image->first + i];
        if (is_known && is_hole(image, mapping, bias)) {
            continue;
        }
        uint64_t end = mapping->offset + (mapping->end - mapping->start);
        bool fits = end >= mapping->offset && end <= round_up(image->size), found = false;
        for (size_t p = 0; p < image->part_count && fits && !found; p++) {
            const js_core_part *part = &image->parts[p];
            uint64_t here = mapping->start - mapping->offset - part->distance;
            found =
                mapping->offset >= part->start && mapping->offset < part->end && (!is_known || bias == here);
            bias = found ? here : bias;
        }
        if (!found) {
            return false;
        }
        is_known = true;
    }
    return is_known && changed <= core->written;
}

/* Return the first mapping of the file's first byte, or NULL. */
static const js_core_mapping *first_mapping(const js_core *core, const js_core_image *image)
{
    for (size_t i = 0; i < image->count; i++) {
        if (core->by_path[image->first + i]->offset == 0) {
            return core->by_path[image->first + i];
        }
    }
    return NULL;
}

static void close_image(js_core *core, js_core_image *image)
{
    if (image->fd >= 0) {
        close(image->fd);
        image->fd = -1;
        core->open_images--;
    }
}

/* Bound the number of open files: those that are closed are looked at again when they are asked for. */
static void make_room(js_core *core)
{
    if (core->open_images < OPEN_MAX) {
        return;
    }
    for (size_t i = 0; i < core->image_count; i++) {
        if (core->images[i].fd >= 0) {
            close_image(core, &core->images[i]);
            core->images[i].is_checked = false;
        }
    }
}

/* Open a mapped file by the path that the process had for it. */
static int open_below(const js_core *core, const char *path, struct stat *info)
{
    if (!core->root || path[0] != '/') {
        return open_regular(path, info);
    }
    char *whole = malloc(strlen(core->root) + strlen(path) + 1);
    if (!whole) {
        return -1;
    }
    strcat(strcpy(whole, core->root), path);
    int fd = open_regular(whole, info);
    free(whole);
    return fd;
}

int js_core_set_root(js_core *core, const char *folder)
{
    char *absolute = NULL;
    if (folder && folder[0]) {
        absolute = realpath(folder, NULL); /* NULL: there is no such folder, so all files are missing */
        absolute = absolute ? absolute : strdup("/nonexistent");
        if (!absolute) {
            return JS_ENOMEM;
        }
    }
    free(core->root);
    core->root = absolute;
    for (size_t i = 0; i < core->image_count; i++) {
        close_image(core, &core->images[i]);
        core->images[i].is_checked = false;
    }
    return JS_OK;
}

/* Find out whether the file that was opened is the mapped one. `info` NULL: only its contents can prove it.
 */
static js_core_reason prove(js_core *core, js_core_image *image, const js_core_mapping *first,
                            const struct stat *info)
{
    if (!read_parts(core, image)) {
        return JS_CORE_NO_OBJECT;
    }
    js_core_reason reason = first ? js_core_compare_heads(core, first, image->fd) : JS_CORE_UNPROVEN;
    bool fits = reason == JS_CORE_UNPROVEN && info && fits_mappings(core, image, info->st_mtim.tv_sec);
    return fits ? JS_CORE_PRESENT : reason;
}

/* Look for the image's file where it was. */
static js_core_reason check_path(js_core *core, js_core_image *image, const js_core_mapping *first)
{
    struct stat info;
    size_t length = strlen(image->path), ending = sizeof deleted - 1;
    bool is_deleted = length > ending && strcmp(image->path + length - ending, deleted) == 0;
    if (is_deleted && !image->plain) {
        image->plain = strndup(image->path, length - ending);
    }
    image->fd = open_below(core, image->path, &info);
    if (image->fd < 0 && image->plain) {
        image->fd = open_below(core, image->plain, &info);
    }
    if (image->fd < 0) {
        return is_deleted ? JS_CORE_DELETED : JS_CORE_ABSENT;
    }
    core->open_images++;
    image->size = (uint64_t)info.st_size;
    js_core_reason reason = prove(core, image, first, is_deleted ? NULL : &info);
    return reason == JS_CORE_PRESENT || !is_deleted ? reason : JS_CORE_DELETED;
}

/* Ask debuginfod for the image's file, by the build-id that the core's memory has. False: it is not to be
 * had. */
static bool fetch(js_core *core, js_core_image *image, const js_core_mapping *first)
{
    js_core_build_id id;
    struct stat info;
    js_core_find_build_id(core, first, &id);
    int fd = js_debuginfod_open(&core->debuginfod, id.bytes, id.size);
    if (fd < 0) {
        return false;
    }
    close_image(core, image);
    image->fd = fd;
    core->open_images++;
    image->size = fstat(fd, &info) == 0 ? (uint64_t)info.st_size : 0;
    return prove(core, image, first, NULL) == JS_CORE_PRESENT;
}

static js_core_reason check(js_core *core, js_core_image *image)
{
    const js_core_mapping *first = first_mapping(core, image);
    make_room(core);
    js_core_reason reason = check_path(core, image, first);
    bool is_fetched = reason != JS_CORE_PRESENT && first && fetch(core, image, first);
    return is_fetched ? JS_CORE_PRESENT : reason;
}

js_core_reason js_core_image_check(js_core *core, js_core_image *image)
{
    if (!image->is_checked) {
        image->reason = check(core, image);
        image->is_checked = true;
        if (image->reason != JS_CORE_PRESENT) {
            close_image(core, image);
        }
    }
    return image->reason;
}

/* Return the part of the file that the loader has mapped at these addresses, or NULL. Two parts may share a
 * page of the file, so the distance from where the file's first byte is mapped decides. */
static const js_core_part *part_at(const js_core *core, const js_core_image *image,
                                   const js_core_mapping *mapping, uint64_t address, size_t size)
{
    const js_core_mapping *first = NULL;
    for (size_t i = 0; i < image->count; i++) {
        const js_core_mapping *other = core->by_path[image->first + i];
        first = other->offset == 0 && other->start <= mapping->start ? other : first;
    }
    uint64_t offset = mapping->offset + (address - mapping->start);
    for (size_t i = 0; first && i < image->part_count; i++) {
        const js_core_part *part = &image->parts[i];
        uint64_t bias = first->start - image->parts[0].distance;
        if (offset >= part->start && offset < part->end && size <= part->end - offset &&
            address == bias + part->distance + offset) {
            return part;
        }
    }
    return NULL;
}

/* Read from the file. The last page of a mapping has zeros after the file's end. */
static int read_padded(const js_core_image *image, uint64_t offset, uint8_t *buffer, size_t size)
{
    uint64_t rest = offset < image->size ? image->size - offset : 0;
    size_t some = rest < size ? (size_t)rest : size;
    if (offset > UINT64_MAX - size || offset + size > round_up(image->size) ||
        js_core_pread(image->fd, offset, buffer, some)) {
        return JS_EFAULT;
    }
    memset(buffer + some, 0, size - some);
    return JS_OK;
}

int js_core_image_read(js_core *core, const js_core_mapping *mapping, uint64_t address, void *buffer,
                       size_t size)
{
    uint64_t next;
    js_core_image *image = &core->images[mapping->image];
    const js_core_segment *segment = js_core_segment_at(core, address, &next);
    if ((segment && segment->is_writable) || js_core_image_check(core, image) != JS_CORE_PRESENT) {
        return JS_EFAULT;
    }
    /* Tables that the loader relocates, and then protects, are in a writable part. */
    const js_core_part *part = part_at(core, image, mapping, address, size);
    if (!part || part->is_writable) {
        return JS_EFAULT;
    }
    return read_padded(image, mapping->offset + (address - mapping->start), buffer, size);
}

void js_core_image_deinit(js_core_image *image)
{
    if (image->fd >= 0) {
        close(image->fd);
    }
    free(image->plain);
    free(image->parts);
    *image = (js_core_image){.fd = -1};
}

const char *js_core_reason_text(js_core_reason reason)
{
    switch (reason) {
    case JS_CORE_PRESENT:
        return "is here";
    case JS_CORE_ABSENT:
        return "is not here";
    case JS_CORE_DELETED:
        return "was deleted or replaced while the program ran";
    case JS_CORE_DIFFERENT:
        return "is another file here";
    case JS_CORE_UNPROVEN:
        return "may be another file here";
    case JS_CORE_NO_OBJECT:
        return "is no complete program or library";
    }
    return "is not known";
}
