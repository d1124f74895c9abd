/* Finds _PyRuntime of a live process: an exported symbol of python or libpython. */
#include <stdbool.h>
#include <string.h>

#include "bytes/mapped_files.h"
#include "stacks/python.h"

/* Search a file for the symbols. JS_ENOTFOUND: it has no _PyRuntime, or is no ELF file. */
static int search_file(const js_mapped_files *files, const js_mapped_file *file, uint64_t *runtime,
                       uint32_t *version)
{
    const char *const names[] = {"_PyRuntime", "Py_Version"};
    uint64_t addresses[2], value;
    js_bytes bytes;
    int status = js_mapped_file_symbols(files, file, names, 2, addresses);
    if (status || addresses[0] == 0) {
        return status ? status : JS_ENOTFOUND;
    }
    *runtime = addresses[0];
    status = js_bytes_init_process(&bytes, files->pid);
    if (status == JS_OK && addresses[1] != 0 &&
        js_bytes_read_uint(&bytes, addresses[1], 4, &value) == JS_OK) {
        *version = (uint32_t)value;
    }
    js_bytes_deinit(&bytes);
    return status;
}

int js_python_find_runtime(pid_t pid, uint64_t *runtime, uint32_t *version)
{
    js_mapped_files files;
    *runtime = 0;
    *version = 0;
    int status = js_mapped_files_init(&files, pid);
    bool is_listed = status == JS_OK;
    status = is_listed ? JS_ENOTFOUND : status;
    /* The most likely files come first: those whose name contains "python". */
    for (int round = 0; round < 2 && is_listed; round++) {
        for (size_t i = 0; i < files.count && status == JS_ENOTFOUND; i++) {
            bool is_named = strstr(js_mapped_file_name(&files.files[i]), "python") != NULL;
            if (is_named == (round == 0)) {
                status = search_file(&files, &files.files[i], runtime, version);
            }
        }
    }
    js_mapped_files_deinit(&files);
    return status;
}
