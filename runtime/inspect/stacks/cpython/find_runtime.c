/* _PyRuntime of a live process: an exported symbol of python or libpython, found in /proc/PID/maps and ELF.
 */
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stacks/python.h"

enum { MAX_FILES = 4096, PATH_SIZE = 4096 };

typedef struct mapped_file {
    uint64_t start; /* where offset 0 is mapped */
    uint64_t inode;
    char path[PATH_SIZE];
} mapped_file;

typedef struct elf_symbols {
    uint64_t runtime, version; /* st_value; 0: none */
} elf_symbols;

static void scan_section(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, elf_symbols *out)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
    for (size_t i = 0; i < count && i <= INT32_MAX; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF) {
            continue;
        }
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (name && strcmp(name, "_PyRuntime") == 0) {
            out->runtime = symbol.st_value;
        } else if (name && strcmp(name, "Py_Version") == 0) {
            out->version = symbol.st_value;
        }
    }
}

static bool find_symbols(Elf *elf, elf_symbols *out)
{
    *out = (elf_symbols){0};
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) &&
            (header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB)) {
            scan_section(elf, section, &header, out);
        }
    }
    return out->runtime != 0;
}

/* Address of the first byte of the file in the ELF's own terms. */
static bool find_base(Elf *elf, uint64_t *base)
{
    size_t count;
    if (elf_getphdrnum(elf, &count) != 0) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD) {
            *base = header.p_vaddr - header.p_offset;
            return true;
        }
    }
    return false;
}

/* JS_ENOTFOUND: another file by now, no ELF, or no such symbol. */
static int search_file(const char *path, const mapped_file *file, pid_t pid, uint64_t *runtime,
                       uint32_t *version)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return JS_ENOTFOUND;
    }
    int status = JS_ENOTFOUND;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_ino == file->inode) {
        elf_version(EV_CURRENT);
        Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
        elf_symbols symbols;
        uint64_t base;
        if (elf && elf_kind(elf) == ELF_K_ELF && find_symbols(elf, &symbols) && find_base(elf, &base)) {
            *runtime = symbols.runtime - base + file->start;
            *version = 0;
            js_bytes bytes;
            uint64_t value;
            status = js_bytes_init_process(&bytes, pid);
            if (status == JS_OK && symbols.version != 0 &&
                js_bytes_read_uint(&bytes, symbols.version - base + file->start, 4, &value) == JS_OK) {
                *version = (uint32_t)value;
            }
            js_bytes_deinit(&bytes);
        }
        elf_end(elf);
    }
    close(fd);
    return status;
}

static int search_mapped(const mapped_file *file, pid_t pid, uint64_t *runtime, uint32_t *version)
{
    /* As the process sees it (chroot, container); deleted files by their mapping, where that is allowed. */
    char path[PATH_SIZE + 64];
    snprintf(path, sizeof path, "/proc/%d/root%s", (int)pid, file->path);
    int status = search_file(path, file, pid, runtime, version);
    if (status == JS_ENOTFOUND) {
        snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
        status = search_file(path, file, pid, runtime, version);
    }
    return status;
}

/* One line of /proc/PID/maps; false when it maps no start of a file. */
static bool parse_mapping(char *line, mapped_file *out)
{
    unsigned long start, offset, inode;
    int path = 0;
    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, "%lx-%*x %*s %lx %*s %lu %n", &start, &offset, &inode, &path) != 3 || path == 0 ||
        offset != 0 || inode == 0 || line[path] != '/') {
        return false;
    }
    out->start = start;
    out->inode = inode;
    snprintf(out->path, sizeof out->path, "%s", line + path);
    return true;
}

/* Most likely first: files whose name says python, then any other. */
static int search_maps(FILE *maps, pid_t pid, bool named, uint64_t *runtime, uint32_t *version)
{
    mapped_file file;
    char *line = NULL;
    size_t capacity = 0;
    int status = JS_ENOTFOUND;
    for (unsigned n = 0; status == JS_ENOTFOUND && n < MAX_FILES && getline(&line, &capacity, maps) > 0;) {
        if (!parse_mapping(line, &file)) {
            continue;
        }
        const char *name = strrchr(file.path, '/');
        if ((strstr(name, "python") != NULL) == named) {
            status = search_mapped(&file, pid, runtime, version);
            n++;
        }
    }
    free(line);
    return status;
}

int js_python_find_runtime(pid_t pid, uint64_t *runtime, uint32_t *version)
{
    char path[40];
    *runtime = 0;
    *version = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "re");
    if (!maps) {
        return JS_ESYS;
    }
    int status = search_maps(maps, pid, true, runtime, version);
    if (status == JS_ENOTFOUND) {
        rewind(maps);
        status = search_maps(maps, pid, false, runtime, version);
    }
    fclose(maps);
    return status;
}
