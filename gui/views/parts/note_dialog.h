// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <optional>

class QWidget;

namespace holos::gui {

/// Asks for the text of a note, which was `text` before. Nothing where somebody thought better of it.
std::optional<QString> askForNote(QWidget* parent, const QString& text);

}  // namespace holos::gui
