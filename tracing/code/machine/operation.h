// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

namespace holos::code {

/// What an instruction does, as far as it serves to follow an address that a program computes: the same for
/// all processors.
struct Operation {
    /// By its number; x86-64 and aarch64 have up to 32.
    using Register = std::uint8_t;
    static constexpr Register kNone = 0xFF;

    /// The lower bits of a number; the others are 0, or as the highest of these.
    struct Part {
        std::uint8_t bits = 64;
        bool isSigned = false;
    };
    /// constant + base + (part of index << shift)
    struct Sum {
        std::uint64_t constant = 0;
        Register base = kNone;
        Register index = kNone;
        std::uint8_t shift = 0;
        Part part{};
    };
    enum class Kind : std::uint8_t {
        Other,
        Set,         ///< `to` becomes a part of the sum
        Load,        ///< `to` becomes what lies at the sum: as many bits as the part has
        Store,       ///< these bits of `from` come there; none: of something else
        Jump,        ///< to the sum
        JumpThrough  ///< to what lies at the sum
    };
    /// A number is compared with a constant.
    struct Comparison {
        bool isOfMemory = false;  ///< what lies at the sum
        Sum sum;
        std::uint8_t bits = 64;
        std::uint64_t limit = 0;
    };
    /// When a branch is taken: numbers without sign that were compared.
    enum class Condition : std::uint8_t { Other, Above, AboveOrEqual, Below, BelowOrEqual };

    Kind kind = Kind::Other;
    Register to = kNone;
    Register from = kNone;
    Sum sum;
    Part part{};
    std::optional<Comparison> comparison;
    Condition condition = Condition::Other;
    std::uint32_t changed = 0;   ///< registers, as bits; `to` is one
    bool changesMemory = false;  ///< in another way than `Store`
    bool keepsFlags = false;     ///< what was compared before is still known
};

}  // namespace holos::code
