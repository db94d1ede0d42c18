// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

namespace holos::launch {

/// LLVM's OpenMP runtime on this machine. Throws `Error` that says what to install when there is none.
std::filesystem::path llvmOpenMpRuntime();

/// Puts a runtime into a folder under the name by which programs of gcc ask for theirs. A program that finds
/// that folder first (`LD_LIBRARY_PATH`) runs with it. Several ranks may do so at the same time. Throws
/// `Error`.
void offerAsLibgomp(const std::filesystem::path& runtime, const std::filesystem::path& folder);

/// Throws `Error` where a program, or a library that it is linked with, needs a function of its OpenMP
/// runtime that the runtime in this folder (`offerAsLibgomp`) does not have: the system would not run it.
void checkRuntimeSuits(const std::filesystem::path& program, const std::filesystem::path& folder);

}  // namespace holos::launch
