// SPDX-License-Identifier: Apache-2.0

// Compiled for its precompiled headers alone, which all tests use.
