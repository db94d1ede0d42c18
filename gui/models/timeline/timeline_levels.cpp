// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline/timeline_levels.h"

#include <QTemporaryDir>

#include "analyzer/timeline/build_levels.h"
#include "analyzer/trace/anchor.h"
#include "base/error.h"

namespace holos::gui {

namespace {

LevelsPtr openLevels(const std::filesystem::path& file, const std::filesystem::path& anchor,
                     const trace::Definitions& definitions) {
    return std::make_shared<const analyzer::timeline::Levels>(file, anchor, definitions);
}

}  // namespace

TimelineLevels::TimelineLevels(QString archive, DefinitionsPtr definitions, QObject* parent)
    : QObject(parent),
      archive_(std::move(archive)),
      definitions_(std::move(definitions)),
      stopped_(std::make_shared<std::atomic<bool>>(false)) {
    pool_.setMaxThreadCount(1);
}

TimelineLevels::~TimelineLevels() {
    *stopped_ = true;
    pool_.waitForDone();
}

void TimelineLevels::start() {
    pool_.start([this, stopped = stopped_] {
        LevelsPtr levels;
        MessagesPtr messages;
        QString message;
        try {
            levels = find(*stopped);
            if (levels)
                messages = std::make_shared<const analyzer::timeline::KeptMessages>(levels->messages());
        } catch (const std::exception& error) {
            message = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(this, [this, levels, messages, message] {
            levels_ = levels;
            messages_ = messages;
            if (messages)
                Q_EMIT ready();
            else if (!message.isEmpty())
                Q_EMIT failed(message);
        });
    });
}

LevelsPtr TimelineLevels::find(const std::atomic<bool>& stopped) {
    namespace timeline = analyzer::timeline;
    const auto anchor = trace::findAnchor(archive_.toStdString());
    const auto file = timeline::levelsFile(anchor);
    try {
        return openLevels(file, anchor, *definitions_);
    } catch (const Error&) {  // none, or old ones: they are made anew
    }
    timeline::BuildOptions options;
    options.stopped = &stopped;
    options.progress = [this](double part) {
        QMetaObject::invokeMethod(this, [this, part] { Q_EMIT progress(part); });
    };
    try {
        if (!timeline::buildLevels(anchor, *definitions_, file, options)) return nullptr;
        return openLevels(file, anchor, *definitions_);
    } catch (const Error&) {  // the folder cannot be written: for this time they lie elsewhere
        const QTemporaryDir elsewhere;
        const auto other = std::filesystem::path(elsewhere.path().toStdString()) / "traces.timeline";
        if (!timeline::buildLevels(anchor, *definitions_, other, options)) return nullptr;
        return openLevels(other, anchor, *definitions_);
    }
}

}  // namespace holos::gui
