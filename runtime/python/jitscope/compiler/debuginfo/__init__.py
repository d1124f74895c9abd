"""The debug information that the hook gives LLVM, and the cache's index."""
