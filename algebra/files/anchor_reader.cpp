// SPDX-License-Identifier: BSD-3-Clause
#include <charconv>

#include "algebra/files/anchor.h"
#include "algebra/files/anchor_repair.h"
#include "algebra/files/anchor_sections.h"
#include "metric-specs/error.h"

namespace holos::algebra {
namespace {

/// The document as a whole: `attr*`, `doc`, and the three sections.
class DocumentReader final : public AnchorSection {
  public:
    DocumentReader(Anchor& anchor, const std::string& file)
        : AnchorSection(anchor, file),
          metrics_(anchor, file),
          program_(anchor, file),
          system_(anchor, file) {}

    void begin(const XmlElement& element) override {
        ++depth_;
        if (section_ != nullptr)
            section_->begin(element);
        else if (depth_ == 1)
            beginDocument(element);
        else if (depth_ == 2)
            beginSection(element);
    }

    void end(const XmlElement& element, std::string text) override {
        --depth_;
        if (depth_ == 1)
            section_ = nullptr;
        else if (section_ != nullptr)
            section_->end(element, std::move(text));
        else if (element.name == "murl")
            experiment_.mirrors.push_back(std::move(text));
        if (depth_ == 0) system_.finish();
    }

  private:
    void beginDocument(const XmlElement& element) {
        const std::string version = element.get("version");
        if (element.name != "cube")
            fail(element, "a <cube> document was expected, not <" + element.name + ">");
        if (!version.starts_with("4."))
            fail(element, "version 4 of the CUBE format was expected, not \"" + version + "\"");
    }

    void beginSection(const XmlElement& element) {
        if (element.name == "attr") {
            experiment_.attributes.emplace_back(element.get("key"), element.get("value"));
        } else if (element.name == "metrics") {
            experiment_.metricsTitle = element.get("title");
            section_ = &metrics_;
        } else if (element.name == "program") {
            experiment_.callTreeTitle = element.get("title");
            section_ = &program_;
        } else if (element.name == "system") {
            experiment_.systemTitle = element.get("title");
            section_ = &system_;
        }
    }

    MetricsSection metrics_;
    ProgramSection program_;
    SystemSection system_;
    XmlHandler* section_ = nullptr;
    std::size_t depth_ = 0;
};

}  // namespace

void AnchorSection::fail(const XmlElement& at, const std::string& message) const {
    throw Error(message, Place{.file = file_, .line = at.line});
}

std::uint64_t AnchorSection::index(const XmlElement& element, std::string_view attribute) const {
    const std::string* const text = element.find(attribute);
    std::uint32_t value = 0;
    const char* const end = text == nullptr ? nullptr : text->data() + text->size();
    if (text == nullptr || std::from_chars(text->data(), end, value).ptr != end || text->empty() ||
        value > 0x7FFFFFFF)
        fail(element, "<" + element.name + "> needs a number as \"" + std::string(attribute) + "\", not \"" +
                          (text == nullptr ? "" : *text) + "\"");
    return value;
}

std::int64_t AnchorSection::integer(const XmlElement& element, std::string_view text,
                                    std::int64_t otherwise) const {
    const auto begin = text.find_first_not_of(" \t\r\n");
    if (begin == text.npos) return otherwise;
    text = text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    if (std::from_chars(text.data(), end, value).ptr != end)
        fail(element,
             "<" + element.name + ">: a whole number was expected, not \"" + std::string(text) + "\"");
    return value;
}

Anchor readAnchor(const std::string& text, const std::string& file) {
    const std::string place = file + '/' + kAnchor;
    Anchor anchor;
    DocumentReader reader(anchor, place);
    parseXml(repairAnchor(text), place, reader);
    return anchor;
}

}  // namespace holos::algebra
