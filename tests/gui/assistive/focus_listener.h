// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QStringList>

#include "tests/gui/assistive/assistive_bus.h"

class QDBusMessage;

namespace holos::gui::testing {

/// Hears what gets the keyboard.
class FocusListener : public QObject {
    Q_OBJECT
  public:
    explicit FocusListener(AssistiveBus& bus);
    /// Paths of things that got it, in their order.
    const QStringList& heard() const { return heard_; }

  private Q_SLOTS:
    void hear(const QDBusMessage& message);

  private:
    QStringList heard_;
};

}  // namespace holos::gui::testing
