// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/process.h"
#include "cli/command.h"
#include "tracing/code/instrumentation/compiler_step.h"
#include "tracing/filter/filter.h"
#include "tracing/recordings/launch/installation.h"

namespace holos::cli {
namespace {

struct CompileOptions {
    bool show = false;
    bool isInlineToo = false;
    unsigned smallest = instrumentation::kUsualSmallest;
    std::string filter;
    std::vector<std::string> command;
};

/// What the compiler, or a wrapper around one, says about itself; empty when it fails.
std::string answerOf(const std::string& compiler, const std::string& question) try {
    const Answer answer = holos::answerOf({compiler, question}, ErrorOutput::Discarded);
    return answer.status == 0 ? answer.text : "";
} catch (const Error&) {
    return "";
}

bool isClang(const std::string& version) {
    return version.find("clang") != std::string::npos;
}

/// gcc since 9 has what instruments after inlining, for x86-64.
bool instrumentsAfterInlining(const std::string& gcc) {
    constexpr int kFirst = 9;
    const std::string processor = answerOf(gcc, "-dumpmachine");
    return processor.starts_with("x86_64") && std::atoi(answerOf(gcc, "-dumpversion").c_str()) >= kFirst;
}

/// Lets each program that gcc runs be run by `compiler_step.cpp`.
std::vector<std::string> wrapper(const CompileOptions& options) {
    const std::filesystem::path program = launch::topFolder() / HOLOS_LIBEXECDIR / "holos" / "compiler-step";
    if (!std::filesystem::exists(program))
        throw Error("Holos is not installed completely: what `holos cc` needs is missing", {.file = program});
    std::vector<std::string> words{program};
    if (options.smallest != instrumentation::kUsualSmallest)
        words.push_back("--smallest=" + std::to_string(options.smallest));
    if (!options.filter.empty())
        words.push_back("--filter=" + std::filesystem::absolute(options.filter).string());
    for (const std::string& word : words)
        if (word.find(',') != std::string::npos)
            throw Error("gcc cannot be told a path with a comma", {.file = word});
    return {"-wrapper", fmt::format("{}", fmt::join(words, ","))};
}

std::vector<std::string> instrumentation(const CompileOptions& options, const filter::Filter& filter) {
    const std::string& compiler = options.command.front();
    const std::string version = answerOf(compiler, "--version");
    if (version.empty())
        throw Error("is no compiler that can be run: it does not answer to --version", {.file = compiler});
    if (isClang(version))
        return {options.isInlineToo ? "-finstrument-functions" : "-finstrument-functions-after-inlining"};
    if (version.find("Free Software Foundation") == std::string::npos)
        throw Error("this compiler is not known (gcc, g++, gfortran, clang and wrappers around them are): " +
                    version.substr(0, version.find('\n')));
    if (!options.isInlineToo && instrumentsAfterInlining(compiler)) return wrapper(options);
    return instrumentation::optionsBeforeInlining(filter);
}

bool isSource(const std::string& word) {
    static constexpr std::array kSuffixes{".c",   ".cc", ".cp",  ".cpp", ".cxx", ".c++",
                                          ".C",   ".f",  ".for", ".f90", ".f95", ".f03",
                                          ".f08", ".F",  ".F90", ".F95", ".F03", ".F08"};
    const std::string suffix = std::filesystem::path(word).extension();
    return !word.starts_with('-') && std::ranges::find(kSuffixes, suffix) != kSuffixes.end();
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

std::vector<std::string> instrumented(const CompileOptions& options) {
    const auto filter = options.filter.empty() ? filter::Filter() : filter::readFilter(options.filter);
    std::vector<std::string> words = options.command;
    const auto added = instrumentation(options, filter);
    if (excludesSources(filter, words)) return words;
    const bool hasLines = std::any_of(words.begin() + 1, words.end(), [](const std::string& word) {
        return word.starts_with("-g") && word != "-g0";
    });
    words.insert(words.begin() + 1, added.begin(), added.end());
    if (!hasLines) words.insert(words.begin() + 1, "-g1");
    return words;
}

void compile(const CompileOptions& options) {
    const auto words = instrumented(options);
    if (options.show) {
        std::printf("%s\n", shellLine(words).c_str());
        return;
    }
    ::execvp(words.front().c_str(), Arguments(words).data());
    throw Error(std::strerror(errno), {.file = words.front()});
}

}  // namespace

void addCc(Command& app) {
    const auto options = std::make_shared<CompileOptions>();
    Command command = app.command("cc", "Compile a program so that its functions are recorded");
    command.flag("--show", options->show, "Print the compiler's command instead of running it");
    command.option("--filter FILE", options->filter,
                   "File that says which functions to leave out, in Score-P's format (docs/functions.md)");
    command
        .option("--smallest N", options->smallest,
                "Leave out functions of fewer than N instructions that have no loops and no calls (gcc on "
                "x86-64)")
        .showDefault();
    command.flag(
        "--inline-too", options->isInlineToo,
        "Also record functions that the compiler inlines, which slows down programs in C++ several times");
    command.option("command", options->command, "The compiler and its arguments, after --").required();
    command.endWithArguments();
    command.footer(
        "The functions of the compiled files tell the recorder when they begin and end, except those that "
        "the\n"
        "compiler inlines. A program that is not recorded runs as fast as usual. Link as usual. Functions "
        "that\n"
        "are inlined are recorded, too, on processors other than x86-64, and with gcc's -flto, -m32 and "
        "-pg.\n"
        "Examples:\n"
        "  holos cc -- mpicc -O2 -fopenmp -c solver.c\n"
        "  make CC='holos cc -- gcc' CXX='holos cc -- g++' FC='holos cc -- gfortran'\n"
        "  cmake -DCMAKE_CXX_COMPILER_LAUNCHER='holos;cc;--' ..\n"
        "Then: holos record -- ./solver");
    command.action([options] { compile(*options); });
}

}  // namespace holos::cli
