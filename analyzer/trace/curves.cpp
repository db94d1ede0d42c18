// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/curves.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

#include "analyzer/trace/event_file.h"

namespace holos::analyzer::trace {

namespace {

/// The means of a function of time that is told stretch by stretch, in each of which it is constant.
class Means {
  public:
    Means(const TimeGrid& grid, const Stretches* only)
        : grid_(grid), only_(only), sums_(grid.parts), known_(grid.parts) {}

    void add(Ticks begin, Ticks end, double value) {
        if (only_ == nullptr) return addAll(begin, end, value);
        auto stretch = std::ranges::upper_bound(*only_, begin, {}, &Stretches::value_type::second);
        for (; stretch != only_->end() && stretch->first < end; ++stretch)
            addAll(std::max(begin, stretch->first), std::min(end, stretch->second), value);
    }

    void putInto(Curve& curve) {
        for (std::size_t part = 0; part < grid_.parts; ++part) {
            sums_[part] =
                known_[part] > 0.0 ? sums_[part] / known_[part] : std::numeric_limits<double>::quiet_NaN();
            known_[part] /= width();
        }
        curve.means = std::move(sums_);
        curve.known = std::move(known_);
    }

  private:
    /// Ticks of a part.
    double width() const {
        return static_cast<double>(grid_.to - grid_.from) / static_cast<double>(grid_.parts);
    }

    void addAll(Ticks begin, Ticks end, double value) {
        const double width = this->width();
        double at = static_cast<double>(std::max(begin, grid_.from) - grid_.from);
        const double until = static_cast<double>(std::min(end, grid_.to) - grid_.from);
        if (at >= until) return;
        for (auto part = static_cast<std::size_t>(at / width); at < until && part < grid_.parts; ++part) {
            const double partEnd = std::min(until, width * static_cast<double>(part + 1));
            sums_[part] += value * (partEnd - at);
            known_[part] += partEnd - at;
            at = partEnd;
        }
    }

    const TimeGrid& grid_;
    const Stretches* only_;
    std::vector<double> sums_;
    std::vector<double> known_;  ///< ticks of each part
};

/// A metric from sample to sample.
class Follower {
  public:
    Follower(const MetricMember& member, double ticksPerSecond, const TimeGrid& grid, const Stretches* only)
        : member_(member), ticksPerSecond_(ticksPerSecond), means_(grid, only) {}

    void sample(Ticks time, OTF2_MetricValue value) {
        if (!hasLast_)
            lastTime_ = time;
        else if (member_.mode == MetricMode::Absolute)
            state(time);
        else
            growth(time, value);
        hasLast_ = true;
        last_ = value;
    }

    /// The last state holds until the end.
    void finish(Ticks end, Curve& curve) {
        if (member_.mode == MetricMode::Absolute) state(end);
        means_.putInto(curve);
    }

  private:
    void state(Ticks until) {
        means_.add(lastTime_, until, scaled(last_));
        lastTime_ = until;
    }

    /// Several samples may have the same time: what grew between them counts for the time that follows.
    void growth(Ticks time, OTF2_MetricValue value) {
        growth_ += member_.mode == MetricMode::AccumulatedPart ? scaled(value) : sinceLast(value);
        if (time <= lastTime_) return;
        means_.add(lastTime_, time, growth_ * ticksPerSecond_ / static_cast<double>(time - lastTime_));
        lastTime_ = time;
        growth_ = 0.0;
    }

    /// Whole numbers are subtracted exactly, also when they wrap around.
    double sinceLast(OTF2_MetricValue value) const {
        if (member_.type == MetricType::Real) return scaled(value) - scaled(last_);
        value.unsigned_int -= last_.unsigned_int;
        return static_cast<double>(value.signed_int) * member_.scale;
    }

    double scaled(OTF2_MetricValue value) const {
        const double number = member_.type == MetricType::Real       ? value.floating_point
                              : member_.type == MetricType::Unsigned ? static_cast<double>(value.unsigned_int)
                                                                     : static_cast<double>(value.signed_int);
        return number * member_.scale;
    }

    const MetricMember& member_;
    double ticksPerSecond_;
    Means means_;
    bool hasLast_ = false;
    Ticks lastTime_ = 0;
    OTF2_MetricValue last_{};
    double growth_ = 0.0;  ///< since `lastTime_`
};

/// From OTF2's callback to the metrics' followers. Exceptions must not travel through OTF2.
class Reading {
  public:
    Reading(const Definitions& definitions, const TimeGrid& grid, const Stretches* only)
        : definitions_(definitions), grid_(grid), only_(only), followers_(definitions.metricMembers.size()) {}

    bool listenTo(EventFile& file) {
        EventHandlers handlers;
        handlers.metric = [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                             OTF2_AttributeList*, OTF2_MetricRef metric, std::uint8_t count, const OTF2_Type*,
                             const OTF2_MetricValue* values) {
            return static_cast<Reading*>(user)->guarded(time, metric, count, values);
        };
        return file.listen(handlers, this);
    }

    std::vector<Curve> finish(LocationId location) {
        if (failure_) std::rethrow_exception(failure_);
        std::vector<Curve> curves;
        for (std::size_t member = 0; member < followers_.size(); ++member)
            if (followers_[member])
                followers_[member]->finish(grid_.to,
                                           curves.emplace_back(Curve{MemberId(member), location, {}, {}}));
        return curves;
    }

  private:
    OTF2_CallbackCode guarded(OTF2_TimeStamp time, OTF2_MetricRef metric, std::uint8_t count,
                              const OTF2_MetricValue* values) {
        try {
            take(static_cast<Ticks>(time - definitions_.clock.globalOffset), metric, count, values);
        } catch (...) {
            failure_ = std::current_exception();
        }
        return failure_ ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
    }

    void take(Ticks time, OTF2_MetricRef metric, std::size_t count, const OTF2_MetricValue* values) {
        const auto known = definitions_.metricClassOf.find(metric);
        if (!known) return;
        const auto& members = definitions_.metricClasses[known->index()].members;
        for (std::size_t at = 0; at < std::min(count, members.size()); ++at)
            followerOf(members[at]).sample(time, values[at]);
    }

    Follower& followerOf(MemberId member) {
        auto& follower = followers_[member.index()];
        if (!follower)
            follower.emplace(definitions_.metricMembers[member.index()],
                             static_cast<double>(definitions_.clock.ticksPerSecond), grid_, only_);
        return *follower;
    }

    const Definitions& definitions_;
    const TimeGrid& grid_;
    const Stretches* only_;
    std::vector<std::optional<Follower>> followers_;  ///< by member
    std::exception_ptr failure_;
};

}  // namespace

Curves readCurves(const std::filesystem::path& anchor, const Definitions& definitions, LocationId location,
                  const TimeGrid& grid, const Stretches* only) {
    EventFile file(anchor, definitions, location);
    Reading reading(definitions, grid, only);
    if (!reading.listenTo(file)) return {{}, file.outcome().problem};
    file.deliver({});
    return {reading.finish(location), file.completeOutcome().problem};
}

}  // namespace holos::analyzer::trace
