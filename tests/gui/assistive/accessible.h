// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QDBusConnection>
#include <QString>
#include <QStringList>
#include <vector>

class QDBusMessage;

namespace holos::gui::testing {

/// Roles of things, by their numbers in AT-SPI (`atspi-constants.h`).
enum class AtSpiRole : unsigned {
    CheckMenuItem = 8,
    Frame = 23,
    MenuItem = 35,
    Table = 55,
    Tree = 65,
    TreeTable = 66,
    Application = 75,
};

/// States of things, by their numbers there.
enum class AtSpiState : unsigned { Focusable = 11, Focused = 12, Showing = 25, Visible = 30 };

/// Something of a running program, as a screen reader knows it. Each question is a call to that program;
/// what it does not answer is empty.
class Accessible {
  public:
    Accessible(QDBusConnection bus, QString service, QString path);
    /// All programs are children of it.
    static Accessible desktop(const QDBusConnection& bus);

    QString name() const;
    QString description() const;
    AtSpiRole role() const;
    /// `push button`
    QString roleName() const;
    bool is(AtSpiState state) const;
    std::vector<Accessible> children() const;

    /// What can be done with it; `name` is that of one of them.
    QStringList actions() const;
    bool act(const QString& name) const;
    /// Takes the keyboard.
    bool grabFocus() const;

    /// Of trees and tables.
    int rows() const;
    int columns() const;
    QString headingOf(int column) const;
    Accessible cellAt(int row, int column) const;

    const QString& service() const { return service_; }
    const QString& path() const { return path_; }
    friend bool operator==(const Accessible& a, const Accessible& b) {
        return a.service_ == b.service_ && a.path_ == b.path_;
    }

  private:
    QDBusMessage ask(const char* interface, const char* method, const QVariantList& arguments = {}) const;
    QVariant property(const char* interface, const char* name) const;

    QDBusConnection bus_;
    QString service_;
    QString path_;
};

}  // namespace holos::gui::testing
