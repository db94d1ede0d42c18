// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "tracing/recordings/format/definition_kinds.h"

namespace holos::tracing::core {

/// Appends an entry, whose first four bytes are for its length, to this process's definitions; an error stops
/// the recording. Takes no lock but where the log grows. Thread safety: safe.
void writeEntry(unsigned char* entry, std::size_t bytes) noexcept;

/// Room for some that are written later, by threads that may not ask for any more (`confining.h`).
void makeRoomForDefinitions() noexcept;

/// What of the log can be read.
struct WrittenLog {
    const unsigned char* begin;
    std::size_t bytes;
};
WrittenLog writtenDefinitions() noexcept;

/// One entry of this process's definitions under construction. May throw `bad_alloc`; users catch it.
class Definition : public DefinitionEntry<Definition> {
  public:
    using DefinitionEntry::DefinitionEntry;
    void write() noexcept { writeEntry(bytes().data(), bytes().size()); }
};

}  // namespace holos::tracing::core
