// SPDX-License-Identifier: BSD-3-Clause
#include "cli/watch/curses_terminal.h"

#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/printable.h"

namespace holos::cli {
namespace {

constexpr short kAlertColours = 1;

/// One character of ASCII for each other one.
std::string asciiOnly(const std::string& text) {
    std::string ascii;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80)
            ascii += c;
        else if (byte >= 0xC0)
            ascii += '~';
    }
    return ascii;
}

int keyOf(int code) {
    using Key = CursesTerminal::Key;
    static constexpr std::pair<int, int> kKeys[] = {
        {ERR, Key::None},
        {KEY_UP, Key::Up},
        {KEY_DOWN, Key::Down},
        {KEY_PPAGE, Key::PageUp},
        {KEY_NPAGE, Key::PageDown},
        {KEY_HOME, Key::Home},
        {KEY_END, Key::End},
        {KEY_ENTER, Key::Enter},
        {'\n', Key::Enter},
        {'\r', Key::Enter},
        {KEY_BACKSPACE, Key::Backspace},
        {'\b', Key::Backspace},
        {127, Key::Backspace},
        {27, Key::Escape},
        {KEY_RESIZE, Key::Resize},
    };
    for (const auto& [known, key] : kKeys)
        if (known == code) return key;
    return code < KEY_MIN ? code : Key::None;
}

}  // namespace

CursesTerminal::CursesTerminal() {
    std::setlocale(LC_CTYPE, "");
    showsUnicode_ = MB_CUR_MAX > 1;
    ::set_escdelay(25);
    if (::newterm(nullptr, stdout, stdin) == nullptr) {
        const char* const name = std::getenv("TERM");
        throw Error(std::string("the terminal '") + (name != nullptr ? name : "") +
                    "' (TERM) is not known; --once prints a picture on any");
    }
    ::cbreak();
    ::noecho();
    ::keypad(stdscr, TRUE);
    ::curs_set(0);
    const char* const refused = std::getenv("NO_COLOR");  // https://no-color.org
    hasColours_ = ::has_colors() && (refused == nullptr || *refused == '\0');
    if (!hasColours_) return;
    ::start_color();
    ::use_default_colors();
    ::init_pair(kAlertColours, COLOR_RED, -1);
}

CursesTerminal::~CursesTerminal() {
    ::endwin();
}

int CursesTerminal::rows() const {
    return getmaxy(stdscr);
}
int CursesTerminal::columns() const {
    return getmaxx(stdscr);
}

void CursesTerminal::clear() {
    ::werase(stdscr);
}

void CursesTerminal::put(int row, int column, std::string_view text, Look look) {
    const int room = columns() - column;
    if (row < 0 || row >= rows() || room <= 0) return;
    std::string shown = printable(text);
    if (!showsUnicode_) shown = asciiOnly(shown);
    shown = keepBegin(shown, static_cast<std::size_t>(room));
    if (!showsUnicode_) shown = asciiOnly(shown);
    attr_t attributes = A_NORMAL;
    if (look == Look::Strong) attributes = A_BOLD;
    if (look == Look::Faint) attributes = A_DIM;
    if (look == Look::Selected) attributes = A_REVERSE;
    if (look == Look::Alert) attributes = A_BOLD;
    ::wattr_set(stdscr, attributes,
                static_cast<short>(look == Look::Alert && hasColours_ ? kAlertColours : 0), nullptr);
    ::mvwaddstr(stdscr, row, column, shown.c_str());
    ::wattr_set(stdscr, A_NORMAL, 0, nullptr);
}

void CursesTerminal::show() {
    ::wrefresh(stdscr);
}

/// What has been typed may be in the library already.
int CursesTerminal::key(std::chrono::milliseconds time, int descriptor) {
    ::wtimeout(stdscr, 0);
    if (const int key = keyOf(::wgetch(stdscr)); key != Key::None) return key;
    std::array<pollfd, 2> ends{{{STDIN_FILENO, POLLIN, 0}, {descriptor, POLLIN, 0}}};
    ::poll(ends.data(), ends.size(), static_cast<int>(std::max<std::int64_t>(time.count(), 0)));
    return keyOf(::wgetch(stdscr));
}

}  // namespace holos::cli
