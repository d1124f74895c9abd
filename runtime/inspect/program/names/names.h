/* Linkage names of JIT-compiled functions → what the programmer wrote. Never fails; any bytes are welcome. */
#ifndef JS_PROGRAM_NAMES_NAMES_H
#define JS_PROGRAM_NAMES_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "bytes/text.h"

typedef enum js_name_kind {
    JS_NAME_OTHER,    /* not a name of this compiler: text is the input */
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

enum { JS_NAME_RECORDS = 8 };

typedef struct js_name {
    js_name_kind kind;
    char *module;        /* "__main__", "numba.np.arrayobj"; "" when unknown */
    char *qualname;      /* "outer.<locals>.inner": as Python's __qualname__; JS_NAME_OTHER: the input */
    char *arguments;     /* "(int64, array(float64, 1d, C))", of a generator what it was called with; "" when
                            the name carries none */
    char *generator;     /* a generator's own code: its type's text; "" else */
    char *uid;           /* "1": distinguishes versions of one function; "" when absent */
    char *flags;         /* "Flags(debuginfo=True, …)" when present and decodable, else "" */
    bool is_object_mode; /* all arguments are pyobject */
    uint64_t records[JS_NAME_RECORDS]; /* numbers, in the process' own table of types, of the first of the
                                          arguments that are records */
    size_t nrecords;
    char *storage; /* owns the above; one allocation */
} js_name;

/* Read the name that `length` bytes of `symbol` are. A name that is not Numba's is JS_NAME_OTHER. */
JS_API int js_name_init(js_name *name, const char *symbol, size_t length);
/* True for a function that jitscope compiles for itself, such as the hook's proof. */
bool js_name_is_own(const js_name *name);

/* Free what a name holds. */
JS_API void js_name_deinit(js_name *name);
/* Stable word for JSON: "function", "cpython-wrapper", … */
JS_API const char *js_name_kind_text(js_name_kind kind);
/* The one place for `foo(array(int64, 1d, C))`: qualname plus arguments. */
JS_API int js_name_signature(const js_name *name, js_text *out);
/* Replace every name, mangled or as C++ demanglers print it, inside running text (a pasted backtrace, a
   sanitizer report) by its signature; what is no function of the user's gets its kind: "foo(int64)
   [cfunc-wrapper]". */
JS_API int js_names_filter(const char *text, size_t length, js_text *out);

#endif
