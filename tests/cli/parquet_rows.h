// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/support/command.h"

namespace holos::testing {

/// The rows of a Parquet file as objects, as `--format json` writes them.
inline nlohmann::ordered_json rowsOfParquet(const std::string& file) {
    const auto read = runCommand({"python3", HOLOS_READ_PARQUET, file});
    EXPECT_EQ(read.exitCode, 0) << read.output;
    nlohmann::ordered_json names, rows = nlohmann::ordered_json::array();
    std::istringstream lines(read.output);
    for (std::string line; std::getline(lines, line);) {
        const auto cells = nlohmann::ordered_json::parse(line);
        if (names.empty()) {
            names = cells;
            continue;
        }
        nlohmann::ordered_json row;
        for (std::size_t at = 0; at < cells.size(); ++at) row[names[at].get<std::string>()] = cells[at];
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace holos::testing
