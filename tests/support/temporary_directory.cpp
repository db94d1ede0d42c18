// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/temporary_directory.h"

#include <cstdlib>
#include <string>
#include <system_error>

namespace holos::testing {

TemporaryDirectory::TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "holos-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
        throw std::system_error(errno, std::generic_category(), "cannot make a directory " + name);
    path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace holos::testing
