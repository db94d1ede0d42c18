// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QDBusConnection>
#include <QString>
#include <memory>
#include <string>

#include "tests/gui/display/child_program.h"

namespace holos::gui::testing {

/// A session of its own with the bus by which screen readers and programs talk (AT-SPI), as long as it lives.
/// Programs that start then are told that a screen reader listens. `DBUS_SESSION_BUS_ADDRESS` names the
/// session.
class AssistiveBus {
  public:
    /// `folder`: for its sockets.
    explicit AssistiveBus(const std::string& folder);
    ~AssistiveBus();
    AssistiveBus(const AssistiveBus&) = delete;
    AssistiveBus& operator=(const AssistiveBus&) = delete;

    /// Why there is none; empty: there is one.
    const QString& problem() const { return problem_; }
    /// Only where there is no problem.
    QDBusConnection connection() const;
    /// Programs tell of such events, named as in `object:state-changed:focused`.
    void listenTo(const QString& event);

  private:
    void start();

    std::unique_ptr<ChildProgram> session_;
    QString problem_;
};

}  // namespace holos::gui::testing
