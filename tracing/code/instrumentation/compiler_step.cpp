// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/instrumentation/compiler_step.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/function_name.h"

namespace holos::instrumentation {
namespace {

bool isOfTheCompiler(const std::string& symbol) {
    constexpr std::array kBegins{"_GLOBAL__", "_ZTh", "_ZTv", "_ZTc", "_ZTW", "_ZTH"};
    return isOutlinedBody(symbol) || symbol.find("._omp_cpyfn.") != std::string::npos ||
           symbol.ends_with(".resolver") ||
           std::ranges::any_of(kBegins, [&](const char* begin) { return symbol.starts_with(begin); });
}

bool isForeign(const std::string& file) {
    return std::ranges::any_of(kForeignFiles,
                               [&](const char* part) { return file.find(part) != std::string::npos; });
}

bool isTiny(const AssembledFunction& function, unsigned smallest) {
    const bool isMain = function.symbol == "main" || function.symbol == "MAIN__";
    return function.instructions < smallest && !function.hasLoops && !function.hasCalls && !isMain;
}

bool isFilteredOut(const AssembledFunction& function, const Rules& rules) {
    if (rules.filter.isEmpty()) return false;
    const bool isFilesOut =
        !function.file.empty() &&
        rules.filter.excludesFile(std::filesystem::absolute(function.file).lexically_normal());
    return isFilesOut || (rules.isFortran ? rules.filter.excludesProcedure(function.symbol)
                                          : rules.filter.excludesFunction(function.symbol));
}

}  // namespace

bool isWanted(const AssembledFunction& function, const Rules& rules) {
    return !isOfTheCompiler(function.symbol) && !isForeign(function.file) &&
           !isTiny(function, rules.smallest) && !isFilteredOut(function, rules);
}

namespace {

bool has(const Words& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

/// The assembly holds no functions yet, but what the linker makes them of.
bool isForLinkTime(const Words& command) {
    bool is = false;
    for (const std::string& word : command) {
        if (word == "-flto" || word.starts_with("-flto=")) is = true;
        if (word == "-fno-lto") is = false;
    }
    return is;
}

bool servesAfterInlining(const Words& command) {
    static constexpr std::array kOthers{"-m16",           "-m32", "-mx32", "-miamcu",
                                        "-mcmodel=large", "-p",   "-pg",   "-finstrument-functions"};
    return !isForLinkTime(command) &&
           std::ranges::none_of(kOthers, [&](const char* word) { return has(command, word); });
}

std::string outputOf(const Words& command) {
    const auto option = std::ranges::find(command, "-o");
    return option == command.end() || option + 1 == command.end() ? "" : option[1];
}

void add(Words& command, const Words& options) {
    command.insert(command.begin() + 1, options.begin(), options.end());
}

/// What gcc itself can leave out: names that contain a word, as long as no later rule lets some of them in.
std::string excludedWords(const filter::Filter& filter) {
    std::string words;
    for (const filter::Rule& rule : filter.regions()) {
        const std::string& pattern = rule.pattern;
        const bool isWord = pattern.size() > 2 && pattern.front() == '*' && pattern.back() == '*' &&
                            pattern.find_first_of("*?[\\,", 1) == pattern.size() - 1;
        if (!rule.excludes)
            words.clear();
        else if (isWord && !rule.isMangled)
            words += (words.empty() ? "" : ",") + pattern.substr(1, pattern.size() - 2);
    }
    return words;
}

}  // namespace

Words optionsBeforeInlining(const filter::Filter& filter) {
    std::string files = "-finstrument-functions-exclude-file-list=";
    for (const char* const file : kForeignFiles)
        files += (file == kForeignFiles.front() ? "" : ",") + std::string(file);
    Words options{"-finstrument-functions", files};
    const std::string excluded = excludedWords(filter);
    if (!excluded.empty()) options.push_back("-finstrument-functions-exclude-function-list=" + excluded);
    return options;
}

CompilerStep instrumentedStep(const Words& command, const filter::Filter& filter) {
    CompilerStep step{command, "", false};
    const std::string& path = command.front();
    const std::string program = path.substr(path.rfind('/') + 1);
    step.isFortran = program == "f951";
    const bool isCompiler = step.isFortran || program == "cc1" || program == "cc1plus";
    if (!isCompiler || has(command, "-E") || has(command, "-fsyntax-only")) return step;
    if (!servesAfterInlining(command)) {
        add(step.command, optionsBeforeInlining(filter));
        return step;
    }
    // A jump instead of the last call would end the function that calls before what it calls for.
    add(step.command, {"-p", "-mfentry", "-minstrument-return=call", "-fno-optimize-sibling-calls"});
    step.assembly = outputOf(command);
    return step;
}

}  // namespace holos::instrumentation
