// SPDX-License-Identifier: BSD-3-Clause
#include "cli/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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

std::string wrapped(const std::string& text, std::string_view first, const Style& style) {
    constexpr std::size_t kUsual = 100, kLeast = 40;
    const std::size_t width = std::max(style.width == 0 ? kUsual : style.width, kLeast);
    const std::string margin(columnsOf(first), ' ');
    std::string all, line(first);
    bool isEmpty = true;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
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

}  // namespace holos::cli
