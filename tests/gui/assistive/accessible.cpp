// SPDX-License-Identifier: BSD-3-Clause
#include "tests/gui/assistive/accessible.h"

#include <QDBusArgument>
#include <QDBusMessage>
#include <QDBusObjectPath>
#include <QDBusVariant>

namespace holos::gui::testing {

namespace {

constexpr const char* kAccessible = "org.a11y.atspi.Accessible";
constexpr const char* kAction = "org.a11y.atspi.Action";
constexpr const char* kTable = "org.a11y.atspi.Table";

QVariant first(const QDBusMessage& reply) {
    return reply.type() == QDBusMessage::ReplyMessage ? reply.arguments().value(0) : QVariant();
}

/// A service and a path.
std::pair<QString, QString> placeIn(const QDBusArgument& argument) {
    QString service;
    QDBusObjectPath path;
    argument.beginStructure();
    argument >> service >> path;
    argument.endStructure();
    return {service, path.path()};
}

}  // namespace

Accessible::Accessible(QDBusConnection bus, QString service, QString path)
    : bus_(std::move(bus)), service_(std::move(service)), path_(std::move(path)) {}

Accessible Accessible::desktop(const QDBusConnection& bus) {
    return {bus, QStringLiteral("org.a11y.atspi.Registry"),
            QStringLiteral("/org/a11y/atspi/accessible/root")};
}

QDBusMessage Accessible::ask(const char* interface, const char* method, const QVariantList& arguments) const {
    QDBusMessage question = QDBusMessage::createMethodCall(service_, path_, QString::fromLatin1(interface),
                                                           QString::fromLatin1(method));
    question.setArguments(arguments);
    return bus_.call(question);
}

QVariant Accessible::property(const char* interface, const char* name) const {
    return first(ask("org.freedesktop.DBus.Properties", "Get",
                     {QString::fromLatin1(interface), QString::fromLatin1(name)}))
        .value<QDBusVariant>()
        .variant();
}

QString Accessible::name() const {
    return property(kAccessible, "Name").toString();
}

QString Accessible::description() const {
    return property(kAccessible, "Description").toString();
}

AtSpiRole Accessible::role() const {
    return static_cast<AtSpiRole>(first(ask(kAccessible, "GetRole")).toUInt());
}

QString Accessible::roleName() const {
    return first(ask(kAccessible, "GetRoleName")).toString();
}

bool Accessible::is(AtSpiState state) const {
    const QVariant states = first(ask(kAccessible, "GetState"));
    if (!states.canConvert<QDBusArgument>()) return false;
    const auto words = qdbus_cast<QList<unsigned>>(states.value<QDBusArgument>());
    const auto number = static_cast<unsigned>(state);
    return (words.value(static_cast<qsizetype>(number / 32U)) & (1U << number % 32U)) != 0;
}

std::vector<Accessible> Accessible::children() const {
    std::vector<Accessible> all;
    const QVariant places = first(ask(kAccessible, "GetChildren"));
    if (!places.canConvert<QDBusArgument>()) return all;
    const auto list = places.value<QDBusArgument>();
    list.beginArray();
    while (!list.atEnd()) {
        const auto [service, path] = placeIn(list);
        all.emplace_back(bus_, service, path);
    }
    list.endArray();
    return all;
}

QStringList Accessible::actions() const {
    QStringList names;
    const int count = property(kAction, "NActions").toInt();
    for (int at = 0; at < count; ++at) names << first(ask(kAction, "GetName", {at})).toString();
    return names;
}

bool Accessible::act(const QString& name) const {
    const auto at = static_cast<int>(actions().indexOf(name));
    return at >= 0 && first(ask(kAction, "DoAction", {at})).toBool();
}

bool Accessible::grabFocus() const {
    return first(ask("org.a11y.atspi.Component", "GrabFocus")).toBool();
}

int Accessible::rows() const {
    return property(kTable, "NRows").toInt();
}

int Accessible::columns() const {
    return property(kTable, "NColumns").toInt();
}

QString Accessible::headingOf(int column) const {
    return first(ask(kTable, "GetColumnDescription", {column})).toString();
}

Accessible Accessible::cellAt(int row, int column) const {
    const QVariant place = first(ask(kTable, "GetAccessibleAt", {row, column}));
    if (!place.canConvert<QDBusArgument>()) return {bus_, {}, {}};
    const auto [service, path] = placeIn(place.value<QDBusArgument>());
    return {bus_, service, path};
}

}  // namespace holos::gui::testing
