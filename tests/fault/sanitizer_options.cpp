// SPDX-License-Identifier: BSD-3-Clause
// For builds with a sanitizer: what OTF2's reader does with damaged files is not ours to mend. It asks for as
// much memory as a corrupted length says and takes no for an answer, and does not free what a failed opening
// took.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
    return "allocator_may_return_null=1:detect_leaks=0";
}
