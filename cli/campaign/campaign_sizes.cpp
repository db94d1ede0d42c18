// SPDX-License-Identifier: BSD-3-Clause
#include "cli/campaign/campaign_parts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

#include "cli/command.h"

namespace holos::cli {

namespace {

constexpr std::array<std::string_view, 4> kNumberOfProcesses{"-n", "-np", "--np", "--ntasks"};

bool isNumber(const std::string& word) {
    return !word.empty() &&
           std::ranges::all_of(word, [](unsigned char letter) { return std::isdigit(letter) != 0; });
}

/// How often it was found.
std::size_t replaceAll(std::string& word, const std::string& by) {
    const std::string_view what = kSizeWord;
    std::size_t count = 0;
    for (std::size_t at = word.find(what); at != std::string::npos; at = word.find(what, at + by.size())) {
        word.replace(at, what.size(), by);
        ++count;
    }
    return count;
}

std::vector<std::string> commandOfSize(const std::vector<std::string>& command, const std::string& size,
                                       bool isSaidElsewhere) {
    if (!isNumber(size) || size.front() == '0')
        throw UsageError("--sizes: '" + size + "': expects whole numbers from 1 on");
    std::vector<std::string> words = command;
    std::size_t found = 0;
    for (std::string& word : words) found += replaceAll(word, size);
    if (found != 0) return words;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const bool isOption = std::ranges::find(kNumberOfProcesses, words[i]) != kNumberOfProcesses.end();
        if (!isOption || !isNumber(words[i + 1])) continue;
        words[i + 1] = size;
        return words;
    }
    if (isSaidElsewhere) return words;
    throw UsageError(
        "--sizes: write @SIZE@ in the command where the number belongs, as in mpirun -n @SIZE@ ./app");
}

}  // namespace

std::string withSize(std::string text, const std::string& size) {
    replaceAll(text, size);
    return text;
}

std::vector<std::pair<std::string, std::vector<std::string>>> commandsOfSizes(
    const std::vector<std::string>& command, const std::vector<std::string>& sizes, bool isSaidElsewhere) {
    std::vector<std::pair<std::string, std::vector<std::string>>> commands;
    std::set<std::string> known;
    for (const std::string& size : sizes) {
        if (!known.insert(size).second) throw UsageError("--sizes: " + size + " is given twice");
        commands.emplace_back(size, commandOfSize(command, size, isSaidElsewhere));
    }
    return commands;
}

}  // namespace holos::cli
