// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include "algebra/model/experiment.h"
#include "analyzer/analyze.h"

namespace holos::testing {

/// Equal to the last bit, in the same order.
inline void expectEqual(const algebra::Experiment& a, const algebra::Experiment& b) {
    ASSERT_EQ(a.metrics.size(), b.metrics.size());
    ASSERT_EQ(a.callTree.size(), b.callTree.size());
    ASSERT_EQ(a.system.locations.size(), b.system.locations.size());
    for (const auto path : a.callTree.ids()) {
        EXPECT_EQ(a.regionOf(path).name, b.regionOf(path).name);
        EXPECT_EQ(a.callTree.parent(path), b.callTree.parent(path));
        EXPECT_EQ(a.callTree[path].line, b.callTree[path].line);
        EXPECT_EQ(a.callTree[path].module, b.callTree[path].module);
    }
    for (const auto metric : a.metrics.ids()) {
        const auto& first = a.severities.table(metric);
        const auto& second = b.severities.table(metric);
        ASSERT_EQ(first.callPaths(), second.callPaths());
        if (first.callPaths() == 0) continue;
        for (const auto path : a.callTree.ids())
            for (std::size_t i = 0; i < a.system.locations.size(); ++i)
                ASSERT_EQ(first.at(path, algebra::LocationId(i)), second.at(path, algebra::LocationId(i)))
                    << a.metrics[metric].uniqueName;
    }
}

}  // namespace holos::testing
