// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>

namespace holos::gui {

/// The name on one line: a blank stands for what would begin a new line or change how it reads.
QString onOneLine(const QString& name);

/// The text for a tool tip, which takes what looks like HTML for it: `vector<a>` is no link. Long lines are
/// broken.
QString asToolTip(const QString& text);

/// The name as menus and buttons show it, where `&` marks a key.
QString menuText(QString name);

}  // namespace holos::gui
