// SPDX-License-Identifier: BSD-3-Clause
#include "tests/unit/tracing/compiled.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/support/command.h"

namespace holos::testing {

bool haveTools(const std::vector<std::string>& tools) {
    return std::all_of(tools.begin(), tools.end(), [](const std::string& tool) {
        return runCommand({"sh", "-c", "command -v " + tool}).exitCode == 0;
    });
}

void runTool(const std::vector<std::string>& words) {
    const auto result = runCommand(words);
    ASSERT_EQ(result.exitCode, 0) << words.front() << ": " << result.output;
}

std::filesystem::path compiledLibrary(const std::filesystem::path& folder, const std::string& source,
                                      const std::vector<std::string>& command, const std::string& extension) {
    const auto file = folder / ("code." + extension);
    std::ofstream(file) << source;
    const auto library = folder / "libcode.so";
    std::vector<std::string> words{command.front(), "-Wl,--build-id"};
    words.insert(words.end(), command.begin() + 1, command.end());
    runTool(words + std::vector<std::string>{"-shared", "-fPIC", file, "-o", library});
    return library;
}

std::filesystem::path compiledProgram(const std::filesystem::path& folder, const std::string& source,
                                      const std::string& other, std::vector<std::string> command) {
    std::ofstream(folder / "code.c") << source;
    std::ofstream(folder / "other.c") << other;
    const auto program = folder / "program";
    runTool(std::move(command) +
            std::vector<std::string>{folder / "code.c", folder / "other.c", "-o", program});
    return program;
}

SymbolPlace symbolPlace(const std::filesystem::path& library, const std::string& symbol) {
    std::istringstream symbols(runCommand({"nm", "-S", library}).output);
    SymbolPlace place;
    for (std::string line; std::getline(symbols, line);) {
        std::istringstream words(line);
        std::string kind;
        std::string name;
        if (words >> std::hex >> place.address >> place.size >> kind >> name && name == symbol) return place;
    }
    ADD_FAILURE() << "no symbol " << symbol;
    return {};
}

std::uint32_t lineOf(const std::string& source, const std::string& text) {
    const auto at = source.find(text);
    EXPECT_NE(at, std::string::npos) << text;
    return 1 + static_cast<std::uint32_t>(
                   std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

std::string buildIdOf(const std::filesystem::path& library) {
    const std::string notes = runCommand({"readelf", "-n", library}).output;
    std::smatch found;
    return std::regex_search(notes, found, std::regex("Build ID: ([0-9a-f]+)")) ? found[1].str() : "";
}

}  // namespace holos::testing
