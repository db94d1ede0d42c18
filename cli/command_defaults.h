// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "base/defaults.h"

namespace CLI {
class App;
}  // namespace CLI

namespace holos::cli {

/// Puts what the user has set elsewhere before the words of the command that is named first, but for options
/// that have a value there, exclude one that has, or are nothing without one that has not. Returns what was
/// put there. With `--show-settings` among the words, the command is going to show its options, and nothing
/// else. Throws an error of the parser where there is no such command, or what is set is no value; `Error`
/// where a file cannot be understood.
std::vector<Default> takeDefaults(std::vector<std::string>& words, CLI::App& program);

}  // namespace holos::cli
