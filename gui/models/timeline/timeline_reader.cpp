// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline/timeline_reader.h"

#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"
#include "base/error.h"

namespace holos::gui {

namespace {

constexpr std::size_t kMostMessageEnds = 200000;  ///< of a location, until the window's end
/// Without levels of detail, so many locations are read at most.
constexpr std::size_t kMostLocations = 64;

}  // namespace

/// What the reader's thread needs for one picture.
struct TimelineReader::Work {
    std::filesystem::path anchor;
    DefinitionsPtr definitions;
    LevelsPtr levels;
    MessagesPtr messages;
    CoursePtr course;
    TimesInPartPtr part;
    CounterPlace counter;
    CostPlace cost;
    TimelineQuestion question;
    const std::atomic<bool>& stopped;

    const TimelineLine& line(std::size_t row) const {
        const int at = static_cast<int>(row);
        return (*question.lines)[at < question.pinned ? at : question.firstLine + at - question.pinned];
    }

    void prepare(TimelinePicture& picture) const {
        picture.window = question.window;
        picture.lines = question.lines;
        picture.pinned = question.pinned;
        picture.firstLine = question.firstLine;
        picture.colors = question.colors;
        picture.rows.resize(
            static_cast<std::size_t>(question.pinned + std::max(0, question.endLine - question.firstLine)));
    }

    /// Of the levels.
    void fillCoarsely(TimelinePicture& picture) const {
        for (std::size_t row = 0; row < picture.rows.size() && !stopped; ++row) {
            picture.rows[row] = coarseRow(*levels, line(row), question.window, question.colors);
            picture.isCoarse |= wantsCalls(row);
        }
        if (part) fillHeatOfPart(picture);
        if (messages) addMessages(*messages, question, picture);
        fillMarks(picture);
    }

    /// Of kinds of time.
    void fillHeatOfPart(TimelinePicture& picture) const {
        if (question.colors == TimelineColors::Calls || question.colors == TimelineColors::Metric) return;
        picture.isHeatOfPart = true;
        for (std::size_t row = 0; row < picture.rows.size() && !stopped; ++row)
            picture.rows[row].shares =
                heatInPart(*part, line(row), question.window, levels->grid().length(), question.colors);
    }

    void fillMarks(TimelinePicture& picture) const {
        if (course) addMarks(course, question, picture);
        if (part) keepMarksOfPart(*part, question, picture);
        if (question.colors != TimelineColors::Metric) return;
        if (const auto member = counterNamed(*definitions, question.metric))
            return fillCounter(*member, picture);
        if (course && isCostName(question.metric)) return fillCosts(picture);
        picture.isHeatOfPart = part && part->isExact();
        for (std::size_t row = 0; row < picture.rows.size(); ++row) {
            std::vector<float>& shares = picture.rows[row].shares;
            if (course && picture.isHeatOfPart)
                shares = sharesInPart(*course, question.metric, *part, line(row), question.window);
            else if (course)
                shares = sharesOf(*course, question.metric, line(row), question.window);
            if (shares.empty()) shares.resize(question.window.bins, course ? 0.0F : -1.0F);
        }
    }

    void fillCounter(trace::MemberId member, TimelinePicture& picture) const {
        const TimesInPartPtr only = part && part->isExact() ? part : nullptr;
        if (!*counter || !(*counter)->isOf(member, only))
            *counter = TimelineCounter::read(anchor, *definitions, member, only, stopped);
        if (!*counter) return;
        picture.isHeatOfPart = only != nullptr;
        picture.isRelative = true;
        picture.largest = (*counter)->largest();
        picture.unit = unitOfCounter(definitions->metricMembers[member.index()]);
        for (std::size_t row = 0; row < picture.rows.size(); ++row)
            picture.rows[row].shares = (*counter)->sharesOf(line(row), question.window);
    }

    /// One location can cost any number of others time.
    void fillCosts(TimelinePicture& picture) const {
        if (cost->course != course || cost->name != question.metric)
            *cost = {course, question.metric, largestShare(*course, question.metric)};
        picture.isRelative = true;
        picture.largest = cost->largest;
        picture.unit = u"s/s"_qs;
        for (std::size_t row = 0; row < picture.rows.size(); ++row) {
            std::vector<float>& shares = picture.rows[row].shares;
            shares = sharesOf(*course, question.metric, line(row), question.window);
            if (shares.empty()) shares.resize(question.window.bins);
            for (float& share : shares)
                if (share > 0) share = std::min(1.0F, share / static_cast<float>(cost->largest));
        }
    }

    bool wantsCalls(std::size_t row) const {
        if (line(row).stackOf) return true;
        const auto location = line(row).only();
        const bool showsCalls = question.showsCalls || static_cast<int>(row) < question.pinned;
        if (!location || !showsCalls || question.colors != TimelineColors::Calls) return false;
        return !levels || needsCalls(*levels, *definitions, *location, question.window);
    }

    /// Of the events. Without levels messages are found there, too.
    void fillCalls(TimelinePicture& picture) const {
        std::size_t read = 0;
        trace::Window window = question.window;
        if (levels) window.mostMessages = 0;
        for (std::size_t row = 0; row < picture.rows.size() && !stopped; ++row) {
            if (line(row).stackOf) fillStack(picture, row);
            if (line(row).stackOf || !wantsCalls(row) || (!levels && ++read > kMostLocations)) continue;
            const trace::LocationId location = *line(row).only();
            const trace::Checkpoint start =
                levels ? levels->checkpointBefore(location.index(), window.from) : trace::Checkpoint{};
            auto excerpt = trace::readExcerpt(anchor, *definitions, location, window, stopped, start);
            if (excerpt.problem && picture.problem.isEmpty())
                picture.problem = QString::fromStdString(*excerpt.problem);
            picture.rows[row].excerpt = std::move(excerpt);
        }
        if (!levels) addReadMessages(picture);
    }

    /// Lines of one stack stand below each other, and are read once.
    void fillStack(TimelinePicture& picture, std::size_t row) const {
        std::shared_ptr<const trace::StackExcerpt>& stack = picture.rows[row].stack;
        const trace::LocationId location = *line(row).stackOf;
        if (row > 0 && line(row - 1).stackOf == location) stack = picture.rows[row - 1].stack;
        if (stack) return;
        stack = std::make_shared<const trace::StackExcerpt>(
            trace::readStacks(anchor, *definitions, location, question.window, stopped));
        if (stack->problem && picture.problem.isEmpty())
            picture.problem = QString::fromStdString(*stack->problem);
    }

    void addReadMessages(TimelinePicture& picture) const {
        std::vector<trace::LocationMessages> told;
        for (std::size_t row = 0; row < picture.rows.size(); ++row) {
            const trace::Excerpt& excerpt = picture.rows[row].excerpt;
            picture.tooManyMessages |= excerpt.tooManyMessages;
            if (const auto location = line(row).only()) told.push_back({*location, excerpt.messages});
        }
        if (picture.tooManyMessages) return;
        analyzer::timeline::KeptMessages all{trace::pairMessages(*definitions, told, question.window.from),
                                             1};
        std::stable_sort(all.messages.begin(), all.messages.end(),
                         [](const trace::Message& a, const trace::Message& b) { return a.sent < b.sent; });
        addMessages(all, question, picture);
        for (TimelineRow& row : picture.rows) row.excerpt.messages = {};
    }
};

TimelineReader::TimelineReader(QString archive, QObject* parent)
    : QObject(parent), archive_(std::move(archive)), stopped_(std::make_shared<std::atomic<bool>>(false)) {
    pool_.setMaxThreadCount(1);
}

TimelineReader::~TimelineReader() {
    *stopped_ = true;
    pool_.waitForDone();
}

void TimelineReader::open() {
    pool_.start([this, archive = archive_.toStdString()] {
        DefinitionsPtr definitions;
        QString message;
        try {
            definitions = std::make_shared<const trace::Definitions>(
                trace::readDefinitions(trace::findAnchor(archive)));
        } catch (const Error& error) {
            message = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(this, [this, definitions, message] {
            definitions_ = definitions;
            if (definitions)
                Q_EMIT opened();
            else
                Q_EMIT failed(message);
        });
    });
}

void TimelineReader::setLevels(LevelsPtr levels, MessagesPtr messages) {
    levels_ = std::move(levels);
    messages_ = std::move(messages);
}

void TimelineReader::tell(const std::shared_ptr<TimelinePicture>& picture,
                          const std::shared_ptr<std::atomic<bool>>& stopped) {
    QMetaObject::invokeMethod(this, [this, picture, stopped] {
        if (!*stopped) Q_EMIT ready(picture);
    });
}

void TimelineReader::read(const TimelineQuestion& question) {
    *stopped_ = true;
    stopped_ = std::make_shared<std::atomic<bool>>(false);
    pool_.start([this, archive = archive_.toStdString(), question, stopped = stopped_,
                 definitions = definitions_, levels = levels_, messages = messages_, course = course_,
                 part = part_, counter = counter_, cost = cost_] {
        auto picture = std::make_shared<TimelinePicture>();
        try {
            TimelineQuestion wanted = question;
            wanted.window.mostSpans = kMostSpans;
            wanted.window.mostMessages = kMostMessageEnds;
            const Work work{trace::findAnchor(archive),
                            definitions,
                            levels,
                            messages,
                            course,
                            part,
                            counter,
                            cost,
                            wanted,
                            *stopped};
            work.prepare(*picture);
            if (levels) {
                work.fillCoarsely(*picture);
                if (!picture->isCoarse) return tell(picture, stopped);
                tell(picture, stopped);
                picture = std::make_shared<TimelinePicture>(*picture);
                picture->isCoarse = false;
            }
            work.fillCalls(*picture);
        } catch (const Error& error) {
            picture->problem = QString::fromUtf8(error.what());
            picture->isCoarse = false;
        }
        tell(picture, stopped);
    });
}

}  // namespace holos::gui
