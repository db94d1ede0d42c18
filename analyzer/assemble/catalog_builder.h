// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cassert>
#include <string_view>
#include <utility>
#include <vector>

namespace holos::analyzer::assemble {

/// A list of metrics in which parents stand before their children.
template <class Metric>
class CatalogBuilder {
  public:
    /// At the end.
    void append(const Metric& metric) { all_.push_back(&metric); }

    /// As the last child of its parent, or before the sibling that it names.
    void insert(const Metric& metric) {
        const auto place = std::ranges::find_if(
            all_, [&](const Metric* other) { return nameOf(metric.before) == other->uniqueName; });
        all_.insert(place != all_.end() ? place : endBelow(nameOf(metric.parent)), &metric);
    }

    std::vector<const Metric*> take() { return std::move(all_); }

  private:
    static std::string_view nameOf(const char* name) { return name == nullptr ? "" : name; }

    /// Behind a metric and all below it.
    auto endBelow(std::string_view name) {
        const auto parent =
            std::ranges::find_if(all_, [&](const Metric* other) { return name == other->uniqueName; });
        assert(parent != all_.end());
        std::vector<std::string_view> names{name};
        return std::find_if(std::next(parent), all_.end(), [&](const Metric* other) {
            if (std::ranges::find(names, nameOf(other->parent)) == names.end()) return true;
            names.push_back(other->uniqueName);
            return false;
        });
    }

    std::vector<const Metric*> all_;
};

}  // namespace holos::analyzer::assemble
