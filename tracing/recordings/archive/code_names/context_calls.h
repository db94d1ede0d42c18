// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tracing/code/symbols.h"

namespace holos::archive {

struct SampledContext;

/// The calls in machine code that calling contexts stand for, and which of them may come after which in one
/// run of a function. Events before and after tell by it whether a function stayed between them.
class ContextCalls {
  public:
    /// A call to what is below the context. `file` must live longer; null: nothing is known of the call.
    struct Place {
        const std::string* file = nullptr;
        std::uint64_t offset = 0;   ///< of the call's last byte in what is loaded of the file
        std::uint32_t inlined = 0;  ///< how often the function of the context was inlined there
        friend std::strong_ordering operator<=>(const Place& a, const Place& b);
        friend bool operator==(const Place&, const Place&) = default;
    };
    void add(std::uint32_t context, const Place& place);
    /// `numbers`: the new ones by the old ones, as `SampledCode::renumber` gives them to so many contexts.
    void renumber(std::span<const std::uint32_t> numbers, std::size_t count);
    /// The function had its caller's place taken by what it called as its last act, and makes no more calls.
    void addEnded(std::uint32_t context) { of(context).hasEnded = true; }

    /// By context; empty where nothing is known. A context has a number among those of the same function with
    /// the same caller, and then the numbers of those after which it may come: `2: 0-2 5`.
    std::vector<std::string> orders(std::span<const SampledContext> contexts, code::Symbols& symbols) const;

  private:
    struct Calls {
        std::vector<Place> places;
        bool areUnknown = false;
        bool hasEnded = false;
    };
    Calls& of(std::uint32_t context);

    std::vector<Calls> calls_;  ///< by context
};

}  // namespace holos::archive
