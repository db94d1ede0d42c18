// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

#include "base/descriptor.h"

namespace holos::cli {

/// `holos watch` on the terminal, while the same command records a program. What the program writes meanwhile
/// goes to a file of the measurement's folder, and is shown once the user has seen enough; the program has
/// nothing to read.
class WatchBeside {
  public:
    /// Goes on in a child. This process watches what the child records, and ends like it. Throws `UsageError`
    /// where standard input or output is no terminal.
    WatchBeside();

    /// The child: there is something to watch from here on, and the terminal is taken. Throws `Error` where
    /// the file for what is written cannot be made.
    void recordsTo(const std::filesystem::path& directory);

  private:
    Descriptor toParent_;
};

}  // namespace holos::cli
