// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "tests/gui/display/child_program.h"
#include "tests/support/temporary_directory.h"

namespace holos::gui::testing {

/// An X server without a screen (Xvfb) with a window manager (openbox), as long as it lives. `DISPLAY` names
/// it afterwards. Both end with this process, however that ends.
class VirtualDisplay {
  public:
    VirtualDisplay();

    /// Why there is none; empty: there is one.
    const std::string& problem() const { return problem_; }
    /// What is on it (`setScreenFile`).
    std::string screenFile() const { return (memory_.path() / "Xvfb_screen0").string(); }

  private:
    bool startServer();
    bool startWindowManager();

    holos::testing::TemporaryDirectory memory_;
    std::unique_ptr<ChildProgram> server_;
    std::unique_ptr<ChildProgram> manager_;  ///< goes first
    std::string problem_;
};

}  // namespace holos::gui::testing
