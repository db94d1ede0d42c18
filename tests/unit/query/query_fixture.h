// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/query/database.h"

namespace holos::testing {

using Rows = std::vector<std::string>;

/// The rows of an answer, cells separated by blanks, nothing as `-`. Throws as `Database::ask`.
Rows answerOf(query::Database& database, const std::string& statement, const query::Limits& limits = {});
/// Of a database made for this question alone.
Rows answerOf(const std::filesystem::path& run, const std::string& statement,
              const query::Limits& limits = {});

}  // namespace holos::testing
