// SPDX-License-Identifier: BSD-3-Clause
#include "tests/gui/assistive/assistive_bus.h"

#include <QDBusMessage>
#include <QDBusReply>
#include <QDBusVariant>

namespace holos::gui::testing {

namespace {

constexpr const char* kSession = "session of the test";
constexpr const char* kBus = "accessibility bus of the test";

QDBusMessage call(const char* service, const char* path, const char* interface, const char* method) {
    return QDBusMessage::createMethodCall(QString::fromLatin1(service), QString::fromLatin1(path),
                                          QString::fromLatin1(interface), QString::fromLatin1(method));
}

}  // namespace

AssistiveBus::AssistiveBus(const std::string& folder) {
    qputenv("XDG_RUNTIME_DIR", folder.c_str());
    session_ = std::make_unique<ChildProgram>(std::vector<std::string>{
        "dbus-daemon", "--session", "--nofork", "--nopidfile",
        "--print-address=" + std::to_string(ChildProgram::kLineFd), "--address=unix:tmpdir=" + folder});
    const std::string address = session_->readLine();
    if (address.empty()) {
        problem_ = QStringLiteral("there is no dbus-daemon here");
        return;
    }
    qputenv("DBUS_SESSION_BUS_ADDRESS", address.c_str());
    start();
}

AssistiveBus::~AssistiveBus() {
    QDBusConnection::disconnectFromBus(QString::fromLatin1(kBus));
    QDBusConnection::disconnectFromBus(QString::fromLatin1(kSession));
}

/// As a screen reader does it.
void AssistiveBus::start() {
    QDBusConnection session = QDBusConnection::connectToBus(qEnvironmentVariable("DBUS_SESSION_BUS_ADDRESS"),
                                                            QString::fromLatin1(kSession));
    const QDBusReply<QString> address =
        session.call(call("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress"));
    if (!address.isValid()) {
        problem_ = QStringLiteral("there is no at-spi2-core here (%1)").arg(address.error().message());
        return;
    }
    QDBusMessage enable = call("org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties", "Set");
    enable << QStringLiteral("org.a11y.Status") << QStringLiteral("IsEnabled")
           << QVariant::fromValue(QDBusVariant(true));
    session.call(enable);
    if (!QDBusConnection::connectToBus(address, QString::fromLatin1(kBus)).isConnected())
        problem_ = QStringLiteral("nobody answers at %1").arg(address.value());
}

QDBusConnection AssistiveBus::connection() const {
    return QDBusConnection(QString::fromLatin1(kBus));
}

void AssistiveBus::listenTo(const QString& event) {
    QDBusMessage listen = call("org.a11y.atspi.Registry", "/org/a11y/atspi/registry",
                               "org.a11y.atspi.Registry", "RegisterEvent");
    listen << event;
    connection().call(listen);
}

}  // namespace holos::gui::testing
