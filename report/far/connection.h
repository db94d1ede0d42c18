// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"

namespace holos::far {

/// A program that answers questions on its standard input and output (`questions.h`).
///
/// Thread safety: safe; one question is on its way at a time.
class Connection {
  public:
    /// Starts it, and waits until it is ready: it may ask on the terminal who somebody is. `name` is what it
    /// is asked about, for messages. Who stops ends all waiting, here and later. Throws `holos::Error`.
    Connection(const std::vector<std::string>& command, std::string name, std::stop_token stopped);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    /// Ends it.
    ~Connection();

    /// The answer, which has no more bytes than `most`. Throws `holos::Error` when there is none, with the
    /// reason.
    std::string ask(const std::string& question, std::size_t most = kLargestAnswer);
    /// Whether it has numbers in another order of bytes than this machine.
    bool swapsBytes() const { return swapsBytes_; }
    const std::string& name() const { return name_; }

  private:
    static constexpr std::size_t kLargestAnswer = std::size_t{1} << 30;

    class Program;

    void waitForGreeting();
    void send(std::string_view text);
    std::string receiveLine(std::size_t longest);
    std::string receiveBytes(std::size_t size);
    void receiveMore();
    void waitFor(short what);
    bool hearTrouble();
    [[noreturn]] void end(const std::string& why);
    std::string lastWords();

    const std::string name_;
    const std::stop_token stopped_;
    std::mutex asking_;
    Descriptor trouble_;  ///< what the program writes to its standard error; none: it is closed
    std::string said_;    ///< the last of that
    Descriptor line_;     ///< both ways
    std::unique_ptr<Program> program_;
    std::string received_;  ///< and not yet read
    bool swapsBytes_ = false;
    std::string whyEnded_;  ///< empty: it has not
};

}  // namespace holos::far
