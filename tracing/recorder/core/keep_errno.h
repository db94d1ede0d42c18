// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cerrno>

namespace holos::tracing::core {

/// What the recorder does between two calls of the program is not seen in errno: restores it at the end of a
/// block.
class KeepErrno {
  public:
    KeepErrno() noexcept : saved_(errno) {}
    ~KeepErrno() { errno = saved_; }
    KeepErrno(const KeepErrno&) = delete;
    KeepErrno& operator=(const KeepErrno&) = delete;

  private:
    int saved_;
};

}  // namespace holos::tracing::core
