// SPDX-License-Identifier: BSD-3-Clause
#include "tests/gui/assistive/focus_listener.h"

#include <QDBusMessage>

namespace holos::gui::testing {

FocusListener::FocusListener(AssistiveBus& bus) {
    bus.connection().connect({}, {}, QStringLiteral("org.a11y.atspi.Event.Object"),
                             QStringLiteral("StateChanged"), this, SLOT(hear(QDBusMessage)));
    bus.listenTo(QStringLiteral("object:state-changed:focused"));
}

/// What changed, and whether it is so now.
void FocusListener::hear(const QDBusMessage& message) {
    const QVariantList arguments = message.arguments();
    if (arguments.value(0).toString() == u"focused" && arguments.value(1).toInt() == 1)
        heard_ << message.path();
}

}  // namespace holos::gui::testing
