// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {

/// Commands of `holos` and the files that they read and write, in a folder of the test's own.
class CommandTest : public ::testing::Test {
  protected:
    static CommandResult holos(std::vector<std::string> words) {
        words.insert(words.begin(), HOLOS_PROGRAM);
        return runCommand(words);
    }

    std::string file(const std::string& name) const { return (folder_.path() / name).string(); }

    /// Empty where there is no such file.
    static std::string contentOf(const std::filesystem::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    TemporaryDirectory folder_;
};

}  // namespace holos::testing
