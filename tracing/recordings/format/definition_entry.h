// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tracing/recordings/format/definition_kinds.h"

namespace holos::tracing::core {

/// One entry of a definitions file under construction: its length, its kind, and what was added to it. May
/// throw `bad_alloc`. `Own` is the class that is made of it.
template <class Own>
class DefinitionEntry {
  public:
    explicit DefinitionEntry(DefinitionKind kind) : bytes_(sizeof(std::uint32_t)) { add(kind); }

    template <class T>
    Own& add(T value) {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        const auto* begin = reinterpret_cast<const unsigned char*>(&value);
        bytes_.insert(bytes_.end(), begin, begin + sizeof value);
        return static_cast<Own&>(*this);
    }
    Own& addText(std::string_view text) {
        add(static_cast<std::uint32_t>(text.size()));
        bytes_.insert(bytes_.end(), text.begin(), text.end());
        return static_cast<Own&>(*this);
    }

    /// The entry so far; the first four bytes are for its length.
    std::span<unsigned char> bytes() noexcept { return bytes_; }

  private:
    std::vector<unsigned char> bytes_;
};

}  // namespace holos::tracing::core
