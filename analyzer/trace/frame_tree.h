// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/trace/ids.h"

namespace holos::analyzer::trace {

/// Where a call stands in the program.
struct CallSite {
    std::string file;        ///< source file; where there is no line, `library+0xoffset`
    std::uint32_t line = 0;  ///< from 1; 0: not known
    friend bool operator==(const CallSite&, const CallSite&) = default;
};
/// The call site of calls about which nothing is known; the first of every table.
inline constexpr SiteId kNoSite{0};

/// A function on the call stack: another one for every chain of calls that leads to it.
struct StackFrame {
    RegionId function;
    SiteId site;  ///< where its caller calls it
    FrameId caller;
    std::uint32_t depth = 0;  ///< number of callers
};
/// Outside of all functions: the caller of the outermost ones. The first of every table.
inline constexpr FrameId kNoFrame{0};

/// All chains of calls that a trace knows. Two places in one function share its frame. A caller stands before
/// what it calls, so that its number is smaller.
/// Thread safety: safe to read.
class FrameTree {
  public:
    /// Deeper ones are not told apart from their caller: no stack of a program that can be read is so deep.
    static constexpr std::uint32_t kDeepest = 1000;

    FrameTree() : frames_(1) {}

    const StackFrame& operator[](FrameId id) const { return frames_[id.index()]; }
    /// True when there were deeper ones.
    bool isCut() const { return isCut_; }

    /// The frame of a function that is called from there, made when it is new.
    FrameId add(FrameId caller, RegionId function, SiteId site);
    /// The innermost frame that both have in common.
    FrameId common(FrameId a, FrameId b) const {
        while (a != b)
            if (a < b)
                b = (*this)[b].caller;
            else
                a = (*this)[a].caller;
        return a;
    }

  private:
    struct Key {
        FrameId caller;
        RegionId function;
        SiteId site;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const;
    };
    std::vector<StackFrame> frames_;
    std::unordered_map<Key, FrameId, KeyHash> known_;
    bool isCut_ = false;
};

}  // namespace holos::analyzer::trace
