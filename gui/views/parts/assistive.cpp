// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/parts/assistive.h"

#include <QEvent>

namespace holos::gui {

BoxName::BoxName(QComboBox& box, const QString& name) : QLabel(name, &box), box_(box) {
    setBuddy(&box);
    standBesideBox();
    box.installEventFilter(this);
    connect(&box, &QObject::destroyed, this, &QObject::deleteLater);
}

bool BoxName::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ParentChange) standBesideBox();
    return QLabel::eventFilter(watched, event);
}

/// Qt looks for labels among the children of the box's parent.
void BoxName::standBesideBox() {
    QWidget* const parent = box_.parentWidget();
    if (parent != nullptr && parent != parentWidget()) setParent(parent);
    hide();
}

void setNameOfBox(QComboBox& box, const QString& name) {
    box.setAccessibleName(name);
    new BoxName(box, name);
}

}  // namespace holos::gui
