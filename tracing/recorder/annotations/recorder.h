// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/recorder/user/include/holos/holos.h"

extern "C" const holos_interface* holos_get_interface(unsigned version);

namespace holos::tracing::annotations {

/// What programs tell by other interfaces is recorded as if they had told it by `holos/holos.h`.
inline const holos_interface& ownRecorder() noexcept {
    static const holos_interface* const own = holos_get_interface(HOLOS_INTERFACE_VERSION);
    return *own;
}

}  // namespace holos::tracing::annotations
