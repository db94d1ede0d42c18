// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "tracing/recordings/watch/followed_process.h"
#include "tracing/recordings/watch/picture.h"

namespace holos::watch {

/// A recording that is looked at again and again while it is made. Nothing of it is changed, and nobody waits
/// for it.
class FollowedRun {
  public:
    /// `directory`: of the measurement. `now`: seconds of a clock that runs evenly; for tests.
    explicit FollowedRun(std::filesystem::path directory, std::function<double()> now = secondsHere);

    /// Reads what is new. Throws `Error` where there is no recording, another version of Holos records, or
    /// the folder cannot be read. Of a recording that is taken away (its trace is made) the last picture
    /// stays, and says so. `meanwhile` is called again and again while it reads, when the picture is still
    /// that of the look before; where it returns false, no more is read, and the picture stays.
    const Picture& look(const std::function<bool()>& meanwhile = {});
    const Picture& picture() const { return picture_; }

    /// By `SeenProcess::number`.
    const FollowedProcess& process(std::size_t number) const { return *processes_[number]; }
    std::size_t size() const { return processes_.size(); }

    static double secondsHere();

  private:
    void findProcesses();
    void markReplaced();
    void see();
    void showOneWorld();

    std::filesystem::path directory_;
    std::function<double()> now_;
    bool overwrites_ = false;
    std::map<std::filesystem::path, std::size_t> known_;  ///< numbers by folder
    std::vector<std::unique_ptr<FollowedProcess>> processes_;
    std::string run_;  ///< its id
    Look look_;
    Picture picture_;
};

}  // namespace holos::watch
