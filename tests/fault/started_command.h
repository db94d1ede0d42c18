// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace holos::testing {

/// A command that runs while the test goes on. Ends with the object.
class StartedCommand {
  public:
    /// Standard output and error go to the file.
    StartedCommand(const std::vector<std::string>& words, std::filesystem::path output);
    ~StartedCommand();
    StartedCommand(const StartedCommand&) = delete;
    StartedCommand& operator=(const StartedCommand&) = delete;

    pid_t pid() const { return pid_; }
    void send(int signal) const;
    /// Waits for its end; as waitpid(2) says it.
    int wait();
    bool hasEnded();
    std::string output() const;

  private:
    pid_t pid_;
    int status_ = 0;
    std::filesystem::path output_;
};

/// Looks again and again; false when it took two minutes.
bool becomesTrue(const std::function<bool()>& condition);

}  // namespace holos::testing
