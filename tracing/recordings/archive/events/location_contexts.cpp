// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/location_contexts.h"

#include "tracing/recordings/archive/definitions/definitions_writer.h"
#include "tracing/recordings/format/path_numbers.h"

namespace holos::archive {
namespace {

constexpr std::uint32_t kNone = SampledContext::kNone;
constexpr std::uint32_t kNotLookedFor = kNone - 1;

}  // namespace

std::uint32_t contextOf(SampledCode& code, const RecordedProcess& process, const MetSample& sample) {
    const std::uint32_t context = code.contextOf(process, sample.addresses, sample.files);
    return sample.access ? code.dataBelow(context, process, *sample.access) : context;
}

LocationContexts::LocationContexts(const TraceProcess& process, SampledCode& code)
    : process_(process.recorded), code_(code) {
    if (process_ != nullptr) byPath_.resize(process_->callPaths.size(), kNotLookedFor);
}

std::uint32_t LocationContexts::ofPath(std::uint32_t path) {
    if (byPath_.empty()) return kNone;
    if (path == tracing::stacks::kMorePaths) return numberOf({code_.contextOf(*process_, path), path});
    if (path == tracing::stacks::kNoPath || path >= byPath_.size()) return kNone;
    std::uint32_t& number = byPath_[path];
    if (number == kNotLookedFor) number = numberOf({code_.contextOf(*process_, path), path});
    return number;
}

std::uint32_t LocationContexts::ofSample(MetSample sample) {
    const std::uint32_t context = contextOf(code_, *process_, sample);
    return numberOf({context, tracing::stacks::kNoPath, std::move(sample)});
}

void LocationContexts::count(const MetSample& sample, std::uint64_t samples) {
    if (sample.addresses.empty()) return;
    const std::uint64_t at = sample.addresses.front();
    if (at >= tracing::stacks::kFirstPath && !tracing::stacks::python::isPython(at))
        samplesAt_[{at, sample.files}] += samples;
}

std::vector<MetInstruction> LocationContexts::instructions() const {
    std::vector<MetInstruction> all;
    for (const auto& [place, samples] : samplesAt_) all.push_back({place.first, place.second, samples});
    return all;
}

std::uint32_t LocationContexts::numberOf(MetContext met) {
    if (met.context == kNone) return kNone;
    const auto [at, isNew] = numbers_.try_emplace(met.context, static_cast<std::uint32_t>(met_.size()));
    if (isNew) met_.push_back(std::move(met));
    return at->second;
}

namespace {

static_assert(SampledContext::kNone == ContextPrediction::kNone &&
              SampledContext::kNone == OTF2_UNDEFINED_CALLING_CONTEXT);

}  // namespace

CallPathAttributes::CallPathAttributes(LocationContexts& contexts) : contexts_(contexts) {
    if (contexts.havePaths()) list_ = newAttributes();
}

OTF2_AttributeList* CallPathAttributes::attributesOf(std::uint32_t region, std::uint32_t path) {
    if (!list_) return nullptr;
    const std::uint32_t context = contexts_.ofPath(path);
    const bool isExpected = prediction_.expected(region) == context;
    prediction_.follow(region, context);
    if (isExpected) return nullptr;
    OTF2_AttributeList_RemoveAllAttributes(list_.get());
    OTF2_AttributeList_AddCallingContextRef(list_.get(), DefinitionsWriter::kCallPath, context);
    return list_.get();
}

}  // namespace holos::archive
