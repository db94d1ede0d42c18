// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace holos::cli {

/// The whole terminal, from the construction on until the end of the object: by ncurses, whose header only
/// the source file reads.
class CursesTerminal {
  public:
    enum class Look { Plain, Strong, Faint, Alert, Selected };
    /// A character, or one of those.
    enum Key : int {
        None = -1,
        Up = 0x110000,
        Down,
        PageUp,
        PageDown,
        Home,
        End,
        Enter,
        Backspace,
        Escape,
        Resize
    };

    /// Throws `Error` where the terminal is not known.
    CursesTerminal();
    ~CursesTerminal();
    CursesTerminal(const CursesTerminal&) = delete;
    CursesTerminal& operator=(const CursesTerminal&) = delete;

    int rows() const;
    int columns() const;
    /// False where only ASCII can be shown.
    bool showsUnicode() const { return showsUnicode_; }

    void clear();
    /// What does not fit into the row is left out. Nothing in the text steers the terminal.
    void put(int row, int column, std::string_view text, Look look = Look::Plain);
    void show();
    /// The next key; `None` when none came in that time, or before a signal or something to read there.
    int key(std::chrono::milliseconds time, int descriptor);

  private:
    bool showsUnicode_ = false;
    bool hasColours_ = false;
};

}  // namespace holos::cli
