// SPDX-License-Identifier: BSD-3-Clause
// What a writer says of nodes and locations besides: texts and whole numbers; values of other types are left
// out.
#include "analyzer/trace/definitions_builder.h"

namespace holos::analyzer::trace {

std::optional<std::string> DefinitionsBuilder::textOf(OTF2_Type type, OTF2_AttributeValue value) const {
    switch (type) {
        case OTF2_TYPE_STRING: {
            const auto at = definitions_.stringOf.find(value.stringRef);
            return at ? std::optional(definitions_.strings[at->index()]) : std::nullopt;
        }
        case OTF2_TYPE_UINT32:
            return std::to_string(value.uint32);
        case OTF2_TYPE_UINT64:
            return std::to_string(value.uint64);
        case OTF2_TYPE_INT32:
            return std::to_string(value.int32);
        case OTF2_TYPE_INT64:
            return std::to_string(value.int64);
        default:
            return std::nullopt;
    }
}

void DefinitionsBuilder::add(Properties& to, OTF2_StringRef name, OTF2_Type type,
                             OTF2_AttributeValue value) const {
    if (!definitions_.stringOf.find(name)) return;
    if (auto found = textOf(type, value)) to.emplace_back(text(name), std::move(*found));
}

void DefinitionsBuilder::addNodeProperty(OTF2_SystemTreeNodeRef node, OTF2_StringRef name, OTF2_Type type,
                                         OTF2_AttributeValue value) {
    if (const auto at = systemNodeOf_.find(node))
        add(definitions_.systemNodes[at->index()].properties, name, type, value);
}

void DefinitionsBuilder::addLocationProperty(OTF2_LocationRef location, OTF2_StringRef name, OTF2_Type type,
                                             OTF2_AttributeValue value) {
    if (const auto at = locationOf_.find(location))
        add(definitions_.locations[at->index()].properties, name, type, value);
}

}  // namespace holos::analyzer::trace
