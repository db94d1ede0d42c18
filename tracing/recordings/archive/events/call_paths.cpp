// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/call_paths.h"

#include <algorithm>

#include "tracing/recordings/archive/definitions/definitions_writer.h"
#include "tracing/recordings/format/path_numbers.h"

namespace holos::archive {
namespace {

constexpr std::uint32_t kNone = SampledContext::kNone;
static_assert(kNone == ContextPrediction::kNone && kNone == OTF2_UNDEFINED_CALLING_CONTEXT);
constexpr std::uint32_t kNotLookedFor = kNone - 1;

}  // namespace

PathContexts::PathContexts(const TraceProcess& process, SampledCode& code)
    : process_(process.recorded), code_(code) {
    if (hasCallPaths(process_)) contexts_.resize(process_->callPaths.size(), kNotLookedFor);
}

std::uint32_t PathContexts::of(std::uint32_t path) {
    if (contexts_.empty()) return kNone;
    if (path == tracing::stacks::kMorePaths) return code_.contextOf(*process_, path);
    if (path == tracing::stacks::kNoPath || path >= contexts_.size()) return kNone;
    std::uint32_t& context = contexts_[path];
    if (context == kNotLookedFor) context = code_.contextOf(*process_, path);
    return context;
}

CallPathAttributes::CallPathAttributes(const TraceProcess& process, SampledCode& code)
    : contexts_(process, code) {
    if (hasCallPaths(process.recorded)) list_ = newAttributes();
}

OTF2_AttributeList* CallPathAttributes::attributesOf(std::uint32_t region, std::uint32_t path) {
    if (!list_) return nullptr;
    const std::uint32_t context = contexts_.of(path);
    const bool isExpected = prediction_.expected(region) == context;
    prediction_.follow(region, context);
    if (isExpected) return nullptr;
    OTF2_AttributeList_RemoveAllAttributes(list_.get());
    OTF2_AttributeList_AddCallingContextRef(list_.get(), DefinitionsWriter::kCallPath, context);
    return list_.get();
}

}  // namespace holos::archive
