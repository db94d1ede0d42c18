// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/document_reader.h"

#include <utility>

namespace holos::algebra {

DocumentReader::DocumentReader(Anchor& anchor, const std::string& file, std::string version,
                               AnchorSection& system, AnchorSection* severity)
    : AnchorSection(anchor, file),
      version_(std::move(version)),
      metrics_(anchor, file),
      program_(anchor, file),
      system_(system),
      severity_(severity) {}

void DocumentReader::begin(const XmlElement& element) {
    ++depth_;
    if (section_ != nullptr)
        section_->begin(element);
    else if (depth_ == 1)
        beginDocument(element);
    else if (depth_ == 2)
        beginSection(element);
}

void DocumentReader::end(const XmlElement& element, std::string&& text) {
    --depth_;
    if (depth_ == 1 && section_ != nullptr)
        std::exchange(section_, nullptr)->finish();
    else if (section_ != nullptr)
        section_->end(element, std::move(text));
    else if (element.name == "murl")
        experiment_.mirrors.push_back(std::move(text));
}

void DocumentReader::beginDocument(const XmlElement& element) const {
    const std::string version = element.get("version");
    if (element.name != "cube")
        fail(element, "a <cube> document was expected, not <" + std::string(element.name) + ">");
    if (!version.starts_with(version_ + '.'))
        fail(element, "version " + version_ + " of the CUBE format was expected, not \"" + version + "\"");
}

void DocumentReader::beginSection(const XmlElement& element) {
    if (element.name == "attr") {
        experiment_.attributes.emplace_back(element.get("key"), element.get("value"));
    } else if (element.name == "metrics") {
        experiment_.metricsTitle = element.get("title");
        enter(element, metrics_);
    } else if (element.name == "program") {
        experiment_.callTreeTitle = element.get("title");
        enter(element, program_);
    } else if (element.name == "system") {
        experiment_.systemTitle = element.get("title");
        enter(element, system_);
    } else if (element.name == "severity" && severity_ != nullptr) {
        enter(element, *severity_);
    }
}

void DocumentReader::enter(const XmlElement& element, AnchorSection& section) {
    if (!seen_.insert(&section).second) fail(element, "<" + std::string(element.name) + "> is there twice");
    section_ = &section;
}

}  // namespace holos::algebra
