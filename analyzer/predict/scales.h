// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/predict/graph.h"

namespace holos::analyzer::predict {

/// How long a location's work takes, as multiples of what was recorded.
struct LocationScales {
    /// In some call paths it changes in the course of the run.
    struct Layer {
        struct Span {
            std::uint32_t slice;  ///< of the profile: from here on
            double scale;
        };
        std::vector<bool> isIn;   ///< by node
        std::vector<Span> spans;  ///< ascending
    };
    std::vector<double> byNode;
    std::vector<Layer> layers;

    bool changes() const {
        return !layers.empty() ||
               std::any_of(byNode.begin(), byNode.end(), [](double scale) { return scale != 1; });
    }
};

/// The scales at one place after the other.
/// Thread safety: one thread.
class ScaleReader {
  public:
    explicit ScaleReader(const LocationScales& scales)
        : scales_(scales), next_(scales.layers.size(), 0), present_(scales.layers.size(), 1) {}

    /// Slices ascend.
    void moveTo(std::uint32_t slice) {
        for (std::size_t i = 0; i < next_.size(); ++i) {
            const auto& spans = scales_.layers[i].spans;
            for (; next_[i] < spans.size() && spans[next_[i]].slice <= slice; ++next_[i])
                present_[i] = spans[next_[i]].scale;
        }
    }
    double of(std::size_t node) const {
        if (node >= scales_.byNode.size()) return 1;
        double scale = scales_.byNode[node];
        for (std::size_t i = 0; i < present_.size(); ++i)
            if (scales_.layers[i].isIn[node]) scale *= present_[i];
        return scale;
    }

  private:
    const LocationScales& scales_;
    std::vector<std::size_t> next_;
    std::vector<double> present_;
};

}  // namespace holos::analyzer::predict
