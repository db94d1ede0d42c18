// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>

#include "algebra/files/anchor_sections.h"

namespace holos::algebra {

void ProgramSection::begin(const XmlElement& element) {
    if (element.name == "region") {
        beginRegion(element);
    } else if (element.name == "cnode") {
        beginCallPath(element);
    } else if (element.name == "parameter" && !open_.empty()) {
        addParameter(experiment_.callTree[open_.back()], element);
    } else if (element.name == "attr") {
        if (inRegion_)
            experiment_.regions.back().attributes.emplace_back(element.get("key"), element.get("value"));
        else if (!open_.empty())
            experiment_.callTree[open_.back()].attributes.emplace_back(element.get("key"),
                                                                       element.get("value"));
    }
}

void ProgramSection::beginRegion(const XmlElement& element) {
    const std::uint64_t id = index(element, "id");
    if (!regions_.emplace(id, RegionId(experiment_.regions.size())).second)
        fail(element, "the region id " + std::to_string(id) + " is there twice");
    Region region;
    region.module = element.get("mod");
    region.beginLine = integer(element, element.get("begin"), -1);
    region.endLine = integer(element, element.get("end"), -1);
    region.paradigm = "unknown";
    region.role = "unknown";
    experiment_.regions.push_back(std::move(region));
    inRegion_ = true;
}

void ProgramSection::beginCallPath(const XmlElement& element) {
    const std::uint64_t id = index(element, "id");
    if (!seen_.insert(id)) fail(element, "the call path id " + std::to_string(id) + " is there twice");
    const auto region = regions_.find(index(element, "calleeId"));
    if (region == regions_.end()) fail(element, "no region has the id " + element.get("calleeId"));
    CallPath path;
    path.region = region->second;
    path.line = integer(element, element.get("line"), -1);
    path.module = element.get("mod");
    path.fileNumber = static_cast<std::uint32_t>(id);
    open_.push_back(experiment_.callTree.add(std::move(path),
                                             open_.empty() ? std::nullopt : std::optional(open_.back())));
}

void ProgramSection::addParameter(CallPath& path, const XmlElement& element) {
    const std::string key = element.get("parkey");
    const std::string value = element.get("parvalue");
    if (element.get("partype") != "numeric") {
        path.stringParameters.emplace_back(key, value);
        return;
    }
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    if (value.empty() || *end != '\0')
        fail(element, "a number was expected as \"parvalue\", not \"" + value + "\"");
    path.numericParameters.emplace_back(key, number);
}

void ProgramSection::end(const XmlElement& element, std::string&& text) {
    if (element.name == "cnode" && !open_.empty()) open_.pop_back();
    if (!inRegion_) return;
    Region& region = experiment_.regions.back();
    if (element.name == "name")
        region.name = std::move(text);
    else if (element.name == "mangled_name")
        region.mangledName = std::move(text);
    else if (element.name == "paradigm")
        region.paradigm = std::move(text);
    else if (element.name == "role")
        region.role = std::move(text);
    else if (element.name == "url")
        region.url = std::move(text);
    else if (element.name == "descr")
        region.description = std::move(text);
    else if (element.name == "region") {
        inRegion_ = false;
        if (region.mangledName.empty()) region.mangledName = region.name;
    }
}

}  // namespace holos::algebra
