// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cerrno>
#include <string>

#define HOLOS_EXPORTED extern "C" __attribute__((visibility("default")))

/// Calls of `libholos-counters.so` that can fail.
namespace holos::user {

/// Why the last call of this thread failed; empty where it did not.
std::string& lastError();

/// Keeps the reason; -1.
int fail(const std::string& why);

/// A call of the program: its errno stays as it was, and nothing has failed yet.
class Call {
  public:
    Call() : saved_(errno) { lastError().clear(); }
    ~Call() { errno = saved_; }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

  private:
    int saved_;
};

}  // namespace holos::user
