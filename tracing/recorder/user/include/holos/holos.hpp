// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <holos/holos.h>

namespace holos {

/// A region of a C++ program, from here to the end of the scope. Use `HOLOS_REGION("name");`.
class Region {
  public:
    HOLOS_UNSEEN Region(holos_region& region, const char* name, const char* file, unsigned line) noexcept
        : region_(region) {
        holos_region_begin(&region_, name, file, line);
    }
    HOLOS_UNSEEN ~Region() { holos_region_end(&region_); }
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;

  private:
    holos_region& region_;
};

/// Nothing is recorded of this thread while one exists. They do not nest.
class Paused {
  public:
    HOLOS_UNSEEN Paused() noexcept { holos_pause_thread(); }
    HOLOS_UNSEEN ~Paused() { holos_resume_thread(); }
    Paused(const Paused&) = delete;
    Paused& operator=(const Paused&) = delete;
};

}  // namespace holos

#define HOLOS_JOIN_2(a, b) a##b
#define HOLOS_JOIN(a, b) HOLOS_JOIN_2(a, b)
/// The rest of the scope is the region `name`, whatever way it is left.
#define HOLOS_REGION(name)                                                                          \
    static holos_region HOLOS_JOIN(holosRegion, __LINE__) = 0;                                      \
    const ::holos::Region HOLOS_JOIN(holosScope, __LINE__)(HOLOS_JOIN(holosRegion, __LINE__), name, \
                                                           __FILE__, __LINE__)
