/* The names that classes of CPython 3.9 to 3.14 and NumPy 1.22 to 2.4 have: dir() of each class, without
 * names that begin with an underscore. */

#include <stddef.h>
#include <string.h>

#include "values/select/elsewhere.h"

static const struct {
    const char *type, *names; /* names: with a blank before and after each */
} classes[] = {
    {"str", " capitalize casefold center count encode endswith expandtabs find format format_map index "
            "isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable "
            "isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix "
            "removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines "
            "startswith strip swapcase title translate upper zfill "},
    {"bytes", " capitalize center count decode endswith expandtabs find fromhex hex index isalnum "
              "isalpha isascii isdigit islower isspace istitle isupper join ljust lower lstrip "
              "maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition "
              "rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill "},
    {"bytearray", " append capitalize center clear copy count decode endswith expandtabs extend find fromhex "
                  "hex index insert isalnum isalpha isascii isdigit islower isspace istitle isupper join "
                  "ljust lower lstrip maketrans partition pop remove removeprefix removesuffix replace "
                  "reverse rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip "
                  "swapcase title translate upper zfill "},
    {"int", " as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag numerator "
            "real to_bytes "},
    {"float", " as_integer_ratio conjugate from_number fromhex hex imag is_integer real "},
    {"complex", " conjugate from_number imag real "},
    {"list", " append clear copy count extend index insert pop remove reverse sort "},
    {"tuple", " count index "},
    {"dict", " clear copy fromkeys get items keys pop popitem setdefault update values "},
    {"set", " add clear copy difference difference_update discard intersection intersection_update "
            "isdisjoint issubset issuperset pop remove symmetric_difference "
            "symmetric_difference_update union update "},
    {"range", " count index start step stop "},
    {"numpy.ndarray",
     " T all any argmax argmin argpartition argsort astype base byteswap choose clip compress "
     "conj conjugate copy ctypes cumprod cumsum data device diagonal dot dtype dump dumps fill "
     "flags flat flatten getfield imag item itemset itemsize mT max mean min nbytes ndim "
     "newbyteorder nonzero partition prod ptp put ravel real repeat reshape resize round "
     "searchsorted setfield setflags shape size sort squeeze std strides sum swapaxes take "
     "to_device tobytes tofile tolist trace transpose var view "},
    {NULL, " abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr "
           "classmethod compile complex delattr dict dir divmod enumerate eval exec filter float "
           "format frozenset getattr globals hasattr hash help hex id input int isinstance "
           "issubclass iter len list locals map max memoryview min next object oct open ord pow "
           "print property range repr reversed round set setattr slice sorted staticmethod str sum "
           "super tuple type vars zip "},
};

bool js_python_has_name(const char *type, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        const char *own = classes[i].type;
        if (type && own ? strcmp(type, own) != 0 : type != own) {
            continue;
        }
        for (const char *at = strstr(classes[i].names, name); at; at = strstr(at + 1, name)) {
            if (length && at[-1] == ' ' && at[length] == ' ') {
                return true;
            }
        }
    }
    return false;
}
