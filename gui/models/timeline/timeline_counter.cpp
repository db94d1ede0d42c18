// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline/timeline_counter.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "analyzer/trace/curves.h"

namespace holos::gui {

using trace::Ticks;

namespace {

constexpr std::size_t kMostCounterBins = 1U << 22U;

bool isNamed(const trace::MetricMember& member, const std::string& metric) {
    return kCounterPrefix + member.name == metric;
}

}  // namespace

std::optional<trace::MemberId> counterNamed(const trace::Definitions& definitions,
                                            const std::string& metric) {
    for (std::size_t at = 0; at < definitions.metricMembers.size(); ++at)
        if (isNamed(definitions.metricMembers[at], metric)) return trace::MemberId(at);
    return std::nullopt;
}

QString unitOfCounter(const trace::MetricMember& member) {
    const QString unit = member.unit == "#" ? QString() : QString::fromStdString(member.unit);
    return member.mode == trace::MetricMode::Absolute ? unit : unit + u"/s"_qs;
}

std::shared_ptr<const TimelineCounter> TimelineCounter::read(const std::filesystem::path& anchor,
                                                             const trace::Definitions& definitions,
                                                             trace::MemberId member,
                                                             const TimesInPartPtr& part,
                                                             const std::atomic<bool>& stopped) {
    const auto length = static_cast<Ticks>(definitions.clock.length);
    const std::size_t locations = std::max<std::size_t>(definitions.locations.size(), 1);
    const std::size_t bins = std::bit_floor(std::clamp<std::size_t>(kMostCounterBins / locations, 64, 2048));
    std::shared_ptr<TimelineCounter> counter(new TimelineCounter);
    counter->member_ = member;
    counter->part_ = part;
    counter->grid_ = {length, static_cast<unsigned>(std::bit_width(bins))};
    counter->means_.resize(definitions.locations.size());
    for (std::size_t at = 0; at < definitions.locations.size(); ++at) {
        if (stopped) return nullptr;
        const trace::LocationId location(at);
        const auto only = part ? part->stretches(location) : trace::Stretches();
        const trace::Curves curves = trace::readCurves(
            anchor, definitions, location, {0, std::max<Ticks>(length, 1), bins}, part ? &only : nullptr);
        for (const trace::Curve& curve : curves.curves) {
            if (curve.member != member) continue;
            counter->means_[at].assign(curve.means.begin(), curve.means.end());
            for (const double mean : curve.means)
                if (std::isfinite(mean)) counter->largest_ = std::max(counter->largest_, mean);
        }
    }
    return counter;
}

std::vector<float> TimelineCounter::sharesOf(const TimelineLine& line, const trace::Window& window) const {
    std::vector<float> shares(window.bins, -1.0F);
    const double width = static_cast<double>(window.to - window.from) / std::max(1U, window.bins);
    for (unsigned pixel = 0; pixel < window.bins; ++pixel) {
        const auto from = window.from + static_cast<Ticks>(width * pixel);
        const auto to = window.from + static_cast<Ticks>(width * (pixel + 1));
        if (to <= 0 || from >= grid_.length()) continue;
        double sum = 0;
        std::size_t known = 0;
        const std::size_t last = grid_.binAt(0, std::max(from, to - 1));
        for (const LocationRange& range : line.locations)
            for (std::size_t at = range.from; at < range.to; ++at)
                for (std::size_t bin = grid_.binAt(0, from); bin <= last && bin < means_[at].size(); ++bin)
                    if (std::isfinite(means_[at][bin])) {
                        sum += static_cast<double>(means_[at][bin]);
                        ++known;
                    }
        if (known == 0) continue;
        const double mean = sum / static_cast<double>(known);
        shares[pixel] = static_cast<float>(largest_ > 0 ? std::clamp(mean / largest_, 0.0, 1.0) : 0.0);
    }
    return shares;
}

}  // namespace holos::gui
