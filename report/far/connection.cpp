// SPDX-License-Identifier: BSD-3-Clause
#include "report/far/connection.h"

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"
#include "base/printable.h"
#include "base/process.h"
#include "base/text.h"
#include "report/far/questions.h"

namespace holos::far {

namespace {

/// Milliseconds after which is looked whether somebody wants to stop.
constexpr int kPause = 100;
constexpr std::size_t kLongestHead = 100;
/// What a shell of the other machine may print before the program is there.
constexpr std::size_t kLongestLine = std::size_t{64} << 10;
constexpr int kLinesBefore = 100;
constexpr std::size_t kLargestAnswer = std::size_t{4} << 30;
constexpr std::size_t kAtOnce = std::size_t{64} << 10;
constexpr std::size_t kLastWords = std::size_t{4} << 10;

}  // namespace

Connection::Program::Program(const std::vector<std::string>& command, int line, int trouble) {
    posix_spawn_file_actions_t streams{};
    ::posix_spawn_file_actions_init(&streams);
    ::posix_spawn_file_actions_adddup2(&streams, line, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&streams, line, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&streams, trouble, STDERR_FILENO);
    const Arguments words(command);
    const int error = ::posix_spawnp(&number_, words.data()[0], &streams, nullptr, words.data(), environ);
    ::posix_spawn_file_actions_destroy(&streams);
    if (error == 0) return;
    number_ = -1;
    throw Error(fmt::format("{} cannot be started: {}", command.front(), std::strerror(error)));
}

Connection::Program::~Program() {
    if (number_ < 0) return;
    ::kill(number_, SIGTERM);
    while (::waitpid(number_, nullptr, 0) < 0 && errno == EINTR) continue;
}

void Connection::Program::waitALittle() {
    constexpr int kTimes = 20;
    for (int time = 0; time < kTimes && number_ >= 0; ++time) {
        if (::waitpid(number_, nullptr, WNOHANG) == number_)
            number_ = -1;
        else
            std::this_thread::sleep_for(std::chrono::milliseconds(kPause));
    }
}

Connection::Connection(const std::vector<std::string>& command, std::string name, std::stop_token stopped)
    : name_(std::move(name)), stopped_(std::move(stopped)) {
    std::array<int, 2> ends{};
    trouble_ = Descriptor(::memfd_create("trouble", MFD_CLOEXEC));
    if (!trouble_ || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw Error(std::strerror(errno), {.file = name_});
    line_ = Descriptor(ends[0]);
    {
        const Descriptor theirs(ends[1]);
        program_ = std::make_unique<Program>(command, theirs.number(), trouble_.number());
    }
    waitForGreeting();
}

Connection::~Connection() = default;

void Connection::waitForGreeting() {
    for (int line = 0; line < kLinesBefore; ++line) {
        const std::string said = receiveLine(kLongestLine);
        if (!said.starts_with(kGreeting)) continue;
        swapsBytes_ = said.substr(kGreeting.size()) != kByteOrder;
        return;
    }
    end("no version of Holos answers there that this one understands");
}

std::string Connection::ask(const std::string& question) {
    const std::lock_guard lock(asking_);
    if (!whyEnded_.empty()) throw Error(whyEnded_, {.file = name_});
    send(question + '\n');
    const std::string head = receiveLine(kLongestHead);
    const auto words = wordsIn(head);
    const auto size = words.size() == 2 ? asNumber<std::size_t>(words[1]) : std::nullopt;
    if (!size || *size > kLargestAnswer || (words[0] != "ok" && words[0] != "error"))
        end("what answers there is not Holos");
    std::string answer = receiveBytes(*size);
    if (words[0] == "error") throw Error(printable(answer), {.file = name_});
    return answer;
}

void Connection::send(std::string_view text) {
    while (!text.empty()) {
        const ssize_t sent = ::send(line_.number(), text.data(), text.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) end("the connection has ended");
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
}

std::string Connection::receiveLine(std::size_t longest) {
    std::size_t seen = 0;
    for (;;) {
        const std::size_t found = received_.find('\n', seen);
        if (found != std::string::npos) {
            std::string line = received_.substr(0, found);
            received_.erase(0, found + 1);
            if (line.ends_with('\r')) line.pop_back();
            return line;
        }
        if (received_.size() > longest) end("what answers there is not Holos");
        seen = received_.size();
        receiveMore();
    }
}

std::string Connection::receiveBytes(std::size_t size) {
    while (received_.size() < size) receiveMore();
    std::string bytes = received_.substr(0, size);
    received_.erase(0, size);
    return bytes;
}

void Connection::receiveMore() {
    pollfd waiting{.fd = line_.number(), .events = POLLIN, .revents = 0};
    while (::poll(&waiting, 1, kPause) <= 0)
        if (stopped_.stop_requested()) end("given up");
    const std::size_t before = received_.size();
    received_.resize(before + kAtOnce);
    const ssize_t size = ::recv(line_.number(), received_.data() + before, kAtOnce, 0);
    received_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    if (size == 0 || (size < 0 && errno != EINTR)) end("the connection has ended");
}

/// With what the program said of its troubles last.
void Connection::end(const std::string& why) {
    line_ = Descriptor();
    program_->waitALittle();
    const std::string said = lastWords();
    whyEnded_ = said.empty() ? why : why + ": " + said;
    throw Error(whyEnded_, {.file = name_});
}

std::string Connection::lastWords() const {
    struct stat facts {};
    if (::fstat(trouble_.number(), &facts) != 0 || facts.st_size <= 0) return {};
    const auto all = static_cast<std::size_t>(facts.st_size);
    std::string text(std::min(all, kLastWords), '\0');
    text.resize(readAt(trouble_, text.data(), text.size(), all - text.size()));
    const std::string_view words = trimmed(text);
    return printable(words.substr(words.rfind('\n') + 1));
}

}  // namespace holos::far
