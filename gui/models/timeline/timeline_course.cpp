// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline/timeline_course.h"

#include <QPointer>
#include <QTemporaryDir>
#include <functional>

#include "analyzer/analyze.h"
#include "analyzer/trace/anchor.h"
#include "base/error.h"
#include "base/stopped.h"
#include "gui/models/background.h"

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

/// In a thread of its own: knows nothing of the owner, which may be gone.
struct TimelineCourse::Search {
    std::string archive;
    DefinitionsPtr definitions;
    bool isWanted;
    std::shared_ptr<std::atomic<bool>> stopped;
    std::function<void(double)> progress;

    struct Found {
        CoursePtr course;
        QString message;
    };

    Found run() const {
        becomeLastInLine();
        try {
            return {find(), {}};
        } catch (const Stopped&) {
            return {};
        } catch (const std::exception& error) {
            return {nullptr, QString::fromUtf8(error.what())};
        }
    }

    CoursePtr find() const {
        namespace timeline = analyzer::timeline;
        const auto anchor = trace::findAnchor(archive);
        const auto file = timeline::courseFile(anchor);
        const auto openCourse = [&](const std::filesystem::path& place) {
            return std::make_shared<const timeline::Course>(place, anchor, *definitions);
        };
        try {
            return openCourse(file);
        } catch (const Error&) {  // none, or an old one: it is made anew
        }
        if (!isWanted && eventsOf(*definitions) > kShort) return nullptr;
        try {
            make(anchor, file);
            return openCourse(file);
        } catch (const Error&) {  // the folder cannot be written: for this time it lies elsewhere
            const QTemporaryDir elsewhere;
            const auto other = std::filesystem::path(elsewhere.path().toStdString()) / "traces.course";
            make(anchor, other);
            return openCourse(other);
        }
    }

    void make(const std::filesystem::path& anchor, const std::filesystem::path& file) const {
        analyzer::AnalysisOptions options;
        options.threads = 0;
        options.memoryLimit = kMemory;
        options.course = file;
        options.stopped = stopped.get();
        options.progress = [this](const analyzer::AnalysisProgress& done) { progress(done.part); };
        analyzer::analyze(anchor, options);
    }
};

TimelineCourse::TimelineCourse(QString archive, DefinitionsPtr definitions, QObject* parent)
    : QObject(parent),
      archive_(std::move(archive)),
      definitions_(std::move(definitions)),
      stopped_(std::make_shared<std::atomic<bool>>(false)) {}

TimelineCourse::~TimelineCourse() {
    *stopped_ = true;
}

void TimelineCourse::start(bool isWanted) {
    wanted_ |= isWanted;
    if (course_ || busy_ || made_) return;
    busy_ = true;
    made_ = wanted_;
    const auto tellProgress = [this, owner = QPointer<QObject>(this)](double part) {
        tellOwner(owner, [this, part] { Q_EMIT progress(part); });
    };
    inBackground(
        lastInLine(), this,
        [search = Search{archive_.toStdString(), definitions_, wanted_, stopped_, tellProgress}] {
            return search.run();
        },
        [this](const Search::Found& found) {
            busy_ = false;
            course_ = found.course;
            if (course_)
                Q_EMIT ready();
            else if (!found.message.isEmpty())
                Q_EMIT failed(found.message);
            else if (wanted_)  // since then
                start(true);
        });
}

}  // namespace holos::gui
