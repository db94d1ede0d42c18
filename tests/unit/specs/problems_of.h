// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gmock/gmock.h>

#include "metric-specs/problems.h"
#include "metric-specs/specification.h"

namespace holos::specs::testing {

/// Everything that is wrong in a specification.
inline std::vector<Problem> problemsOf(const std::string& text, IncludeReader reader = nullptr) {
    try {
        parse(text, "bad.spec", reader);
    } catch (const SpecificationError& error) {
        return error.problems();
    }
    return {};
}

/// The only problem of the text.
inline Problem problemOf(const std::string& text, IncludeReader reader = nullptr) {
    const auto problems = problemsOf(text, reader);
    EXPECT_THAT(problems, ::testing::SizeIs(1)) << text;
    return problems.empty() ? Problem{} : problems.front();
}

}  // namespace holos::specs::testing
