// SPDX-License-Identifier: BSD-3-Clause
#include "report/far/connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/types.h>
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
#include "base/number.h"
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
constexpr std::size_t kAtOnce = std::size_t{64} << 10;
constexpr std::size_t kLastWords = std::size_t{4} << 10;

}  // namespace

/// Ends with this object.
class Connection::Program {
  public:
    /// The other end of `line` is its standard input and output.
    Program(const std::vector<std::string>& command, int line, int trouble);
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program();
    /// Gives it a moment to end by itself.
    void waitALittle();

  private:
    pid_t number_ = -1;  ///< -1: it has ended
};

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
    std::array<int, 2> line{}, trouble{};
    if (::pipe2(trouble.data(), O_CLOEXEC) != 0) throw Error(std::strerror(errno), {.file = name_});
    trouble_ = Descriptor(trouble[0]);
    {
        const Descriptor toTrouble(trouble[1]);
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line.data()) != 0 ||
            ::fcntl(trouble_.number(), F_SETFL, O_NONBLOCK) != 0)
            throw Error(std::strerror(errno), {.file = name_});
        line_ = Descriptor(line[0]);
        const Descriptor theirs(line[1]);
        program_ = std::make_unique<Program>(command, theirs.number(), toTrouble.number());
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

std::string Connection::ask(const std::string& question, std::size_t most) {
    const std::lock_guard lock(asking_);
    if (!whyEnded_.empty()) throw Error(whyEnded_, {.file = name_});
    send(question + '\n');
    const std::string head = receiveLine(kLongestHead);
    const auto words = wordsIn(head);
    const auto size = words.size() == 2 ? asNumber<std::size_t>(words[1]) : std::nullopt;
    const bool isReason = size && words[0] == "error";
    if (!size || *size > (isReason ? kLongestReason : most) || (words[0] != "ok" && !isReason))
        end("what answers there is not Holos");
    std::string answer = receiveBytes(*size);
    if (isReason) throw Error(printable(answer), {.file = name_});
    return answer;
}

void Connection::send(std::string_view text) {
    while (!text.empty()) {
        waitFor(POLLOUT);
        const ssize_t sent = ::send(line_.number(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
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
    if (received_.size() == size) return std::exchange(received_, {});
    std::string bytes = received_.substr(0, size);
    received_.erase(0, size);
    return bytes;
}

void Connection::receiveMore() {
    waitFor(POLLIN);
    const std::size_t before = received_.size();
    received_.resize(before + kAtOnce);
    const ssize_t size = ::recv(line_.number(), received_.data() + before, kAtOnce, 0);
    received_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    if (size == 0 || (size < 0 && errno != EINTR)) end("the connection has ended");
}

/// Waits until the other side can be read from or written to. What the program says of its troubles is
/// heard meanwhile: it would have to wait otherwise.
void Connection::waitFor(short what) {
    for (;;) {
        std::array<pollfd, 2> waiting{pollfd{line_.number(), what, 0}, pollfd{trouble_.number(), POLLIN, 0}};
        const int ready = ::poll(waiting.data(), waiting.size(), kPause);
        if (ready > 0 && waiting[1].revents != 0) hearTrouble();
        if (ready > 0 && waiting[0].revents != 0) return;
        if (stopped_.stop_requested()) end("given up");
    }
}

/// Whether there was something to hear. The last of it is kept.
bool Connection::hearTrouble() {
    std::array<char, kLastWords> heard{};
    const ssize_t size = ::read(trouble_.number(), heard.data(), heard.size());
    if (size == 0) trouble_ = Descriptor();
    if (size <= 0) return false;
    said_.append(heard.data(), static_cast<std::size_t>(size));
    if (said_.size() > kLastWords) said_.erase(0, said_.size() - kLastWords);
    return true;
}

/// With what the program said of its troubles last.
void Connection::end(const std::string& why) {
    line_ = Descriptor();
    program_->waitALittle();
    const std::string said = lastWords();
    whyEnded_ = said.empty() ? why : why + ": " + said;
    throw Error(whyEnded_, {.file = name_});
}

std::string Connection::lastWords() {
    constexpr int kMost = 64;  // a pipe has no more, unless somebody goes on and on
    for (int time = 0; time < kMost && hearTrouble();) ++time;
    const std::string_view words = trimmed(said_);
    return printable(words.substr(words.rfind('\n') + 1));
}

}  // namespace holos::far
