// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace holos::tracing::interpose {

/// Where the dynamic linker would look for a function if the preloaded libraries were not there.

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

/// Finds functions that the preloaded library stands in front of.

/// The libraries of this process that come behind the preloaded one and define some symbol: those that the
/// program was linked against, or, where there are none, those that it loaded later with a scope of their own
/// (as Python loads its modules).
class LoadedLibraries {
  public:
    /// The libraries that define one of `symbols`.
    explicit LoadedLibraries(std::initializer_list<const char*> symbols);
    /// As above, but of those with a scope of their own only the library with this handle and those that it
    /// needs.
    LoadedLibraries(std::initializer_list<const char*> symbols, void* handle);

    bool found() const noexcept { return global_ || !handles_.empty(); }
    /// Null when none of the libraries has it.
    void* find(const char* symbol) const noexcept;
    /// Until then the libraries stay, as their functions are in use.
    void close() noexcept;

  private:
    void addIfItHas(std::initializer_list<const char*> symbols, const char* file);

    bool global_ = false;
    std::vector<void*> handles_;
};

/// The folder of the preloaded library.
std::string ownFolder();

}  // namespace holos::tracing::interpose
