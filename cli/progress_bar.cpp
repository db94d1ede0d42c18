// SPDX-License-Identifier: BSD-3-Clause
#include "cli/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace holos::cli {

std::function<void(double)> progressBar(const std::string& label, bool force) {
    if (!force && isatty(STDERR_FILENO) == 0) return {};
    auto shown = std::make_shared<int>(-1);
    return [label, shown](double done) {
        const int percent = static_cast<int>(100 * std::clamp(done, 0.0, 1.0));
        if (percent == *shown) return;
        *shown = percent;
        constexpr int kWidth = 40;
        const std::string filled(static_cast<std::size_t>(percent * kWidth / 100), '#');
        std::fprintf(stderr, "\r%s [%-*s] %3d %%", label.c_str(), kWidth, filled.c_str(), percent);
        if (percent == 100) std::fputc('\n', stderr);
    };
}

}  // namespace holos::cli
