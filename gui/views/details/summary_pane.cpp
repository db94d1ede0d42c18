// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/details/summary_pane.h"

#include <QTextBrowser>
#include <QThread>
#include <QUrl>
#include <QVBoxLayout>

#include "base/error.h"
#include "gui/models/insight_text.h"

namespace holos::gui {

SummaryPane::SummaryPane(const algebra::Experiment& experiment, QWidget* parent)
    : DetailView(parent), experiment_(experiment), text_(new QTextBrowser(this)) {
    text_->setObjectName(u"Summary"_qs);
    text_->setAccessibleName(u"Summary of the run"_qs);
    text_->setFrameShape(QFrame::NoFrame);
    text_->setOpenLinks(false);
    text_->document()->setDocumentMargin(8);
    setFocusProxy(text_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(text_);
    connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) { select(link.toString()); });
}

SummaryPane::~SummaryPane() {
    if (thread_) thread_->wait();
}

void SummaryPane::follow(const Focus&) {
    if (!thread_) make();
}

void SummaryPane::make() {
    isBusy_ = true;
    text_->setPlainText(u"Evaluating …"_qs);
    thread_.reset(QThread::create([this] {
        std::optional<algebra::Summary> summary;
        QString problem = insteadOfSummaryHtml(experiment_);
        try {
            summary = algebra::summarize(experiment_);
        } catch (const Error& error) {  // values that cannot be read
            problem = QString::fromStdString(error.message()).toHtmlEscaped();
        }
        QMetaObject::invokeMethod(
            this,
            [this, summary = std::move(summary), problem] {
                summary_ = summary;
                isBusy_ = false;
                if (summary_)
                    text_->setHtml(summaryHtml(experiment_, *summary_));
                else
                    text_->setHtml(problem);
            },
            Qt::QueuedConnection);
    }));
    thread_->start(QThread::LowPriority);
}

void SummaryPane::select(const QString& link) {
    if (!summary_) return;
    const auto evidence = evidenceOfLink(link, *summary_);
    if (!evidence) return;
    Q_EMIT metricWanted(QString::fromStdString(experiment_.metrics[evidence->metric].uniqueName));
    if (evidence->path) Q_EMIT callPathWanted(*evidence->path);
    if (const auto& threads = evidence->locations.given(); !threads.empty())
        Q_EMIT locationWanted(threads.front());
}

}  // namespace holos::gui
