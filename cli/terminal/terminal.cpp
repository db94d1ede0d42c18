// SPDX-License-Identifier: BSD-3-Clause
#include "cli/terminal/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>

#include "base/error.h"

namespace holos::cli {
namespace {

std::string coloured(bool colours, const char* code, std::string_view text) {
    if (!colours) return std::string(text);
    return std::string("\x1b[") + code + 'm' + std::string(text) + "\x1b[0m";
}

}  // namespace

std::string Style::strong(std::string_view text) const {
    return coloured(colours, "1", text);
}
std::string Style::faint(std::string_view text) const {
    return coloured(colours, "2", text);
}
std::string Style::alert(std::string_view text) const {
    return coloured(colours, "31", text);
}

Style styleOfOutput() {
    Style style;
    if (isatty(STDOUT_FILENO) == 0) return style;
    const char* const refused = std::getenv("NO_COLOR");  // https://no-color.org
    style.colours = refused == nullptr || *refused == '\0';
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) style.width = size.ws_col;
    return style;
}

void print(std::string_view text) {
    const std::string shown =
        isatty(STDOUT_FILENO) != 0 ? printableColours(text) : std::string(text);  // in files: as it is
    if (std::fwrite(shown.data(), 1, shown.size(), stdout) != shown.size() || std::fflush(stdout) != 0)
        throw Error(std::string("standard output cannot be written: ") + std::strerror(errno));
}

void complain(std::string_view text) {
    const std::string line = "holos: " + printableLines(text) + '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
}

namespace {

/// Where a word ends that begins at `at`. A number and its unit are one: `21 %`, `4.81 s`.
std::size_t endOfWord(std::string_view text, std::size_t at) {
    constexpr std::string_view kUnits[] = {"%",   "s", "ms",    "us",  "µs",  "ns",
                                           "min", "h", "bytes", "KiB", "MiB", "GiB"};
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end == text.size() || end == at || std::isdigit(static_cast<unsigned char>(text[end - 1])) == 0)
        return end;
    const std::size_t endOfUnit = std::min(text.find(' ', end + 1), text.size());
    std::string_view unit = text.substr(end + 1, endOfUnit - end - 1);
    while (!unit.empty() && std::string_view(".,:;)").find(unit.back()) != std::string_view::npos)
        unit.remove_suffix(1);
    return std::ranges::find(kUnits, unit) == std::end(kUnits) ? end : endOfUnit;
}

}  // namespace

std::string wrapped(const std::string& text, std::string_view first, const Style& style) {
    constexpr std::size_t kUsual = 100, kLeast = 40;
    const std::size_t width = std::max(style.width == 0 ? kUsual : style.width, kLeast);
    const std::string margin(columnsOf(first), ' ');
    std::string all, line(first);
    bool isEmpty = true;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = endOfWord(text, at);
        const std::string word = text.substr(at, end - at);
        if (!isEmpty && columnsOf(line) + 1 + columnsOf(word) > width) {
            all += line + '\n';
            line = margin;
            isEmpty = true;
        }
        line += (isEmpty ? "" : " ") + word;
        isEmpty = false;
        at = end + 1;
    }
    return all + line + '\n';
}

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
