// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>

#include "gui/models/plain_text.h"

namespace holos::gui {

/// What a pointer over the widget shows, and what a screen reader says: without this it would read out the
/// tool tip with the marks of HTML.
inline void setTip(QWidget& widget, const QString& text) {
    widget.setToolTip(asToolTip(text));
    widget.setAccessibleDescription(text.trimmed());
}

}  // namespace holos::gui
