// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>

#include "tracing/recordings/watch/waits.h"

namespace holos::watch {

/// What is needed to find out who waits for whom: the threads of a picture, by what names them elsewhere.
class WaitContext {
  public:
    explicit WaitContext(const FollowedRun& run);

    const FollowedRun& run() const { return run_; }
    const Picture& picture() const { return run_.picture(); }
    const SeenProcess& seen(std::size_t process) const { return picture().processes[process]; }
    const FollowedProcess& followed(std::size_t process) const { return run_.process(seen(process).number); }
    const SeenThread& thread(const ThreadAt& at) const { return seen(at.process).threads[at.thread]; }

    /// The threads that have not ended, in the order of the picture.
    const std::vector<ThreadAt>& threads() const { return threads_; }
    /// Places in the picture.
    const std::map<std::uint32_t, std::size_t>& byRank() const { return byRank_; }
    /// Its place among the threads; nothing where it has ended or recorded nothing.
    std::optional<std::size_t> placeOf(std::size_t process, std::uint32_t location) const;

    /// The region that the thread is in, unless it has left one in it since; null where that is not known.
    const archive::RecordedRegion* regionOf(std::size_t process, const SeenThread& thread) const;
    /// Any region of a process; null where it is not known.
    const archive::RecordedRegion* region(std::size_t process, std::uint32_t ref) const;

    /// The first thread of the process of that rank is waited for; or only perhaps, where it is not sure.
    void waitFor(Wait& wait, std::uint32_t worldRank, bool isSure = true) const;

  private:
    const FollowedRun& run_;
    std::vector<ThreadAt> threads_;
    std::map<std::uint32_t, std::size_t> byRank_;
    std::map<std::pair<std::size_t, std::uint32_t>, std::size_t> places_;  ///< by process and location
    std::vector<std::size_t> first_;                                       ///< thread of each process
};

}  // namespace holos::watch
