// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace holos::instrumentation {

/// Where a function's instructions lead, to find its loops. It is told of them in their order.
class ControlFlow {
  public:
    /// A part of it begins that stands elsewhere, and that nothing before leads into.
    void beginPart();
    void label(std::string_view name);
    void jump(std::string_view label);
    /// What follows is reached by jumps only.
    void stop() { isReached_ = false; }
    /// An instruction that repeats itself, or a jump of which nobody knows where it leads.
    void mayRepeat() { mayRepeat_ = true; }

    bool hasLoops() const;

  private:
    using Block = std::uint32_t;
    Block blockOf(std::string_view label);
    Block newBlock();

    std::vector<std::vector<Block>> next_{1};
    std::unordered_map<std::string, Block> labels_;
    Block here_ = 0;
    bool isReached_ = true;
    bool mayRepeat_ = false;
};

}  // namespace holos::instrumentation
