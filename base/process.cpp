// SPDX-License-Identifier: BSD-3-Clause
#include "base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/descriptor.h"
#include "base/error.h"

namespace holos {
namespace {

/// What happens in the child before it becomes the program.
class Streams {
  public:
    Streams(int output, ErrorOutput errors) {
        ::posix_spawn_file_actions_init(&actions_);
        ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
        if (errors == ErrorOutput::WithOutput)
            ::posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
        else
            ::posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
    ~Streams() { ::posix_spawn_file_actions_destroy(&actions_); }
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;
    const posix_spawn_file_actions_t* actions() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_{};
};

std::string allOf(int file) {
    std::string text;
    std::array<char, 4096> part{};
    for (;;) {
        const ssize_t size = ::read(file, part.data(), part.size());
        if (size > 0)
            text.append(part.data(), static_cast<std::size_t>(size));
        else if (size == 0 || errno != EINTR)
            return text;
    }
}

}  // namespace

Arguments::Arguments(const std::vector<std::string>& words) {
    pointers_.reserve(words.size() + 1);
    for (const std::string& word : words) pointers_.push_back(const_cast<char*>(word.c_str()));
    pointers_.push_back(nullptr);
}

Answer answerOf(const std::vector<std::string>& command, ErrorOutput errors) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(std::string("pipe: ") + std::strerror(errno));
    const Descriptor ours(ends[0]);
    pid_t child = 0;
    int error = 0;
    {
        const Descriptor theirs(ends[1]);
        const Streams streams(theirs.number(), errors);
        const Arguments words(command);
        error = ::posix_spawnp(&child, words.data()[0], streams.actions(), nullptr, words.data(), environ);
    }
    if (error != 0) throw Error(std::strerror(error), {.file = command.front()});
    Answer answer{allOf(ours.number())};
    while (::waitpid(child, &answer.status, 0) < 0 && errno == EINTR) continue;
    return answer;
}

namespace {

constexpr std::string_view kPlain = "_-+=./:,@%";

}  // namespace

std::string shellWord(const std::string& word) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || kPlain.find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (plain) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
    return text + '\'';
}

std::string shellLine(const std::vector<std::string>& words) {
    std::vector<std::string> safe;
    for (const std::string& word : words) safe.push_back(shellWord(word));
    return fmt::format("{}", fmt::join(safe, " "));
}

}  // namespace holos
