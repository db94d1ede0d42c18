// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/parts/note_dialog.h"

#include <QInputDialog>

namespace holos::gui {

std::optional<QString> askForNote(QWidget* parent, const QString& text) {
    bool isGiven = false;
    const QString given =
        QInputDialog::getMultiLineText(parent, u"Note"_qs, u"What is to be seen here:"_qs, text, &isGiven);
    return isGiven ? std::optional(given.trimmed()) : std::nullopt;
}

}  // namespace holos::gui
