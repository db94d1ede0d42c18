// SPDX-License-Identifier: BSD-3-Clause
// Owns the precompiled headers of the tests (tests/CMakeLists.txt); nothing of its own to test.
