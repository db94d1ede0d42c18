// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QCoreApplication>
#include <QMetaObject>
#include <QPointer>
#include <QThreadPool>
#include <utility>

namespace holos::gui {

/// Does `then` in the thread of the application, if `owner` is still there.
template <class Then>
void tellOwner(QPointer<QObject> owner, Then then) {
    QCoreApplication* application = QCoreApplication::instance();
    if (application == nullptr) return;
    QMetaObject::invokeMethod(
        application,
        [owner = std::move(owner), then = std::move(then)]() mutable {
            if (owner) then();
        },
        Qt::QueuedConnection);
}

/// Does `work` in a thread of `pool`, and then, in the thread of the application, `then` with its result, if
/// `owner` is still there. Nobody waits for the work but the end of the application. It must not throw.
template <class Work, class Then>
void inBackground(QThreadPool& pool, QObject* owner, Work work, Then then) {
    pool.start([guard = QPointer<QObject>(owner), work = std::move(work), then = std::move(then)]() mutable {
        auto result = work();
        tellOwner(std::move(guard),
                  [then = std::move(then), result = std::move(result)]() mutable { then(result); });
    });
}

template <class Work, class Then>
void inBackground(QObject* owner, Work work, Then then) {
    inBackground(*QThreadPool::globalInstance(), owner, std::move(work), std::move(then));
}

}  // namespace holos::gui
