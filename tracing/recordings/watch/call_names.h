// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tracing/recordings/archive/code_names/sampled_code.h"
#include "tracing/recordings/watch/followed_process.h"

namespace holos::watch {

/// Names of what threads are in. Functions and lines of call paths are looked up in the program's files, once
/// for each place; where these are not here, places are offsets.
class CallNames {
  public:
    /// The calls and regions that a thread is in, the outermost first: `main`, `solve @solver.c:38`. Behind
    /// the last region that it has left stands `after`: `after MPI_Bcast @solver.c:9`.
    const std::vector<std::string>& pathOf(const FollowedProcess& process, const SeenThread& thread);
    /// The region's own name.
    const std::string& regionOf(const FollowedProcess& process, std::uint32_t region);
    /// `MPI_COMM_WORLD`, or the name that the program gave it; else its size.
    static std::string communicatorOf(const FollowedProcess& process, std::uint32_t comm);

  private:
    struct Frame {
        std::uint32_t function;  ///< of the code
        std::string name;
        std::string call;  ///< where in it the call is that leads on; empty where that is not known
    };
    std::vector<Frame> framesOf(const FollowedProcess& process, std::uint32_t path);
    std::vector<std::string> look(const FollowedProcess& process, const SeenThread& thread);

    archive::SampledCode code_{0};
    code::Symbols symbols_;
    std::map<std::pair<std::size_t, std::uint32_t>, std::string> regions_;
    using Key = std::pair<std::size_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>>;
    std::map<Key, std::vector<std::string>> paths_;
};

}  // namespace holos::watch
