/* Decodes linkage names of JIT-compiled functions into what the programmer wrote. read/ decodes the functions
 * of objects; the command `jitscope filt` replaces names in any text. */
#ifndef JS_PROGRAM_NAMES_NAMES_H
#define JS_PROGRAM_NAMES_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "bytes/text.h"

typedef enum js_name_kind {
    JS_NAME_OTHER,    /* not a name of this compiler; qualname is the input */
    JS_NAME_FUNCTION, /* the user's compiled function (also lifted loops, objmode blocks, overloads) */
    JS_NAME_CPYTHON,  /* wrapper that unboxes Python arguments: cpython::… */
    JS_NAME_CFUNC,    /* cfunc.… wrapper */
    JS_NAME_GUFUNC,   /* __gufunc__.… / ….kernel wrapper that loops over the outer dimension */
    JS_NAME_UFUNC,    /* __ufunc__.… */
    JS_NAME_PARFOR,   /* kernel of a parallel loop: __numba_parfor_gufunc_… */
    JS_NAME_GENERATOR_NEXT,
    JS_NAME_GENERATOR_FINALIZE,
    JS_NAME_ENVIRONMENT, /* _ZN08NumbaEnv…: data */
    JS_NAME_CUDA,        /* cudapy::… */
    JS_NAME_RUNTIME,     /* NRT_… and other helpers of the JIT's own runtime */
} js_name_kind;

enum { JS_NAME_RECORDS = 8 }; /* arguments that are records, at most */

typedef struct js_name {
    js_name_kind kind;
    char *module;    /* "__main__", "numba.np.arrayobj"; "" when unknown */
    char *qualname;  /* "outer.<locals>.inner": as Python's __qualname__; JS_NAME_OTHER: the input */
    char *arguments; /* "(int64, array(float64, 1d, C))"; for a generator, what it was called with; "" when
                        the name has none */
    char *generator; /* for a generator's own code, the text of its type; else "" */
    char *uid;       /* "1": distinguishes versions of one function; "" when absent */
    char *flags;     /* "Flags(debuginfo=True, …)" when present and decodable, else "" */
    bool is_object_mode;               /* all arguments are pyobject */
    uint64_t records[JS_NAME_RECORDS]; /* for the first arguments that are records, their types' numbers in
                                          the table of types of the process */
    size_t nrecords;
    char *storage; /* owns the texts above; one allocation */
} js_name;

/* Decode a linkage name, or a name as C++ demanglers print it, of `length` bytes. Any bytes are allowed: a
 * name of another compiler is JS_NAME_OTHER or JS_NAME_RUNTIME. The caller releases `name` by
 * js_name_deinit(). JS_ENOMEM. */
JS_API int js_name_init(js_name *name, const char *symbol, size_t length);
/* True for code that a programmer wrote, false for wrappers and other functions that the compiler makes. */
bool js_name_kind_is_written(js_name_kind kind);
/* True for a function that jitscope compiles for itself, such as the hook's proof. */
bool js_name_is_own(const js_name *name);

/* Free what a name holds. */
JS_API void js_name_deinit(js_name *name);
/* Return the kind's word in JSON, which does not change: "function", "cpython-wrapper", … */
JS_API const char *js_name_kind_text(js_name_kind kind);
/* Append qualname and arguments: `foo(array(int64, 1d, C))`. Returns the status of `out`. */
JS_API int js_name_signature(const js_name *name, js_text *out);
/* Append the text with every name in it, mangled or as C++ demanglers print it, replaced by its signature.
   The text may be a backtrace or the report of a sanitizer. A name that is no function of the user's gets its
   kind, too: "foo(int64) [cfunc-wrapper]". JS_ENOMEM, or the status of `out`. */
JS_API int js_names_filter(const char *text, size_t length, js_text *out);

#endif
