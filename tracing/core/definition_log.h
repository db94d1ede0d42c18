// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tracing/core/definition_kinds.h"

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

/// One entry of the definitions file under construction. May throw `bad_alloc`; users catch it.
class Definition {
  public:
    explicit Definition(DefinitionKind kind) : bytes_(sizeof(std::uint32_t)) { add(kind); }

    template <class T>
    Definition& add(T value) {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        const auto* begin = reinterpret_cast<const unsigned char*>(&value);
        bytes_.insert(bytes_.end(), begin, begin + sizeof value);
        return *this;
    }
    Definition& addText(std::string_view text) {
        add(static_cast<std::uint32_t>(text.size()));
        bytes_.insert(bytes_.end(), text.begin(), text.end());
        return *this;
    }

    /// The entry so far; the first four bytes are for its length.
    std::span<unsigned char> bytes() noexcept { return bytes_; }

    void write() noexcept { writeEntry(bytes_.data(), bytes_.size()); }

  private:
    std::vector<unsigned char> bytes_;
};

}  // namespace holos::tracing::core
