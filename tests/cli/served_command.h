// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/process.h"
#include "tests/unit/serve/http_client.h"

namespace holos::testing {

/// `holos` with these words, which serves, while a test asks it.
class ServedCommand {
  public:
    explicit ServedCommand(std::vector<std::string> words) {
        words.insert(words.begin(), HOLOS_PROGRAM);
        int ends[2] = {-1, -1};
        if (::pipe2(ends, O_CLOEXEC) != 0) throw Error("no pipe");
        output_ = Descriptor(ends[0]);
        const Descriptor input(ends[1]);
        const Arguments arguments(words);
        process_ = ::fork();
        if (process_ == 0) {
            ::dup2(input.number(), STDOUT_FILENO);
            ::execv(HOLOS_PROGRAM, arguments.data());
            ::_exit(127);
        }
    }
    ~ServedCommand() {
        if (process_ > 0) end(SIGKILL);
    }
    ServedCommand(const ServedCommand&) = delete;
    ServedCommand& operator=(const ServedCommand&) = delete;

    /// Both lines that it prints.
    const std::string& said() {
        char byte = 0;
        while (std::count(said_.begin(), said_.end(), '\n') < 2 && ::read(output_.number(), &byte, 1) == 1)
            said_ += byte;
        return said_;
    }
    std::string address() { return said().substr(0, said().find('\n')); }
    std::string token() { return address().substr(address().find('#') + 1); }
    std::uint16_t port() {
        return static_cast<std::uint16_t>(
            std::stoi(address().substr(std::string("http://127.0.0.1:").size())));
    }
    nlohmann::json ask(const std::string& target) {
        if (!connection_) connection_.emplace(port());
        connection_->send(get("/api/" + target, token()));
        const std::string answer = connection_->answer();
        EXPECT_EQ(statusOf(answer), 200) << target << answer;
        largest_ = std::max(largest_, answer.size());
        return nlohmann::json::parse(bodyOf(answer));
    }
    std::size_t largest() const { return largest_; }
    /// Its exit code; 128 and more: the signal that ended it.
    int end(int signal) {
        ::kill(process_, signal);
        return wait();
    }
    int wait() {
        int status = 0;
        ::waitpid(std::exchange(process_, -1), &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

  private:
    Descriptor output_;
    pid_t process_ = -1;
    std::string said_;
    std::optional<Connection> connection_;
    std::size_t largest_ = 0;
};

}  // namespace holos::testing
