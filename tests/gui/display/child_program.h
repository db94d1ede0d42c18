// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace holos::gui::testing {

/// A program that runs beside a test, without output, as long as this object lives; it also ends with the
/// test's process, however that ends. One that hangs is killed.
class ChildProgram {
  public:
    /// The descriptor to which the program may write one line.
    static constexpr int kLineFd = 3;
    /// Nothing that a program does takes so long.
    static constexpr std::chrono::seconds kHang{60};
    /// Between two looks at what it does.
    static constexpr std::chrono::milliseconds kPause{2};

    explicit ChildProgram(const std::vector<std::string>& arguments);
    ~ChildProgram();
    ChildProgram(const ChildProgram&) = delete;
    ChildProgram& operator=(const ChildProgram&) = delete;

    /// Waits for the line; empty when the program cannot be started, ends without one, or hangs.
    std::string readLine();
    bool hasEnded();

  private:
    pid_t process_ = -1;
    int line_ = -1;
    bool ended_ = false;
};

}  // namespace holos::gui::testing
