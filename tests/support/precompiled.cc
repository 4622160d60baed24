// Compiled for its precompiled headers alone, which all tests use.
