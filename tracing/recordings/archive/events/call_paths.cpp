// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/call_paths.h"

#include <algorithm>

#include "tracing/recordings/archive/definitions/definitions_writer.h"
#include "tracing/recordings/format/path_numbers.h"

namespace holos::archive {
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
