// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace holos {

/// Where something went wrong: as much of it as is known.
struct Place {
    std::string file = {};                       ///< path as the user gave it; empty when no file is involved
    std::optional<std::uint64_t> line = {};      ///< from 1, for text files
    std::optional<std::uint64_t> column = {};    ///< from 1, for text files
    std::optional<std::uint64_t> byte = {};      ///< offset from the file's start, for binary files
    std::optional<std::uint64_t> location = {};  ///< OTF2 location
    std::optional<std::uint64_t> event = {};     ///< number of the event within its location, from 0
};

/// The root of every exception that Holos throws. `what()` reads `FILE:LINE:COLUMN: message`,
/// with `(byte N)`, `(location N)` and `(event N)` behind it where known. The message says what is wrong,
/// what was expected and, where there is an obvious one, what to do next.
class Error : public std::runtime_error {
  public:
    explicit Error(const std::string& message) : Error(message, Place{}) {}
    Error(const std::string& message, Place place);

    const Place& place() const noexcept { return place_; }
    /// The message without the place.
    const std::string& message() const noexcept { return message_; }

  private:
    Place place_;
    std::string message_;
};

/// The command was used wrongly: the message says which option expects what. Exit code 2.
class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
    /// An option, or several words about it, without which the command cannot do anything.
    static UsageError missing(const std::string& option) { return UsageError(option + " is missing"); }
};

}  // namespace holos
