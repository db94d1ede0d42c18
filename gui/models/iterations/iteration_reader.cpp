// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/iterations/iteration_reader.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "base/stopped.h"
#include "gui/models/background.h"
#include "gui/models/events/event_reader.h"
#include "gui/models/timeline/timeline.h"

namespace holos::gui {

/// With the thread that reads, so that another one may end it.
struct IterationReader::Reading {
    std::mutex mutex;
    query::Run* run = nullptr;  ///< guarded by the mutex, as what follows
    bool isStopped = false;

    void stop() {
        const std::lock_guard lock(mutex);
        isStopped = true;
        if (run != nullptr) run->stopped() = true;
    }
    /// Another run is read, or none. Throws `Stopped` once nobody wants it.
    void set(query::Run* now) {
        const std::lock_guard lock(mutex);
        run = now;
        if (isStopped && now != nullptr) throw Stopped();
    }
    bool wasStopped() {
        const std::lock_guard lock(mutex);
        return isStopped;
    }
};

namespace {

QStringList inLines(const std::vector<std::string>& lines) {
    QStringList texts;
    for (const std::string& line : lines) texts << QString::fromStdString(line);
    return texts;
}

}  // namespace

IterationReader::IterationReader(IterationDetail detail) : detail_(detail) {}

IterationReader::~IterationReader() {
    if (reading_) reading_->stop();
}

void IterationReader::want(const OpenRun& run) {
    if (isReading(run.path)) return;
    wanted_.push_back(run);
    if (!reading_) next();
}

IterationReader::Known IterationReader::find(const QString& path) const {
    const auto found = known_.find(path);
    return found == known_.end() ? nullptr : found->second;
}

bool IterationReader::isReading(const QString& path) const {
    const auto first = wanted_.begin() + (isStopping_ ? 1 : 0);
    return std::find_if(first, wanted_.end(), [&](const OpenRun& run) { return run.path == path; }) !=
           wanted_.end();
}

void IterationReader::stop() {
    if (!reading_) return;
    reading_->stop();
    isStopping_ = true;
    wanted_.erase(wanted_.begin() + 1, wanted_.end());
}

/// The first one that is wanted.
void IterationReader::next() {
    if (wanted_.empty()) return;
    reading_ = std::make_shared<Reading>();
    isStopping_ = false;
    const OpenRun wanted = wanted_.front();
    const auto progress = [guard = QPointer<QObject>(this), this, path = wanted.path](double part) {
        tellOwner(guard, [this, path, part] { Q_EMIT progressed(path, part); });
    };
    const auto readIt = [wanted, progress, before = find(wanted.path), reading = reading_,
                         detail = detail_]() -> Known {
        std::unique_ptr<query::Run> run;
        auto known = std::make_shared<KnownIterations>();
        try {
            run = openRun(wanted.experiment ? filesOfRun(*wanted.experiment, wanted.path)
                                            : std::vector<std::filesystem::path>{wanted.path.toStdString()},
                          {.progress = progress});
            if (run->hasTrace()) known->trace = query::traceMark(run->archive());
            if (before && before->trace == known->trace && known->trace != 0) return before;
            reading->set(run.get());
            known->times = detail == IterationDetail::Lengths ? query::readIterationLengths(*run)
                                                              : query::readIterationTimes(*run);
            known->damage = inLines(run->damage());
        } catch (const Stopped&) {
            known = nullptr;
        } catch (const Error& error) {
            known->problem = QString::fromStdString(error.message());
        } catch (const std::exception& error) {
            known->problem = QString::fromUtf8(error.what());
        }
        reading->set(nullptr);
        return reading->wasStopped() ? nullptr : known;
    };
    inBackground(this, readIt, [this, path = wanted.path](const Known& known) { take(path, known); });
}

void IterationReader::take(const QString& path, const Known& known) {
    // Perhaps when all was read, and not taken yet.
    const bool wasStopped = std::exchange(isStopping_, false);
    reading_.reset();
    wanted_.pop_front();
    if (known && !wasStopped)
        known_[path] = known;
    else
        known_.erase(path);
    Q_EMIT read(path);
    if (!reading_) next();
}

std::optional<FoundIteration> iterationAt(double time, const query::IterationTimes& iterations) {
    const auto after = std::ranges::upper_bound(iterations.begins, time);
    if (after == iterations.begins.begin() || time >= iterations.end) return std::nullopt;
    return FoundIteration{static_cast<std::size_t>(after - iterations.begins.begin()), *(after - 1),
                          after == iterations.begins.end() ? iterations.end : *after};
}

std::optional<AlignedIteration> alignedAt(double time, const std::vector<double>& first,
                                          const std::vector<double>& second) {
    const auto after = std::ranges::upper_bound(first, time);
    const auto at = after == first.begin() ? after : after - 1;
    const auto number = static_cast<std::size_t>(at - first.begin());
    if (number >= first.size() || number >= second.size()) return std::nullopt;
    return AlignedIteration{number + 1, second[number] - first[number]};
}

}  // namespace holos::gui
