// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "metric-specs/error.h"
#include "tracing/filter/filter.h"

namespace holos::cli {
namespace {

struct CompileOptions {
    bool show = false;
    std::string filter;
    std::vector<std::string> command;
};

std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char character : word)
        text += character == '\'' ? std::string("'\\''") : std::string(1, character);
    return text + "'";
}

/// What the compiler, or a wrapper around one, says about itself.
std::string versionOf(const std::string& compiler) {
    std::FILE* const pipe = ::popen((quoted(compiler) + " --version 2>/dev/null </dev/null").c_str(), "r");
    if (pipe == nullptr) throw Error(std::strerror(errno), {.file = compiler});
    std::string text;
    std::array<char, 4096> buffer{};
    for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
        text.append(buffer.data(), got);
    if (::pclose(pipe) != 0 || text.empty())
        throw Error("is no compiler that can be run: it does not answer to --version", {.file = compiler});
    return text;
}

constexpr const char* kGcc = "-finstrument-functions";

/// Clang inserts the calls after it inlined; gcc before, so functions of system headers are left out there,
/// and those of the Fortran module that tells of regions, which Fortran has no words for.
std::vector<std::string> instrumentation(const std::string& version) {
    if (version.find("clang") != std::string::npos) return {"-finstrument-functions-after-inlining"};
    if (version.find("Free Software Foundation") != std::string::npos)
        return {kGcc, "-finstrument-functions-exclude-file-list=/usr/include,/usr/lib/gcc,holos.f90"};
    throw Error("this compiler is not known (gcc, g++, gfortran, clang and wrappers around them are): " +
                version.substr(0, version.find('\n')));
}

bool isGcc(const std::vector<std::string>& instrumentation) {
    return instrumentation.front() == kGcc;
}

bool isSource(const std::string& word) {
    static constexpr std::array kSuffixes{".c",   ".cc", ".cp",  ".cpp", ".cxx", ".c++",
                                          ".C",   ".f",  ".for", ".f90", ".f95", ".f03",
                                          ".f08", ".F",  ".F90", ".F95", ".F03", ".F08"};
    const std::string suffix = std::filesystem::path(word).extension();
    return !word.starts_with('-') && std::find(kSuffixes.begin(), kSuffixes.end(), suffix) != kSuffixes.end();
}

/// Whether the filter excludes all source files that the command names.
bool excludesSources(const filter::Filter& filter, const std::vector<std::string>& command) {
    std::size_t sources = 0;
    for (const std::string& word : command) {
        if (!isSource(word)) continue;
        ++sources;
        if (!filter.excludesFile(std::filesystem::absolute(word).lexically_normal())) return false;
    }
    return sources > 0;
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

std::vector<std::string> instrumented(const std::vector<std::string>& command, const filter::Filter& filter) {
    std::vector<std::string> words = command;
    auto added = instrumentation(versionOf(command.front()));
    if (excludesSources(filter, command)) return words;
    const std::string excluded = excludedWords(filter);
    if (isGcc(added) && !excluded.empty())
        added.push_back("-finstrument-functions-exclude-function-list=" + excluded);
    words.insert(words.begin() + 1, added.begin(), added.end());
    const bool hasLines = std::any_of(command.begin() + 1, command.end(), [](const std::string& word) {
        return word.starts_with("-g") && word != "-g0";
    });
    if (!hasLines) words.insert(words.begin() + 1, "-g1");
    return words;
}

void compile(const CompileOptions& options) {
    const auto filter = options.filter.empty() ? filter::Filter() : filter::readFilter(options.filter);
    const auto words = instrumented(options.command, filter);
    if (options.show) {
        for (const auto& word : words) {
            const bool isPlain = word.find_first_of(" \t\n\"'`$&|;<>()*?[]{}\\") == std::string::npos;
            std::printf("%s%s", &word == words.data() ? "" : " ", (isPlain ? word : quoted(word)).c_str());
        }
        std::printf("\n");
        return;
    }
    std::vector<char*> arguments;
    for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execvp(arguments.front(), arguments.data());
    throw Error(std::strerror(errno), {.file = words.front()});
}

}  // namespace

void addCc(Command& app) {
    const auto options = std::make_shared<CompileOptions>();
    Command command = app.command("cc", "Compile a program so that its functions are recorded");
    command.flag("--show", options->show, "Print the compiler's command instead of running it");
    command
        .option("--filter", options->filter,
                "What to leave out where the compiler can: a file as Score-P's (docs/recording.md)")
        .placeholder("FILE");
    command.option("command", options->command, "The compiler and its arguments, behind --").required();
    command.endWithArguments();
    command.footer(
        "Every function of the compiled files tells the recorder when it begins and ends; without the "
        "recorder\n"
        "these calls do nothing. Link as usual.\n"
        "Examples:\n"
        "  holos cc -- mpicc -O2 -fopenmp -c solver.c\n"
        "  make CC='holos cc -- gcc' CXX='holos cc -- g++' FC='holos cc -- gfortran'\n"
        "  cmake -DCMAKE_CXX_COMPILER_LAUNCHER='holos;cc;--' ..\n"
        "Then: holos record -- ./solver");
    command.action([options] { compile(*options); });
}

}  // namespace holos::cli
