// SPDX-License-Identifier: BSD-3-Clause
// Calling contexts and their source lines.
#include <filesystem>

#include "analyzer/trace/definitions_builder.h"

namespace holos::analyzer::trace {

void DefinitionsBuilder::addSourceLine(OTF2_SourceCodeLocationRef self, OTF2_StringRef file,
                                       std::uint32_t line) {
    const std::string number = line != 0 ? ':' + std::to_string(line) : std::string();
    Region region;
    region.file = text(file);
    region.name = std::filesystem::path(region.file).filename().string() + number;
    region.canonicalName = region.file + number;
    region.beginLine = region.endLine = line;
    region.role = Role::Code;
    region.paradigm = toParadigm(OTF2_PARADIGM_SAMPLING);
    region.roleName = roleName(OTF2_REGION_ROLE_CODE);
    region.paradigmName = paradigmName(OTF2_PARADIGM_SAMPLING);
    const auto [known, isNew] = siteOf_.try_emplace({region.file, line}, definitions_.callSites.size());
    if (isNew) definitions_.callSites.push_back({region.file, line});
    siteOfLine_.add(self, known->second);
    regionOfLine_.add(self, RegionId(definitions_.regions.size()));
    definitions_.regions.push_back(std::move(region));
}

/// Callers are defined before what they call, so that there are no circles.
void DefinitionsBuilder::addCallingContext(OTF2_CallingContextRef self, OTF2_RegionRef region,
                                           OTF2_SourceCodeLocationRef line, OTF2_CallingContextRef parent) {
    CallingContext context;
    context.region = definitions_.regionOf.findOr(region, kUndefinedRegion);
    context.line = regionOfLine_.find(line);
    context.site = siteOfLine_.findOr(line, kNoSite);
    context.parent = definitions_.callingContextOf.find(parent);
    if (context.region == kUndefinedRegion) ++contextsWithoutFunction_;
    if (!context.parent && parent != OTF2_UNDEFINED_CALLING_CONTEXT) ++contextsWithoutCaller_;
    SiteId calledAt = kNoSite;
    if (context.parent) {
        context.frame = definitions_[*context.parent].frame;
        context.depth = definitions_[*context.parent].depth + 1;
        calledAt = definitions_[*context.parent].site;
    }
    // The body of a construct that a compiler made a function of is part of the function around it.
    if (definitions_[context.region].paradigm != Paradigm::OpenMp)
        context.frame = definitions_.frames.add(context.frame, context.region, calledAt);
    definitions_.callingContextOf.add(self, ContextId(definitions_.callingContexts.size()));
    definitions_.callingContexts.push_back(context);
}

void DefinitionsBuilder::addContextProperty(OTF2_CallingContextRef self, OTF2_StringRef name, OTF2_Type type,
                                            OTF2_AttributeValue value) {
    const auto context = definitions_.callingContextOf.find(self);
    if (!context || type != OTF2_TYPE_STRING || text(name) != "CallOrder") return;
    definitions_.callingContexts[context->index()].order = CallOrder(text(value.stringRef));
}

void DefinitionsBuilder::reportContexts() {
    if (contextsWithoutFunction_ != 0)
        definitions_.problems.push_back(std::to_string(contextsWithoutFunction_) +
                                        " calling contexts name functions that are not defined");
    if (contextsWithoutCaller_ != 0)
        definitions_.problems.push_back(
            std::to_string(contextsWithoutCaller_) +
            " calling contexts name callers that are not defined before them; they count as outermost");
    if (definitions_.frames.isCut())
        definitions_.problems.push_back("calling contexts are deeper than " +
                                        std::to_string(FrameTree::kDeepest) +
                                        " calls; what is called there counts for its caller");
}

}  // namespace holos::analyzer::trace
