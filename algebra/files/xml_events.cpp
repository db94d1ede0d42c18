// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/xml_events.h"

#include <libxml/xmlreader.h>

#include <limits>
#include <memory>

#include "metric-specs/error.h"

namespace holos::algebra {
namespace {

/// Far deeper than any call tree seen; keeps the parser's own memory bounded.
constexpr std::size_t kDeepest = 20'000;
// HUGE lifts libxml2's limit of 256 levels. Its guard against growing entities, which goes with it, is not
// needed: document types are refused, so there are no entities.
constexpr int kOptions = XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_COMPACT;

/// `xmlError*`, or from libxml2 2.12 on `const xmlError*`.
template <class Function>
struct SecondArgument;
template <class First, class Second>
struct SecondArgument<void (*)(First, Second)> {
    using Type = Second;
};
using XmlErrorPointer = SecondArgument<xmlStructuredErrorFunc>::Type;

struct Complaint {
    std::string message;
    std::uint64_t line = 0;
};

std::string string(const xmlChar* text) {
    return text == nullptr ? std::string() : reinterpret_cast<const char*>(text);
}

class Parser {
  public:
    Parser(const std::string& document, const std::string& file, XmlHandler& handler)
        : file_(file), handler_(handler), reader_(nullptr, &xmlFreeTextReader) {
        if (document.size() > std::numeric_limits<int>::max())
            throw Error("the document is too large", {.file = file});
        reader_.reset(xmlReaderForMemory(document.data(), static_cast<int>(document.size()), nullptr, "UTF-8",
                                         kOptions));
        if (!reader_) throw std::bad_alloc();
        xmlTextReaderSetStructuredErrorHandler(reader_.get(), &Parser::onError<XmlErrorPointer>, &complaint_);
    }

    void run() {
        int result = 0;
        while ((result = xmlTextReaderRead(reader_.get())) == 1) handleNode();
        if (result != 0)
            fail(complaint_.message.empty() ? "is not well-formed XML" : complaint_.message,
                 complaint_.line != 0 ? complaint_.line : line());
    }

  private:
    struct Open {
        XmlElement element;
        std::string text;
    };

    template <class ErrorPtr>
    static void onError(void* into, ErrorPtr error) {
        auto& complaint = *static_cast<Complaint*>(into);
        if (error->level < XML_ERR_ERROR || !complaint.message.empty()) return;
        complaint.message = error->message == nullptr ? "is not well-formed XML" : error->message;
        while (!complaint.message.empty() && complaint.message.back() == '\n') complaint.message.pop_back();
        complaint.line = static_cast<std::uint64_t>(error->line);
    }

    /// Of the current element. The parser itself may have read ahead, and elements have no room for larger
    /// numbers.
    std::uint64_t line() const {
        constexpr long kLargest = 65535;
        xmlNode* const node = xmlTextReaderCurrentNode(reader_.get());
        const long line = node == nullptr ? kLargest : xmlGetLineNo(node);
        return static_cast<std::uint64_t>(
            line > 0 && line < kLargest ? line : xmlTextReaderGetParserLineNumber(reader_.get()));
    }

    [[noreturn]] void fail(const std::string& message, std::uint64_t line) const {
        throw Error(message, Place{.file = file_, .line = line});
    }

    void handleNode() {
        switch (xmlTextReaderNodeType(reader_.get())) {
            case XML_READER_TYPE_ELEMENT:
                beginElement();
                break;
            case XML_READER_TYPE_END_ELEMENT:
                endElement();
                break;
            case XML_READER_TYPE_TEXT:
            case XML_READER_TYPE_CDATA:
            case XML_READER_TYPE_SIGNIFICANT_WHITESPACE:
                if (!open_.empty()) open_.back().text += string(xmlTextReaderConstValue(reader_.get()));
                break;
            case XML_READER_TYPE_DOCUMENT_TYPE:
                fail("a document type is not allowed", line());
            default:
                break;
        }
    }

    void beginElement() {
        if (open_.size() >= kDeepest) fail("elements are nested too deeply", line());
        xmlTextReader* const reader = reader_.get();
        const bool empty = xmlTextReaderIsEmptyElement(reader) == 1;
        XmlElement element{string(xmlTextReaderConstName(reader)), {}, line()};
        while (xmlTextReaderMoveToNextAttribute(reader) == 1)
            element.attributes.emplace_back(string(xmlTextReaderConstName(reader)),
                                            string(xmlTextReaderConstValue(reader)));
        open_.push_back({std::move(element), {}});
        handler_.begin(open_.back().element);
        if (empty) endElement();
    }

    void endElement() {
        Open closed = std::move(open_.back());
        open_.pop_back();
        handler_.end(closed.element, std::move(closed.text));
    }

    const std::string& file_;
    XmlHandler& handler_;
    std::unique_ptr<xmlTextReader, decltype(&xmlFreeTextReader)> reader_;
    Complaint complaint_;
    std::vector<Open> open_;
};

}  // namespace

const std::string* XmlElement::find(std::string_view attribute) const {
    for (const auto& [key, value] : attributes)
        if (key == attribute) return &value;
    return nullptr;
}

std::string XmlElement::get(std::string_view attribute, std::string otherwise) const {
    const std::string* found = find(attribute);
    if (found != nullptr) return *found;
    return otherwise;
}

void parseXml(const std::string& document, const std::string& file, XmlHandler& handler) {
    Parser(document, file, handler).run();
}

}  // namespace holos::algebra
