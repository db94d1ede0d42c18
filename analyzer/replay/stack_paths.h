// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <unordered_map>

#include "analyzer/replay/local_tree.h"

namespace holos::analyzer::replay {

using trace::FrameId;

/// What is known of the functions around a region that was entered: they stand above it in the call tree. One
/// of the frames of the trace, or this: those that have the names of regions above it.
inline constexpr FrameId kByName{~std::uint32_t{0}};

/// Call paths of functions that were not entered, but seen on the call stack when a region was entered or a
/// sample was taken. They stand below the innermost region that was open; what stands above it already is not
/// repeated.
///
///     program / main / solve / MPI_Send       entered where main > solve called it
///     program / main / solve / solver.c:17    a sample between two such events
class StackPaths {
  public:
    StackPaths(const trace::Definitions& definitions, const std::vector<trace::RegionClass>& classes,
               LocalTree& tree)
        : definitions_(definitions), classes_(classes), tree_(tree) {}

    /// The call path of `frame` where the innermost open region is `around`, and around that is `known`.
    NodeId of(NodeId around, FrameId known, FrameId frame) {
        Recent& recent = recent_[(frame.index() + around.index() * kStride) % recent_.size()];
        if (recent.key == Key{around, known, frame}) [[likely]]
            return recent.node;
        return find(recent, {around, known, frame});
    }
    /// The call path of a sample. Its source line is a call path of its own, unless it is where `around` was
    /// entered from: there `around` says more.
    NodeId ofSample(NodeId around, FrameId known, trace::ContextId sample);

  private:
    struct Key {
        NodeId around;
        FrameId known;
        FrameId frame;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const;
    };
    struct Recent {
        Key key;
        NodeId node;  ///< right for the key that it begins with: nothing was seen outside
    };
    static constexpr std::size_t kStride = 7;  ///< any number that spreads neighbours

    NodeId find(Recent& recent, const Key& key);
    NodeId make(const Key& key);
    FrameId common(FrameId known, FrameId frame) const;
    FrameId knownByName(NodeId around, FrameId frame) const;
    bool isSameFunction(RegionId entered, RegionId seen) const;

    const trace::Definitions& definitions_;
    const std::vector<trace::RegionClass>& classes_;
    LocalTree& tree_;
    std::array<Recent, 64> recent_{};
    std::unordered_map<Key, NodeId, KeyHash> found_;
};

}  // namespace holos::analyzer::replay
