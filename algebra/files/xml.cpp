// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/xml.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>

#include <algorithm>
#include <exception>
#include <mutex>

#include "algebra/files/anchor.h"
#include "base/error.h"

namespace holos::algebra {
namespace {

/// Room for a row of millions of values.
constexpr std::size_t kLongestText = std::size_t{1} << 26;
constexpr std::size_t kPieceOfText = std::size_t{1} << 16;
// HUGE lifts libxml2's limit of 256 levels: call trees may be as deep as programs recurse, and nothing that
// reads them does so by recursion. Its guard against growing entities, which goes with it, is not
// needed: document types are refused, so there are no entities but XML's own five, which NOENT resolves.
constexpr int kOptions = XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOENT | XML_PARSE_IGNORE_ENC;

/// `xmlError*`, or from libxml2 2.12 on `const xmlError*`.
template <class Function>
struct SecondArgument;
template <class First, class Second>
struct SecondArgument<void (*)(First, Second)> {
    using Type = Second;
};
using XmlErrorPointer = SecondArgument<xmlStructuredErrorFunc>::Type;

/// libxml2 sets itself up with its first parser, and not safely when that is the first of two threads at
/// once.
void setUpOnce() {
    static std::once_flag isSetUp;
    std::call_once(isSetUp, xmlInitParser);
}

std::string_view view(const xmlChar* text) {
    return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

}  // namespace

/// The callbacks are called by C: what they throw is kept, and thrown when the C code has returned.
class XmlParser::Parser {
  public:
    Parser(const std::string& file, XmlHandler& handler)
        : file_(file), handler_(handler), context_(nullptr, &xmlFreeParserCtxt) {
        setUpOnce();
        xmlSAXHandler callbacks{};
        callbacks.initialized = XML_SAX2_MAGIC;
        callbacks.startElementNs = &Parser::onBegin;
        callbacks.endElementNs = &Parser::onEnd;
        callbacks.characters = &Parser::onText;
        callbacks.ignorableWhitespace = &Parser::onText;
        callbacks.cdataBlock = &Parser::onText;
        callbacks.internalSubset = &Parser::onDocumentType;
        callbacks.serror = &Parser::onError<XmlErrorPointer>;
        context_.reset(xmlCreatePushParserCtxt(&callbacks, this, nullptr, 0, nullptr));
        if (!context_) throw std::bad_alloc();
        xmlCtxtUseOptions(context_.get(), kOptions);
    }

    void feed(std::string_view text) {
        while (!text.empty()) {
            const std::string_view piece = text.substr(0, kPieceOfText);
            parse(piece, false);
            text.remove_prefix(piece.size());
        }
    }

    void finish() { parse({}, true); }

  private:
    struct Open {
        XmlElement element;
        std::string text;
    };

    void parse(std::string_view piece, bool last) {
        xmlParseChunk(context_.get(), piece.data(), static_cast<int>(piece.size()), last ? 1 : 0);
        if (failure_) std::rethrow_exception(failure_);
        if (context_->wellFormed == 0)
            throw Error("is damaged or incomplete: is no well-formed XML" +
                            (complaint_.empty() ? "" : " (" + complaint_ + ')'),
                        Place{.file = file_, .line = complaintLine_ != 0 ? complaintLine_ : line()});
    }

    std::uint64_t line() const {
        return static_cast<std::uint64_t>(std::max(0, xmlSAX2GetLineNumber(context_.get())));
    }

    [[noreturn]] void fail(const std::string& message) const {
        throw Error(message, Place{.file = file_, .line = line()});
    }

    /// All names are in the parser's dictionary.
    std::string_view qualified(const xmlChar* prefix, const xmlChar* name) const {
        return view(prefix == nullptr ? name : xmlDictQLookup(context_->dict, prefix, name));
    }

    template <class Action>
    static void guarded(void* self, Action action) {
        auto& parser = *static_cast<Parser*>(self);
        if (parser.failure_) return;
        try {
            action(parser);
        } catch (...) {
            parser.failure_ = std::current_exception();
            xmlStopParser(parser.context_.get());
        }
    }

    template <class ErrorPointer>
    static void onError(void* self, ErrorPointer error) {
        auto& parser = *static_cast<Parser*>(self);
        if (error->level < XML_ERR_FATAL || !parser.complaint_.empty()) return;
        std::string_view message = error->message == nullptr ? "" : error->message;
        while (message.ends_with('\n')) message.remove_suffix(1);
        parser.complaint_ = message;
        parser.complaintLine_ = static_cast<std::uint64_t>(std::max(0, error->line));
    }

    static void onDocumentType(void* self, const xmlChar*, const xmlChar*, const xmlChar*) {
        guarded(self, [](Parser& parser) { parser.fail("a document type is not allowed"); });
    }

    /// `attributes` has five entries each: name, prefix, URI, start and end of the value.
    static void onBegin(void* self, const xmlChar* name, const xmlChar* prefix, const xmlChar*, int,
                        const xmlChar**, int count, int, const xmlChar** attributes) {
        guarded(self, [&](Parser& parser) {
            if (parser.depth_ == parser.open_.size()) parser.open_.emplace_back();
            auto& [element, text] = parser.open_[parser.depth_++];
            text.clear();
            element.name = parser.qualified(prefix, name);
            element.line = parser.line();
            element.attributes.resize(static_cast<std::size_t>(count));
            for (auto& [key, value] : element.attributes) {
                key = parser.qualified(attributes[1], attributes[0]);
                value.assign(attributes[3], attributes[4]);
                attributes += 5;
            }
            parser.handler_.begin(element);
        });
    }

    static void onEnd(void* self, const xmlChar*, const xmlChar*, const xmlChar*) {
        guarded(self, [](Parser& parser) {
            auto& [element, text] = parser.open_[--parser.depth_];
            parser.handler_.end(element, std::move(text));
        });
    }

    static void onText(void* self, const xmlChar* text, int length) {
        guarded(self, [&](Parser& parser) {
            if (parser.depth_ == 0) return;
            auto& [element, collected] = parser.open_[parser.depth_ - 1];
            if (collected.size() + static_cast<std::size_t>(length) > kLongestText)
                parser.fail("the text of <" + std::string(element.name) + "> is too long");
            collected.append(reinterpret_cast<const char*>(text), static_cast<std::size_t>(length));
        });
    }

    const std::string& file_;
    XmlHandler& handler_;
    std::unique_ptr<xmlParserCtxt, decltype(&xmlFreeParserCtxt)> context_;
    std::exception_ptr failure_;
    std::string complaint_;
    std::uint64_t complaintLine_ = 0;
    std::vector<Open> open_;  ///< the first `depth_` of them; the others are there for their memory
    std::size_t depth_ = 0;
};

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

XmlParser::XmlParser(const std::string& file, XmlHandler& handler)
    : parser_(std::make_unique<Parser>(file, handler)) {}

XmlParser::~XmlParser() = default;

void XmlParser::feed(std::string_view piece) {
    parser_->feed(piece);
}

void XmlParser::finish() {
    parser_->finish();
}

void parseXml(std::string_view document, const std::string& file, XmlHandler& handler) {
    XmlParser parser(file, handler);
    parser.feed(document);
    parser.finish();
}

namespace {

/// Deeper elements are not indented further, or a deep call tree would grow with the square of its depth.
constexpr std::size_t kDeepestIndent = 30;

std::string_view escaped(char c) {
    switch (c) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        case '\'':
            return "&apos;";
        default:
            return {};
    }
}

/// True for what stands for itself; nearly all names consist of it.
bool isOrdinary(char c) {
    return c >= ' ' && c <= '~' && escaped(c).empty();
}

}  // namespace

void XmlWriter::open(std::string_view element, std::initializer_list<Attribute> attributes) {
    begin(element, attributes);
    out_ += ">\n";
    open_.emplace_back(element);
}

void XmlWriter::openSection(std::string_view element, const std::string& title) {
    if (title.empty())
        open(element);
    else
        open(element, {{"title", title}});
}

void XmlWriter::close() {
    const std::string_view element = open_.back();
    open_.pop_back();
    out_.append(2 * std::min(open_.size(), kDeepestIndent), ' ');
    end(element);
}

void XmlWriter::text(std::string_view element, std::string_view text,
                     std::initializer_list<Attribute> attributes) {
    begin(element, attributes);
    out_ += '>';
    escape(text);
    end(element);
}

void XmlWriter::empty(std::string_view element, std::initializer_list<Attribute> attributes) {
    begin(element, attributes);
    out_ += "/>\n";
}

void XmlWriter::begin(std::string_view element, std::initializer_list<Attribute> attributes) {
    out_.append(2 * std::min(open_.size(), kDeepestIndent), ' ');
    out_ += '<';
    out_ += element;
    for (const auto& [name, value] : attributes) {
        out_ += ' ';
        out_ += name;
        out_ += "=\"";
        escape(value);
        out_ += '"';
    }
}

void XmlWriter::end(std::string_view element) {
    out_ += "</";
    out_ += element;
    out_ += ">\n";
}

void XmlWriter::escape(std::string_view text) {
    if (std::ranges::all_of(text, [](char c) { return isOrdinary(c); })) {
        out_ += text;
        return;
    }
    for (const char c : toXmlCharacters(text)) {
        const auto replacement = escaped(c);
        if (replacement.empty())
            out_ += c;
        else
            out_ += replacement;
    }
}

}  // namespace holos::algebra
