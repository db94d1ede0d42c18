// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/details/findings_pane.h"

#include <QThread>

#include "algebra/model/call_names.h"
#include "base/error.h"
#include "gui/models/insight_text.h"

namespace holos::gui {

FindingsPane::FindingsPane(ExperimentPtr experiment, QWidget* parent)
    : QTextBrowser(parent), experiment_(std::move(experiment)) {
    setObjectName(u"Findings"_qs);
    setAccessibleName(u"Findings"_qs);
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
        std::optional<algebra::FindingReport> report;
        QString problem;
        try {
            report = algebra::findings(*experiment_);
        } catch (const Error& error) {
            problem = QString::fromStdString(error.message()).toHtmlEscaped();
        }
        QMetaObject::invokeMethod(
            this,
            [this, report = std::move(report), problem] {
                report_ = report;
                problem_ = problem;
                showReport();
            },
            Qt::QueuedConnection);
    }));
    thread_->start(QThread::LowPriority);
}

void FindingsPane::setWholeNames(bool whole) {
    wholeNames_ = whole;
    if (report_) showReport();
}

void FindingsPane::showReport() {
    const ShortNames names = wholeNames_ ? ShortNames({}) : algebra::shortNamesOf(*experiment_);
    setHtml(report_ ? findingsText(*experiment_, *report_, names) : problem_);
}

}  // namespace holos::gui
