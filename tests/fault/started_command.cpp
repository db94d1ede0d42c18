// SPDX-License-Identifier: BSD-3-Clause
#include "tests/fault/started_command.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <utility>

namespace holos::testing {

StartedCommand::StartedCommand(const std::vector<std::string>& words, std::filesystem::path output)
    : output_(std::move(output)) {
    std::vector<char*> arguments;
    for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ < 0) throw std::runtime_error("cannot start a process");
    if (pid_ > 0) return;
    const int file = ::open(output_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
    ::execv(arguments.front(), arguments.data());
    ::_exit(127);
}

StartedCommand::~StartedCommand() {
    send(SIGKILL);
    wait();
}

void StartedCommand::send(int signal) const {
    if (pid_ > 0) ::kill(pid_, signal);
}

int StartedCommand::wait() {
    if (pid_ > 0) ::waitpid(pid_, &status_, 0);
    pid_ = -1;
    return status_;
}

bool StartedCommand::hasEnded() {
    if (pid_ > 0 && ::waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = -1;
    return pid_ < 0;
}

std::string StartedCommand::output() const {
    std::ifstream file(output_);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool becomesTrue(const std::function<bool()>& condition) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (std::chrono::steady_clock::now() < limit) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return condition();
}

}  // namespace holos::testing
