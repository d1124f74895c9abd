"""Generated accesses outside of arrays, and whether the line that explains the fault is true.

Each program has functions with one statement that reads or writes elements of several arrays. Each function is called
once for each of its subscripts, with an index that leads far outside of this one array. The generator knows the array,
the axis and the index, so the explanation is right, absent, or false. Other functions use an unsigned index, or view
memory as an array that is longer."""
