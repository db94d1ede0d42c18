// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>

namespace holos {

/// The command was used wrongly: the message says which option expects what. Exit code 2.
class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
    /// An option, or several words about it, without which the command cannot do anything.
    static UsageError missing(const std::string& option) { return UsageError(option + " is missing"); }
};

}  // namespace holos
