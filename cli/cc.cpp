// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "metric-specs/error.h"

namespace holos::cli {
namespace {

struct CompileOptions {
    bool show = false;
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

/// Clang inserts the calls after it inlined; gcc before, so functions of system headers are left out there.
std::vector<std::string> instrumentation(const std::string& version) {
    if (version.find("clang") != std::string::npos) return {"-finstrument-functions-after-inlining"};
    if (version.find("Free Software Foundation") != std::string::npos)
        return {"-finstrument-functions",
                "-finstrument-functions-exclude-file-list=/usr/include,/usr/lib/gcc"};
    throw Error("this compiler is not known (gcc, g++, gfortran, clang and wrappers around them are): " +
                version.substr(0, version.find('\n')));
}

std::vector<std::string> instrumented(const std::vector<std::string>& command) {
    std::vector<std::string> words = command;
    const auto added = instrumentation(versionOf(command.front()));
    words.insert(words.begin() + 1, added.begin(), added.end());
    const bool hasLines = std::any_of(command.begin() + 1, command.end(), [](const std::string& word) {
        return word.starts_with("-g") && word != "-g0";
    });
    if (!hasLines) words.insert(words.begin() + 1, "-g1");
    return words;
}

void compile(const CompileOptions& options) {
    const auto words = instrumented(options.command);
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

void addCc(CLI::App& app) {
    const auto options = std::make_shared<CompileOptions>();
    auto* command = app.add_subcommand("cc", "Compile a program so that its functions are recorded");
    command->add_flag("--show", options->show, "Print the compiler's command instead of running it");
    command->add_option("command", options->command, "The compiler and its arguments, behind --")->required();
    command->positionals_at_end();
    command->footer(
        "Every function of the compiled files tells the recorder when it begins and ends; without the "
        "recorder\n"
        "these calls do nothing. Link as usual.\n"
        "Examples:\n"
        "  holos cc -- mpicc -O2 -fopenmp -c solver.c\n"
        "  make CC='holos cc -- gcc' CXX='holos cc -- g++' FC='holos cc -- gfortran'\n"
        "  cmake -DCMAKE_CXX_COMPILER_LAUNCHER='holos;cc;--' ..\n"
        "Then: holos record -- ./solver");
    command->callback([options] { compile(*options); });
}

}  // namespace holos::cli
