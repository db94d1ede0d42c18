// SPDX-License-Identifier: BSD-3-Clause
// docs/promises.md: each promise of its tables names its tests.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace holos::testing {
namespace {

namespace fs = std::filesystem;

std::string textOf(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::set<std::string> namesIn(const std::string& text, const std::regex& pattern) {
    std::set<std::string> names;
    for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
        names.insert((*at)[1].str() + '.' + (*at)[2].str());
    return names;
}

/// `Suite.name` of all tests in the tree's sources.
std::set<std::string> allTests() {
    const std::regex definition(R"(\nTEST(?:_F|_P)?\((\w+),\s*(\w+)\))");
    std::set<std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(HOLOS_SOURCE "/tests"))
        if (entry.path().extension() == ".cpp") all.merge(namesIn(textOf(entry.path()), definition));
    return all;
}

struct Promise {
    std::string text;
    std::set<std::string> tests;
};

/// The rows of the page's tables, without their heads.
std::vector<Promise> promises() {
    std::ifstream page(HOLOS_SOURCE "/docs/promises.md");
    const std::regex test(R"(`(\w+)\.(\w+)`)");
    std::vector<Promise> all;
    for (std::string line; std::getline(page, line);) {
        if (!line.starts_with('|') || line.starts_with("|---") || line.starts_with("| promise")) continue;
        const auto last = line.rfind('|', line.size() - 2);
        all.push_back({line.substr(0, last), namesIn(line.substr(last), test)});
    }
    return all;
}

TEST(PromisesPage, promises_nameTestsThatExist) {
    const std::set<std::string> tests = allTests();
    const std::vector<Promise> all = promises();
    EXPECT_GT(all.size(), 30u);
    for (const Promise& promise : all) {
        EXPECT_THAT(promise.tests, ::testing::Not(::testing::IsEmpty())) << promise.text;
        for (const std::string& name : promise.tests)
            EXPECT_TRUE(tests.contains(name)) << name << " of" << promise.text;
    }
}

}  // namespace
}  // namespace holos::testing
