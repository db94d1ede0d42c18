// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string_view>
#include <vector>

/// What both sides of a connection say, neither of which trusts the other. A question is a line of words. An
/// answer is a line, `ok SIZE` or `error SIZE`, and as many bytes. Rows are numbered by their call paths,
/// depth first; metrics and locations as the machine of the experiment numbers them. Numbers within bytes are
/// doubles as that machine has them, unless something else is said.
namespace holos::far {

/// Begins the line that says that somebody answers, behind which the order of bytes stands. Another number
/// means other questions.
inline constexpr std::string_view kGreeting = "holos view 1 ";
inline constexpr std::string_view kByteOrder = std::endian::native == std::endian::little ? "little" : "big";

/// Bytes of a reason why there is no answer, at most.
inline constexpr std::size_t kLongestReason = std::size_t{16} << 10;
/// Bytes of a question, at most: the numbers of a million call paths, every second one.
inline constexpr std::size_t kLongestQuestion = std::size_t{16} << 20;
/// Bytes of several rows that are fetched together, at most. One row may have more.
inline constexpr std::size_t kLargestBlock = std::size_t{16} << 20;

/// `experiment`: the parts of all that is not values, each with a line in front that says what it is:
/// `anchor SIZE`, `file NAME-SIZE SIZE`, `compound METRIC INDEX-SIZE DATA-SIZE`; for each metric `rows METRIC
/// SIZE`, a letter for each call path (`1`: it has a row), or `unreadable METRIC SIZE`, the reason.
inline constexpr std::string_view kExperiment = "experiment";
/// `sums METRIC`: a number for each row, over all locations, and one for each location, over all rows.
inline constexpr std::string_view kSums = "sums";
/// `locations METRIC ROWS`: a number for each location, over these rows.
inline constexpr std::string_view kLocations = "locations";
/// `calls METRIC LOCATIONS`: a number for each row, over these locations.
inline constexpr std::string_view kCalls = "calls";
/// `block METRIC FIRST COUNT`: a letter, and of these rows those that are there: as doubles (`d`), or as
/// stored in the metric's type (`s`).
inline constexpr std::string_view kBlock = "block";

/// The first words of a line: no line that is known has more.
inline std::vector<std::string_view> wordsIn(std::string_view line) {
    constexpr std::size_t kMost = 8;
    std::vector<std::string_view> words;
    while (!line.empty() && words.size() < kMost) {
        const std::size_t end = std::min(line.find(' '), line.size());
        if (end > 0) words.push_back(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return words;
}

}  // namespace holos::far
