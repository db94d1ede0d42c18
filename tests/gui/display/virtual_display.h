// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace holos::gui::testing {

/// An X server without a screen (Xvfb) with a window manager (openbox), as long as it lives. `DISPLAY` names
/// it afterwards. Both end with this process, however that ends.
class VirtualDisplay {
  public:
    VirtualDisplay();
    ~VirtualDisplay();
    VirtualDisplay(const VirtualDisplay&) = delete;
    VirtualDisplay& operator=(const VirtualDisplay&) = delete;

    /// Why there is none; empty: there is one.
    const std::string& problem() const { return problem_; }

  private:
    bool startServer();
    bool startWindowManager();

    std::vector<pid_t> processes_;
    std::string problem_;
};

}  // namespace holos::gui::testing
