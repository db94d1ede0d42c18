// SPDX-License-Identifier: BSD-3-Clause
// What `holos cc` has gcc run in front of each of its own programs (`-wrapper`): compilers are run with
// options added, and what they write is changed.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "base/error.h"
#include "base/process.h"
#include "tracing/code/instrumentation/compiler_step.h"

namespace holos::cli {
namespace {

using instrumentation::Words;

[[noreturn]] void become(const Words& command) {
    ::execvp(command.front().c_str(), Arguments(command).data());
    throw Error(std::strerror(errno), {.file = command.front()});
}

/// The compiler's exit code; ends as it does when a signal ended it, which gcc reports.
int runCompiler(const Words& command) {
    const pid_t child = ::fork();
    if (child < 0) throw Error(std::strerror(errno), {.file = command.front()});
    if (child == 0) {
        try {
            become(command);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "holos: error: %s\n", error.what());
            ::_exit(1);
        }
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) ::raise(WTERMSIG(status));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// A file of its own for a compiler that is to write its output into a pipe.
class PipedAssembly {
  public:
    PipedAssembly() : path_(std::filesystem::temp_directory_path() / "holos-cc-XXXXXX") {
        const int file = ::mkstemp(path_.data());
        if (file < 0) throw Error(std::strerror(errno), {.file = path_});
        ::close(file);
    }
    ~PipedAssembly() { std::remove(path_.c_str()); }
    PipedAssembly(PipedAssembly&&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

std::string contentOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error(std::strerror(errno), {.file = path});
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(std::ostream& file, const std::string& text, const std::string& name) {
    if (!file.write(text.data(), static_cast<std::streamsize>(text.size())).flush())
        throw Error(std::strerror(errno), {.file = name});
}

int compileIntoFile(const Words& command, const std::string& file, const instrumentation::Choice& isWanted) {
    const int code = runCompiler(command);
    if (code != 0 || !std::filesystem::is_regular_file(file)) return code;
    const std::string assembly = instrumentation::instrumented(contentOf(file), isWanted);
    std::ofstream result(file, std::ios::binary | std::ios::trunc);
    write(result, assembly, file);
    result.close();
    if (!result) throw Error(std::strerror(errno), {.file = file});
    return code;
}

int compileIntoPipe(Words command, const instrumentation::Choice& isWanted) {
    const PipedAssembly piped;
    for (std::size_t i = 1; i < command.size(); ++i)
        if (command[i - 1] == "-o") command[i] = piped.path();
    const int code = runCompiler(command);
    if (code == 0)
        write(std::cout, instrumentation::instrumented(contentOf(piped.path()), isWanted), "the pipe");
    return code;
}

int runStep(Words words) {
    instrumentation::Rules rules;
    while (!words.empty() && words.front().starts_with("--")) {
        const std::string option = words.front();
        const std::string value = option.substr(option.find('=') + 1);
        if (option.starts_with("--smallest="))
            rules.smallest = static_cast<unsigned>(std::stoul(value));
        else if (option.starts_with("--filter="))
            rules.filter = filter::readFilter(value);
        else
            throw Error("unknown option " + option);
        words.erase(words.begin());
    }
    if (words.empty()) throw Error("is run by the compiler that `holos cc` starts");
    const auto step = instrumentation::instrumentedStep(words, rules.filter);
    if (step.assembly.empty()) become(step.command);
    rules.isFortran = step.isFortran;
    const auto choice = [&](const auto& function) { return instrumentation::isWanted(function, rules); };
    return step.assembly == "-" ? compileIntoPipe(step.command, choice)
                                : compileIntoFile(step.command, step.assembly, choice);
}

}  // namespace
}  // namespace holos::cli

int main(int argc, char** argv) {
    try {
        return holos::cli::runStep({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "holos: error: %s\n", error.what());
        return 1;
    }
}
