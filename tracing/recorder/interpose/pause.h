// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#pragma GCC visibility push(default)  // the MPI adapters are libraries of their own
namespace holos::tracing {

/// The calling thread records nothing while one exists. Nests. The recorder defines it (`core/events.cpp`).
class Pause {
  public:
    Pause() noexcept;
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
};

}  // namespace holos::tracing
#pragma GCC visibility pop
