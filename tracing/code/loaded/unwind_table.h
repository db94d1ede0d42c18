// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>

#include "tracing/code/loaded/byte_reader.h"

namespace holos::code {

/// What a loaded file says about how to get from a function to its caller (`.eh_frame`).
struct UnwindEntry {
    std::uint64_t functionBegin = 0;
    std::uint64_t codeAlignment = 1;
    std::int64_t dataAlignment = 1;
    std::uint64_t returnRegister = 0;
    std::uint8_t encoding = 0;   ///< of addresses in the instructions
    bool isSignalFrame = false;  ///< what a signal handler returns to
    ByteReader common;           ///< instructions that hold at the function's start
    ByteReader own;              ///< instructions from there on
};

/// A loaded file, as far as samples need it.
struct LoadedFile {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    const unsigned char* table = nullptr;  ///< `.eh_frame_hdr`
    const char* path = nullptr;            ///< empty for the program itself; valid while the file is loaded
};

/// A file that is loaded so far from where it was linked to, from its first to its last part.
/// Async-signal-safe.
LoadedFile loadedFile(std::uint64_t distance, const ElfW(Phdr) * parts, std::size_t count,
                      const char* path) noexcept;

/// The file that an address belongs to; false when there is none. Takes no lock. Asks the C library, or looks
/// into a table (`file_table.h`).
bool findLoadedFile(std::uint64_t address, LoadedFile& file) noexcept;

/// The entry of the function at an address; false when the file says nothing of it, or in a form that is not
/// known, or what it says does not hold (`core::swapsStacks`). Reads nothing outside of the file.
/// Async-signal-safe.
bool findUnwindEntry(const LoadedFile& file, std::uint64_t address, UnwindEntry& entry) noexcept;

}  // namespace holos::code
