// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace holos::algebra::testing {

/// Members of a container in their order, written by hand as other programs might, not by Holos.
using Members = std::vector<std::pair<std::string, std::string>>;

/// How the last block of a member is filled.
enum class Padding { Standard, Cube };

/// A tar archive of these members.
std::string tarOf(const Members& members, Padding padding = Padding::Standard);

/// Writes the bytes to a new file that lasts as long as the test program, and returns its name.
std::filesystem::path fileWith(const std::string& bytes);

/// An `anchor.xml` with one metric (id 7, `attributes` inside its tag, of this dtype), the call tree
/// 0(1(2),3), 4(5) of regions r0 to r5, and locations 0 and 1 of one process.
std::string anchorWith(const std::string& attributes, const std::string& dtype);

/// Index members: the rows listed, or all.
std::string sparseIndex(const std::vector<std::uint32_t>& rows, bool swapped = false);
std::string denseIndex();

/// The mark and these values as doubles.
std::string doubles(const std::vector<double>& values, bool swapped = false);

/// The text as a gzip file.
std::string gzipped(const std::string& text);

}  // namespace holos::algebra::testing
