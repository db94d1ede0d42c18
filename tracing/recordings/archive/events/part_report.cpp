// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/part_report.h"

#include <algorithm>

#include "base/error.h"
#include "base/packing.h"

namespace holos::archive {
namespace {

/// Below, `Packing` is a `Packer` or an `Unpacker`.
template <class Packing>
void pack(Packing& packing, MetContext& met) {
    packing.value(met.path);
    packing.optional(met.sample, [&](MetSample& sample) {
        packing.list(sample.addresses);
        packing.value(sample.files);
        packing.optional(sample.access, [&](SampledAccess& access) { packing.value(access); });
    });
}

template <class Packing>
void pack(Packing& packing, LocationResult& done) {
    packing.value(done.events);
    packing.value(done.dropped);
    packing.list(done.open);
    packing.optional(done.lastRegion, [&](LastRegion& last) { packing.value(last); });
    packing.map(done.unended);
    packing.value(done.damaged);
    packing.value(done.lostBytes);
    packing.value(done.isCut);
    packing.value(done.hasPolls);
    packing.value(done.shortage);
    packing.value(done.first);
    packing.value(done.last);
    packing.value(done.sent);
    packing.value(done.received);
    packing.value(done.cancelled);
    packing.value(done.outside);
    packing.value(done.unknownTime);
    done.processors.pack(packing);
}

template <class Packing>
void pack(Packing& packing, LocationPart& part) {
    pack(packing, part.done);
    packing.list(part.instructions);
    packing.list(part.contexts, [&](MetContext& met) { pack(packing, met); });
}

/// Throws `Error` where it refers to what is not there.
void requireKnown(const LocationPart& part, const TracePlan& plan) {
    const LocationResult& done = part.done;
    const auto isRegion = [&plan](std::uint32_t region) { return region < plan.regions.size(); };
    const auto isContext = [&part](std::uint32_t context) {
        return context == SampledContext::kNone || context < part.contexts.size();
    };
    const bool areKnown =
        std::ranges::all_of(done.open, isRegion) &&
        std::ranges::all_of(done.unended, [&](const auto& one) { return isRegion(one.first); }) &&
        (!done.lastRegion || (isRegion(done.lastRegion->region) && isContext(done.lastRegion->context))) &&
        std::ranges::none_of(part.contexts,
                             [](const MetContext& met) { return met.context == SampledContext::kNone; });
    if (!areKnown) throw Error("the report of a helper refers to what is not in the trace");
}

}  // namespace

std::string reportOn(std::span<LocationPart* const> parts) {
    Packer packer;
    packer.list(std::string());
    for (LocationPart* part : parts) {
        packer.value(part->location->id);
        pack(packer, *part);
    }
    return packer.take();
}

std::string reportOfFailure(const std::string& why) {
    Packer packer;
    packer.list(why.empty() ? "it does not say why" : why);
    return packer.take();
}

std::string takeReport(const std::string& report, const TracePlan& plan, std::span<LocationPart* const> parts,
                       SampledCode& code) {
    Unpacker unpacker(report);
    std::string failure;
    unpacker.list(failure);
    if (!failure.empty()) return failure;
    for (LocationPart* part : parts) {
        std::uint64_t location = 0;
        unpacker.value(location);
        if (location != part->location->id) throw Error("the report of a helper is of other locations");
        pack(unpacker, *part);
        const RecordedProcess& process = *part->process->recorded;
        for (MetContext& met : part->contexts)
            met.context =
                met.sample ? contextOf(code, process, *met.sample) : code.contextOf(process, met.path);
        requireKnown(*part, plan);
    }
    return "";
}

}  // namespace holos::archive
