// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holos {

/// Stands in the place of a secret.
inline constexpr std::string_view kMasked = "***";

/// Whether the value of a variable or an option of this name is a secret: `PGPASSWORD`, `--api-key`.
bool isNameOfSecret(std::string_view name);

/// The command line with all values masked that look like secrets: those of options and variables whose names
/// say so (`--password=x`, `--token x`, `DB_PASSWORD=x`, also in scripts and JSON within a word), those in
/// addresses (`https://user:x@host`), and words that begin as tokens of well-known services do.
std::vector<std::string> withoutSecrets(const std::vector<std::string>& command);

}  // namespace holos
