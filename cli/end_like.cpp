// SPDX-License-Identifier: BSD-3-Clause
#include "cli/end_like.h"

#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace holos::cli {

void endLike(const launch::Ending& ending) {
    std::fflush(nullptr);
    if (ending.signal != 0) {
        const rlimit noCore{0, 0};
        ::setrlimit(RLIMIT_CORE, &noCore);
        ::signal(ending.signal, SIG_DFL);
        ::raise(ending.signal);
    }
    constexpr int kSignalBase = 128;
    std::exit(ending.signal != 0 ? kSignalBase + ending.signal : ending.status);
}

}  // namespace holos::cli
