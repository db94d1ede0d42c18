// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline/timeline_course.h"

#include <QTemporaryDir>

#include "analyzer/analyze.h"
#include "analyzer/trace/anchor.h"
#include "base/error.h"
#include "base/stopped.h"
#include "gui/models/timeline/last_in_line.h"

namespace holos::gui {

namespace {

constexpr std::uint64_t kShort = 10'000'000;                ///< events
constexpr std::uint64_t kMemory = std::uint64_t{2} << 30U;  ///< bytes, for the analysis

std::uint64_t eventsOf(const trace::Definitions& definitions) {
    std::uint64_t events = 0;
    for (const trace::Location& location : definitions.locations) events += location.events;
    return events;
}

}  // namespace

TimelineCourse::TimelineCourse(QString archive, DefinitionsPtr definitions, QObject* parent)
    : QObject(parent),
      archive_(std::move(archive)),
      definitions_(std::move(definitions)),
      stopped_(std::make_shared<std::atomic<bool>>(false)) {
    pool_.setMaxThreadCount(1);
}

TimelineCourse::~TimelineCourse() {
    *stopped_ = true;
    pool_.waitForDone();
}

void TimelineCourse::start(bool isWanted) {
    wanted_ |= isWanted;
    if (course_ || busy_ || made_) return;
    busy_ = true;
    made_ = wanted_;
    pool_.start([this, isWanted = wanted_, stopped = stopped_] {
        becomeLastInLine();
        CoursePtr course;
        QString message;
        try {
            course = find(isWanted, *stopped);
        } catch (const Stopped&) {
            return;
        } catch (const std::exception& error) {
            message = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(this, [this, course, message] {
            busy_ = false;
            course_ = course;
            if (course)
                Q_EMIT ready();
            else if (!message.isEmpty())
                Q_EMIT failed(message);
            else if (wanted_)  // since then
                start(true);
        });
    });
}

void TimelineCourse::make(const std::filesystem::path& anchor, const std::filesystem::path& file,
                          const std::atomic<bool>& stopped) {
    analyzer::AnalysisOptions options;
    options.threads = 0;
    options.memoryLimit = kMemory;
    options.course = file;
    options.stopped = &stopped;
    options.progress = [this](const analyzer::AnalysisProgress& done) {
        QMetaObject::invokeMethod(this, [this, part = done.part] { Q_EMIT progress(part); });
    };
    analyzer::analyze(anchor, options);
}

CoursePtr TimelineCourse::find(bool isWanted, const std::atomic<bool>& stopped) {
    namespace timeline = analyzer::timeline;
    const auto anchor = trace::findAnchor(archive_.toStdString());
    const auto file = timeline::courseFile(anchor);
    const auto openCourse = [&](const std::filesystem::path& place) {
        return std::make_shared<const timeline::Course>(place, anchor, *definitions_);
    };
    try {
        return openCourse(file);
    } catch (const Error&) {  // none, or an old one: it is made anew
    }
    if (!isWanted && eventsOf(*definitions_) > kShort) return nullptr;
    try {
        make(anchor, file, stopped);
        return openCourse(file);
    } catch (const Error&) {  // the folder cannot be written: for this time it lies elsewhere
        const QTemporaryDir elsewhere;
        const auto other = std::filesystem::path(elsewhere.path().toStdString()) / "traces.course";
        make(anchor, other, stopped);
        return openCourse(other);
    }
}

}  // namespace holos::gui
