// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/properties.h"

#include <otf2/otf2.h>

#include <memory>
#include <optional>
#include <unordered_map>

#include "analyzer/trace/error_capture.h"

namespace holos::analyzer::trace {

namespace {

struct PropertyCollector {
    SystemProperties found;
    std::unordered_map<OTF2_StringRef, std::string> strings;
    std::unordered_map<OTF2_SystemTreeNodeRef, std::size_t> nodes;

    /// Nothing for values of other types.
    std::optional<std::string> textOf(OTF2_Type type, OTF2_AttributeValue value) const {
        switch (type) {
            case OTF2_TYPE_STRING: {
                const auto at = strings.find(value.stringRef);
                return at != strings.end() ? std::optional(at->second) : std::nullopt;
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

    void add(Properties& to, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value) const {
        const auto key = strings.find(name);
        if (key == strings.end()) return;
        if (auto text = textOf(type, value)) to.emplace_back(key->second, std::move(*text));
    }
};

/// Exceptions must not travel through OTF2; what memory is missing for is left out.
template <class Work>
OTF2_CallbackCode keeping(void* user, Work work) {
    try {
        work(*static_cast<PropertyCollector*>(user));
        return OTF2_CALLBACK_SUCCESS;
    } catch (...) {
        return OTF2_CALLBACK_INTERRUPT;
    }
}

OTF2_CallbackCode keepString(void* user, OTF2_StringRef self, const char* text) {
    return keeping(user, [=](PropertyCollector& c) { c.strings[self] = text != nullptr ? text : ""; });
}
OTF2_CallbackCode keepNode(void* user, OTF2_SystemTreeNodeRef self, OTF2_StringRef, OTF2_StringRef,
                           OTF2_SystemTreeNodeRef) {
    return keeping(user, [=](PropertyCollector& c) { c.nodes.try_emplace(self, c.nodes.size()); });
}
OTF2_CallbackCode keepNodeProperty(void* user, OTF2_SystemTreeNodeRef node, OTF2_StringRef name,
                                   OTF2_Type type, OTF2_AttributeValue value) {
    return keeping(user, [=](PropertyCollector& c) {
        if (const auto at = c.nodes.find(node); at != c.nodes.end())
            c.add(c.found.ofNodes[at->second], name, type, value);
    });
}
OTF2_CallbackCode keepLocationProperty(void* user, OTF2_LocationRef location, OTF2_StringRef name,
                                       OTF2_Type type, OTF2_AttributeValue value) {
    return keeping(user,
                   [=](PropertyCollector& c) { c.add(c.found.ofLocations[location], name, type, value); });
}

}  // namespace

SystemProperties readProperties(const std::filesystem::path& anchor) {
    const ErrorCapture capture;
    PropertyCollector collector;
    const std::unique_ptr<OTF2_Reader, decltype(&OTF2_Reader_Close)> reader(OTF2_Reader_Open(anchor.c_str()),
                                                                            &OTF2_Reader_Close);
    if (!reader || OTF2_Reader_SetSerialCollectiveCallbacks(reader.get()) != OTF2_SUCCESS) return {};
    OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader.get());
    if (definitions == nullptr) return {};
    const std::unique_ptr<OTF2_GlobalDefReaderCallbacks, decltype(&OTF2_GlobalDefReaderCallbacks_Delete)>
        callbacks(OTF2_GlobalDefReaderCallbacks_New(), &OTF2_GlobalDefReaderCallbacks_Delete);
    auto* c = callbacks.get();
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(c, keepString);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(c, keepNode);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodePropertyCallback(c, keepNodeProperty);
    OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(c, keepLocationProperty);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader.get(), definitions, c, &collector);
    std::uint64_t read = 0;
    OTF2_Reader_ReadAllGlobalDefinitions(reader.get(), definitions, &read);
    return std::move(collector.found);
}

}  // namespace holos::analyzer::trace
