/* stacks/unwind/cpp_name.c: C++ names without parameters, as GDB gives them for frames. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stacks/unwind/cpp_name.h"

static const char *const cases[][2] = {
    {"_Z3fooi", "foo"},
    {"_ZN3tbb6detail2r15arena7processERNS1_11thread_dataE", "tbb::detail::r1::arena::process"},
    {"_ZN12_GLOBAL__N_13barEv", "(anonymous namespace)::bar"},
    {"_ZN1AclEi", "A::operator()"},
    {"_ZN1AlsEi", "A::operator<<"},
    {"_ZN1AltERKS_", "A::operator<"},
    {"_ZN1AptEv", "A::operator->"},
    {"_ZN1AcvbEv", "A::operator bool"},
    {"_Znwm", "operator new"},
    {"_Zli2_xy", "operator\"\" _x"},
    {"_ZN1A11my_operatorIiEEiT_", "A::my_operator<int>"},
    {"_Z3fooI11my_operatorIiEEiT_", "foo<my_operator<int> >"},
    {"_Z5lanesIiEDv8_fT_", "lanes<int>"},
    {"_Z3addIiET_S0_S0_", "add<int>"},
    {"_ZNKSt6vectorIiSaIiEE4sizeEv", "std::vector<int, std::allocator<int> >::size"},
    {"_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()"},
    {"_ZNSt6thread11_State_implINS_8_InvokerISt5tupleIJPFvvEEEEEE6_M_runEv",
     "std::thread::_State_impl<std::thread::_Invoker<std::tuple<void (*)()> > >::_M_run"},
    {"_ZN5boost3fooB5cxx11Ev", "boost::foo[abi:cxx11]"},
    {"_ZZNK1A1fEiENKUlvE_clEv", "A::f(int) const::{lambda()#1}::operator()"},
    {"_Z3fooIiEDcT_", "foo<int>"}, /* decltype(auto) foo<int>(int) */
    {"_Z3fooi.cold", "foo"},
};

static void names(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *name = js_cpp_name(cases[i][0]);
        assert_non_null(name);
        assert_string_equal(name, cases[i][1]);
        free(name);
    }
}

static void no_names(void **state)
{
    (void)state;
    static const char *const others[] = {"", "main", "_Z", "_ZN", "_Zfoo", "_ZN8__main__3foo", "Z3fooi"};
    char longest[8192];
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_null(js_cpp_name(others[i]));
    }
    memset(longest, 'P', sizeof longest);
    memcpy(longest, "_Z3foo", 6);
    longest[sizeof longest - 2] = 'i';
    longest[sizeof longest - 1] = '\0';
    assert_null(js_cpp_name(longest));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(no_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
