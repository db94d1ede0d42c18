// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>

namespace holos::attach {

/// Files of a process that sees other files than this one under the same paths, as in a container or with a
/// root folder of its own. They can be had as long as the process lives, and their symbols are looked up
/// after that: so they are copied.
///
/// Thread safety: one thread.
class ForeignFiles {
  public:
    /// `folder`: for the copies, which all processes share; made when there is one.
    ForeignFiles(pid_t process, std::filesystem::path folder);

    /// Where a file of the process can be read from now on, by its path there: the path itself, or that of a
    /// copy with the same name. What cannot be copied stays where it is.
    std::string find(const std::string& path);

  private:
    std::string copied(const std::string& path);

    std::filesystem::path root_;  ///< of the process, as this one sees it; empty: it sees the same files
    std::filesystem::path folder_;
    std::map<std::string, std::string> known_;
};

}  // namespace holos::attach
