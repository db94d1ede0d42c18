// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>

namespace holos::archive {

/// Which cache lines several threads of a process used, as far as accesses to them were sampled.
///
/// Thread safety: `of` is safe while nothing is added.
class SharedLines {
  public:
    static constexpr std::uint64_t kLineBytes = 64;
    static constexpr std::uint64_t kWordBytes = 8;

    enum class Use : std::uint8_t {
        Own,      ///< of one thread, or nobody wrote it
        Shared,   ///< of several threads, of which one wrote a word that another one used
        Falsely,  ///< of several threads, of which one wrote, but no word that others used
    };

    /// `block`: number of the block of memory; what comes to the same place later is other data.
    void add(std::uint32_t thread, std::uint64_t address, std::uint32_t block, bool isStore);
    Use of(std::uint64_t address, std::uint32_t block) const;

  private:
    struct Users {
        std::uint32_t first = kNobody;
        bool areSeveral = false;
        bool isWritten = false;
        void add(std::uint32_t thread, bool isStore);
        bool share() const { return areSeveral && isWritten; }
    };
    static constexpr std::uint32_t kNobody = 0xFFFFFFFFU;
    struct Line {
        Users all;
        std::array<Users, kLineBytes / kWordBytes> words;
    };
    std::map<std::pair<std::uint64_t, std::uint32_t>, Line> lines_;  ///< by number of the line, and block
};

}  // namespace holos::archive
