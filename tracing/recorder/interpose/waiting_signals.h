// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <csignal>

namespace holos::tracing::interpose {

/// All signals but those that an instruction causes, which cannot wait for it.
inline sigset_t signalsThatWait() noexcept {
    sigset_t all;
    ::sigfillset(&all);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT})
        ::sigdelset(&all, signal);
    return all;
}

}  // namespace holos::tracing::interpose
