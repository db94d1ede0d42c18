// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QCoreApplication>
#include <QMetaObject>
#include <QPointer>
#include <QThreadPool>
#include <utility>

namespace holos::gui {

/// Does `work` in another thread, and then, in the thread of the application, `then` with its result, if
/// `owner` is still there. Nobody waits for the work but the end of the application. It must not throw.
template <class Work, class Then>
void inBackground(QObject* owner, Work work, Then then) {
    QThreadPool::globalInstance()->start(
        [guard = QPointer<QObject>(owner), work = std::move(work), then = std::move(then)]() mutable {
            auto result = work();
            QCoreApplication* application = QCoreApplication::instance();
            if (application == nullptr) return;
            QMetaObject::invokeMethod(
                application,
                [guard = std::move(guard), then = std::move(then), result = std::move(result)] {
                    if (guard) then(result);
                },
                Qt::QueuedConnection);
        });
}

}  // namespace holos::gui
