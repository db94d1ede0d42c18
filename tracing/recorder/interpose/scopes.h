// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

/// Where the dynamic linker would look for a function if the preloaded libraries were not there.
namespace holos::tracing::interpose {

/// Whether an address is in one of the recorder's libraries.
bool isOurs(const void* address) noexcept;

bool areOfOneLibrary(const void* one, const void* other) noexcept;

/// The files of the process's libraries, in the order in which they were loaded.
std::vector<std::string> loadedFiles();

/// In the scope of the library that has this address, when it was loaded with one of its own: that library
/// and those that it needs. Null when it is not there.
void* findInScopeOf(const void* address, const char* name);
/// In the first library of the process that has it. Null when none does.
void* findAnywhere(const char* name);

/// Whether the library with this address stays as long as the process: it came with the program. False as
/// long as that is not known, which is until the constructors of this library have run.
bool isPermanent(const void* address) noexcept;

}  // namespace holos::tracing::interpose
