// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

/// Finds functions that the preloaded library stands in front of.
namespace holos::tracing::interpose {

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
