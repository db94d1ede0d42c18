// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tracing/code/loaded/exported_symbols.h"

namespace holos::tracing::interpose {

/// Where the dynamic linker would look for a function if the preloaded libraries were not there.

/// Whether an address is in one of the recorder's libraries.
bool isOurs(const void* address) noexcept;

bool areOfOneLibrary(const void* one, const void* other) noexcept;

/// The libraries of this process that come behind the preloaded one and define some symbol, with all that
/// they need: those that came with the program, or, where none of these does, one that was loaded later with
/// a scope of its own (as Python loads its modules). That one stays when the program closes it.
///
/// Never waits for a thread that loads a library.
class LoadedLibraries {
  public:
    /// The libraries that define one of `symbols`. `within`: of those with a scope of their own only the one
    /// with this code, and those that it needs; null: the first one that was loaded.
    explicit LoadedLibraries(std::initializer_list<const char*> symbols,
                             const void* within = nullptr) noexcept;

    bool found() const noexcept { return !scope_.empty(); }
    /// Null when none of the libraries has it.
    void* find(const char* symbol) const noexcept;
    /// The program itself goes first: it has some of the libraries' data.
    void* findData(const char* symbol) const noexcept;
    /// From here on they may go away.
    void close() noexcept;

  private:
    std::vector<code::ExportedSymbols> program_;  ///< it alone
    std::vector<code::ExportedSymbols> scope_;    ///< the nearest first
    const void* kept_ = nullptr;                  ///< in the library that was loaded later
};

/// The folder of the preloaded library.
std::string ownFolder();

}  // namespace holos::tracing::interpose

/// Begins a function that the recorder puts in front of the program's, under the name of that one.
#define HOLOS_INTERPOSED extern "C" __attribute__((visibility("default")))

/// The functions behind those that the recorder puts in front of the program's.
namespace holos::tracing::interpose {

/// Finds what a caller would have called if the recorder were not there:
///
///  1. behind this library in those that came with the program, as RTLD_NEXT does;
///  2. else in the scope of the library that calls, as where Python loads a module and what that needs;
///  3. else in any library of the process.
///
/// Of a function with several versions it is the one that programs are linked with today.
///
/// What came with the program is kept, so that the usual call costs one load. Everything else may leave the
/// process again: it is remembered for the place of the call, until something is unloaded.
///
/// Constant-initialised, so usable before any constructor has run. Never waits for a thread that loads a
/// library.
///
/// Thread safety: safe.
class NextFunction {
  public:
    explicit constexpr NextFunction(const char* name) noexcept : name_(name) {}

    /// `caller`: an address in the code that calls, such as `__builtin_return_address(0)`; may be null. Null
    /// when the process has no such function.
    void* behind(const void* caller) noexcept {
        void* const known = known_.load(std::memory_order_relaxed);
        return known != nullptr ? known : find(caller);
    }

    const char* name() const noexcept { return name_; }

  private:
    void* find(const void* caller) noexcept;

    const char* name_;
    std::atomic<void*> known_{nullptr};
};

/// `NextFunction` with the function's type. Where there is no such function, one that does nothing and
/// returns 0: the program can have asked for ours only to see whether it is there.
template <class Type>
class Next {
  public:
    explicit constexpr Next(const char* name) noexcept : function_(name) {}

    Type* behind(const void* caller) noexcept {
        void* const found = function_.behind(caller);
        return reinterpret_cast<Type*>(found != nullptr ? found : reinterpret_cast<void*>(&doNothing));
    }
    Type* behindOrNull(const void* caller) noexcept {
        return reinterpret_cast<Type*>(function_.behind(caller));
    }
    /// The next function, for use by the recorder itself.
    Type* get() noexcept { return behind(nullptr); }
    const char* name() const noexcept { return function_.name(); }

  private:
    static long doNothing() noexcept { return 0; }

    NextFunction function_;
};

/// What was found for a call of the function `key` from that place; null when nothing is remembered.
/// Forgotten when something is unloaded.
void* remembered(const void* key, const void* caller) noexcept;
void remember(const void* key, const void* caller, void* found) noexcept;

/// What `NextFunction` finds, for a name that is put together. `key`: the same for the same name.
void* findLikeCaller(const void* key, const char* name, const void* caller) noexcept;

/// Something is about to be unloaded, or just was.
void forgetFound() noexcept;

/// The C library's `dlclose`.
int closeLibrary(void* handle) noexcept;

/// The library with this code is to stay when the program closes it.
void keepLibraryOf(const void* code) noexcept;
/// It need not, unless others want it to.
void letGoLibraryOf(const void* code) noexcept;
/// Before the program closes a library. May wait for a thread that loads one, as closing does.
void holdKeptLibraries() noexcept;

}  // namespace holos::tracing::interpose

/// For `libholos-exceptions.so`: the `__cxa_begin_catch` that the caller means; null when there is none.
extern "C" __attribute__((visibility("default"))) void* holos_next_begin_catch(const void* caller);
