// SPDX-License-Identifier: BSD-3-Clause
#include "cli/terminal/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

namespace holos::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// Redraws when another percent is done.
class ProgressBar {
  public:
    explicit ProgressBar(std::string label) : label_(std::move(label)) {}

    void show(const analyzer::AnalysisProgress& progress) {
        const double part = std::clamp(progress.part, 0.0, 1.0);
        const int percent = static_cast<int>(100 * part);
        if (percent == shown_) return;
        shown_ = percent;
        constexpr int kWidth = 40;
        const std::string filled(static_cast<std::size_t>(percent * kWidth / 100), '#');
        fmt::print(stderr, "\r{} [{:<{}}] {:3} %{}", label_, filled, kWidth, percent,
                   speed(part, progress.events));
        if (percent == 100) std::fputc('\n', stderr);
        std::fflush(stderr);
    }

  private:
    std::string speed(double part, std::uint64_t events) const {
        const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
        if (part <= 0 || elapsed <= 0) return {};
        const double left = elapsed * (1 - part) / part;
        if (events == 0) return fmt::format("  {:.0f} s left ", left);
        return fmt::format("  {:.2f} million events/s, {:.0f} s left ",
                           1e-6 * static_cast<double>(events) / elapsed, left);
    }

    std::string label_;
    Clock::time_point begin_ = Clock::now();
    int shown_ = -1;
};

}  // namespace

std::function<void(const analyzer::AnalysisProgress&)> progressBar(const std::string& label, bool force) {
    if (!force && isatty(STDERR_FILENO) == 0) return {};
    return [bar = std::make_shared<ProgressBar>(label)](const analyzer::AnalysisProgress& progress) {
        bar->show(progress);
    };
}

}  // namespace holos::cli
