/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* What a program gets that looked up `name` in the library with this handle and would have got `found`: the
 * recorder's wrapper where `found` is the very function that the wrapper calls, otherwise `found`.
 *
 * A library that stands in front of MPI and finds MPI's functions by their names is never led back to
 * itself: a wrapper calls what was found, and nothing of that library. Its own functions by the same names
 * are others, and stay. Leaves errno and what dlerror says alone. Thread safety: safe, also while
 * libraries are loaded. */
__attribute__((visibility("hidden"))) void* holosMpiLookedUp(void* handle, const char* name, void* found);

#ifdef __cplusplus
}
#endif
