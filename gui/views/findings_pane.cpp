// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/findings_pane.h"

#include <QThread>

#include "gui/models/findings_text.h"
#include "metric-specs/error.h"

namespace holos::gui {

FindingsPane::FindingsPane(ExperimentPtr experiment, QWidget* parent)
    : QTextBrowser(parent), experiment_(std::move(experiment)) {
    setObjectName(u"Findings"_qs);
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    document()->setDocumentMargin(8);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (const auto path = callPathOfLink(link.toString(), *experiment_)) Q_EMIT callPathActivated(*path);
    });
}

FindingsPane::~FindingsPane() {
    wait();
}

void FindingsPane::wait() {
    if (thread_) thread_->wait();
}

void FindingsPane::showEvent(QShowEvent* event) {
    QTextBrowser::showEvent(event);
    if (thread_) return;
    setPlainText(u"Evaluating …"_qs);
    thread_.reset(QThread::create([this] {
        QMetaObject::invokeMethod(
            this, [this, text = evaluated()] { setHtml(text); }, Qt::QueuedConnection);
    }));
    thread_->start(QThread::LowPriority);
}

QString FindingsPane::evaluated() const {
    try {
        return findingsText(*experiment_, algebra::findings(*experiment_));
    } catch (const Error& error) {
        return QString::fromStdString(error.message()).toHtmlEscaped();
    }
}

}  // namespace holos::gui
