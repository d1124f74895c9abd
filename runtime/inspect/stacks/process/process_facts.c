#include "stacks/process/process_facts.h"

#include "stacks/process/thread_frames.h"

/* Return the version of the interpreter, such as "3.11.7", or null. */
static json_t *python_version(const js_stack_target *target)
{
    js_text text;
    if (!target->python) {
        return json_null();
    }
    js_text_init(&text, 0);
    js_python_put_version(target->python, &text);
    char *version = js_text_take(&text);
    json_t *found = version ? json_string(version) : NULL;
    js_free(version);
    return found;
}

/* Return why the Python frames are missing, or null. */
static json_t *python_problem(const js_stack_target *target)
{
    bool is_missing = !target->python && target->python_status != JS_ENOTFOUND;
    return is_missing ? json_string(js_strerror(target->python_status)) : json_null();
}

/* Return the files that a core needs and that are not here, or are other ones: [{"path", "reason"}]. */
static json_t *missing_files(js_core *core)
{
    js_core_missing_file *files = NULL;
    size_t count = 0;
    json_t *list = json_array();
    int status = core ? js_core_missing(core, &files, &count) : JS_OK;
    for (size_t i = 0; i < count && status == JS_OK; i++) {
        json_t *entry = json_pack("{so ss}", "path", js_json_text(files[i].path), "reason",
                                  js_core_reason_text(files[i].reason));
        status = json_array_append_new(list, entry);
    }
    js_free(files);
    return list;
}

json_t *js_process_facts(const js_stack_target *target, pid_t pid)
{
    js_core *core = target->core;
    const char *arguments = core ? js_core_process_of(core)->arguments : "";
    return json_pack("{sI so so so so sI}", "pid", core ? (json_int_t)js_core_process_of(core)->pid : pid,
                     "command", *arguments ? js_json_text(arguments) : json_null(), "python",
                     python_version(target), "python_problem", python_problem(target), "missing",
                     missing_files(core), "lacking",
                     core ? (json_int_t)js_core_lacking(core) : (json_int_t)0);
}
