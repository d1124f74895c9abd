// A C++ extension that stops for its debugger, as breakpoint() does in Python: jitscope_breakpoint() is a
// call like any other, and the stop is on the caller's line.
#include <jitscope.h>

#include <cstdio>
#include <vector>

namespace
{

template <typename T> T total(const std::vector<T> &values)
{
    T sum{};
    for (const T &value : values) {
        sum += value;
        if (value > T{2}) {
            jitscope_breakpoint();                                  // at: stop
            std::printf("passed %g\n", static_cast<double>(value)); // at: after
        }
    }
    return sum;
}

} // namespace

int main()
{
    std::vector<double> values{1.0, 2.0, 4.0};
    std::printf("%g\n", total(values));
    // The descriptors are as usable from C++: a layout is registered and taken back.
    jitscope_layout layout;
    uint64_t handle = 0;
    jitscope_layout_init(&layout);
    layout.kind = JITSCOPE_OPAQUE;
    layout.name = "std::vector<double>";
    layout.bytes = sizeof values;
    return jitscope_layout_register(&layout, &handle) || jitscope_layout_unregister(handle);
}
