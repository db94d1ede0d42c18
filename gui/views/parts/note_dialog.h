// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QInputDialog>
#include <optional>

namespace holos::gui {

/// Asks for the text of a note, which was `text` before. Nothing where somebody thought better of it.
inline std::optional<QString> askForNote(QWidget* parent, const QString& text) {
    bool isGiven = false;
    const QString given =
        QInputDialog::getMultiLineText(parent, u"Note"_qs, u"What is to be seen here:"_qs, text, &isGiven);
    return isGiven ? std::optional(given.trimmed()) : std::nullopt;
}

}  // namespace holos::gui
