// SPDX-License-Identifier: BSD-3-Clause
#include "cli/terminal.h"

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

bool isContinuation(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
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

std::size_t columnsOf(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return !isContinuation(c); }));
}

std::string keepEnd(const std::string& text, std::size_t columns) {
    std::size_t surplus = columnsOf(text);
    if (columns == 0 || surplus <= columns) return text;
    surplus -= columns - 1;
    std::size_t at = 0;
    for (; surplus > 0; --surplus) do
            ++at;
        while (at < text.size() && isContinuation(text[at]));
    return "…" + text.substr(at);
}

std::string keepBegin(const std::string& text, std::size_t columns) {
    if (columns == 0 || columnsOf(text) <= columns) return text;
    std::size_t at = 0;
    for (std::size_t kept = 0; kept + 1 < columns; ++kept) do
            ++at;
        while (isContinuation(text[at]));
    return text.substr(0, at) + "…";
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

}  // namespace holos::cli
