// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/anchor.h"

#include <algorithm>
#include <cctype>

#include "algebra/files/anchor_sections.h"
#include "algebra/files/stored_values.h"
#include "algebra/files/xml.h"
#include "algebra/model/experiment.h"
#include "algebra/model/queries.h"
#include "base/error.h"
#include "base/number.h"
#include "base/text.h"

namespace holos::algebra {
namespace {

/// How many bytes the UTF-8 character at the front has; 0 when it is none that XML allows.
std::size_t lengthOfXmlCharacter(std::string_view text) {
    const auto [code, bytes] = utf8::firstOf(text);
    return code == 0xFFFE || code == 0xFFFF ? 0 : bytes;
}

bool isNameStart(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
}
bool isNamePart(char c) {
    return isNameStart(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.';
}
bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Printable ASCII and blanks.
bool isPlain(char c) {
    return (c >= ' ' && c <= '~') || isBlank(c);
}

/// Whether `text` begins with a reference that XML knows without a document type: `&amp;`, `&#65;`, `&#x41;`.
bool isReference(std::string_view text) {
    for (const std::string_view known : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})
        if (text.starts_with(known)) return true;
    if (!text.starts_with("&#")) return false;
    const bool hexadecimal = text.size() > 2 && text[2] == 'x';
    unsigned long code = 0;
    std::size_t at = hexadecimal ? 3 : 2;
    const std::size_t begin = at;
    for (; at < text.size() && at < begin + 7; ++at) {
        const auto c = static_cast<unsigned char>(text[at]);
        if (hexadecimal ? std::isxdigit(c) == 0 : std::isdigit(c) == 0) break;
        const unsigned digit = std::isdigit(c) != 0 ? c - '0' : (std::tolower(c) - 'a') + 10U;
        code = code * (hexadecimal ? 16 : 10) + digit;
    }
    const bool allowed = code == 9 || code == 10 || code == 13 || (code >= 32 && code < 0xD800) ||
                         (code >= 0xE000 && code < 0xFFFE) || (code >= 0x10000 && code < 0x110000);
    return at > begin && at < text.size() && text[at] == ';' && allowed;
}

class Repair {
  public:
    explicit Repair(std::string_view text) : text_(text) { out_.reserve(text.size() + text.size() / 16); }

    std::string run() {
        while (!text_.empty()) {
            if (text_.starts_with("<!--"))
                copyThrough("-->");
            else if (text_.starts_with("<![CDATA["))
                copyThrough("]]>");
            else if (text_.starts_with("<?"))
                copyThrough("?>");
            else if (text_.size() > 1 && text_[0] == '<' &&
                     (isNameStart(text_[1]) || text_[1] == '/' || text_[1] == '!'))
                repairTag();
            else
                repairCharacter(text_.front());
            copyUntil([](char c) { return c == '<' || c == '&'; });
        }
        return std::move(out_);
    }

  private:
    void copy(std::size_t count) {
        out_ += text_.substr(0, count);
        text_.remove_prefix(std::min(count, text_.size()));
    }

    void copyThrough(std::string_view end) {
        const auto found = text_.find(end);
        copy(found == text_.npos ? text_.size() : found + end.size());
    }

    /// Most of the text is in order: it is copied in long pieces.
    template <class Special>
    void copyUntil(Special isSpecial) {
        copy(static_cast<std::size_t>(std::ranges::find_if(text_, isSpecial) - text_.begin()));
    }

    void repairCharacter(char c) {
        if (c == '<' || (c == '&' && !isReference(text_))) {
            out_ += c == '<' ? "&lt;" : "&amp;";
            text_.remove_prefix(1);
        } else {
            copy(1);
        }
    }

    void repairTag() {
        copy(1);
        while (true) {
            copyUntil([](char c) { return c == '>' || c == '"' || c == '\'' || c == '='; });
            if (text_.empty() || text_.front() == '>') break;
            if (text_.front() == '"' || text_.front() == '\'')
                repairQuoted(text_.front());
            else
                repairValue();
        }
        copy(1);
    }

    void repairQuoted(char quote) {
        copy(1);
        while (true) {
            copyUntil([quote](char c) { return c == quote || c == '<' || c == '&'; });
            if (text_.empty() || text_.front() == quote) break;
            repairCharacter(text_.front());
        }
        copy(1);
    }

    /// The text behind `=`, quoted or not.
    void repairValue() {
        copy(1);
        while (!text_.empty() && isBlank(text_.front())) copy(1);
        if (text_.empty() || !isNamePart(text_.front())) return;
        const auto end = std::ranges::find_if_not(text_, isNamePart);
        out_ += '"';
        copy(static_cast<std::size_t>(end - text_.begin()));
        out_ += '"';
    }

    std::string_view text_;
    std::string out_;
};

}  // namespace

std::string toXmlCharacters(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (true) {
        const auto special = std::ranges::find_if_not(text, [](char c) { return isPlain(c); });
        out.append(text.begin(), special);
        text.remove_prefix(static_cast<std::size_t>(special - text.begin()));
        if (text.empty()) return out;
        const auto lead = static_cast<unsigned char>(text.front());
        std::size_t length = 1;
        if (lead < 0x20 && !isBlank(text.front())) {
            out += ' ';
        } else if ((length = lengthOfXmlCharacter(text)) > 0) {
            out += text.substr(0, length);
        } else {
            length = 1;
            char bytes[4];
            out.append(bytes, utf8::put(bytes, lead));
        }
        text.remove_prefix(length);
    }
}

std::string repairAnchor(std::string_view text) {
    return Repair(toXmlCharacters(text)).run();
}

namespace {

class SystemWriter {
  public:
    SystemWriter(const Experiment& experiment, XmlWriter& xml)
        : system_(experiment.system),
          xml_(xml),
          processesOf_(processesByNode(system_)),
          locationsOf_(locationsByProcess(system_)),
          numbers_(system_.processes.size()) {}

    void writeTree() {
        for (const SystemNodeId root : system_.nodes.roots())
            system_.nodes.walk(
                root, [this](SystemNodeId id) { openNode(id); }, [this](SystemNodeId) { xml_.close(); });
    }

    void writeTopology(const Topology& topology) {
        const auto nameOf = [this](const auto& resource) -> ResourceName {
            if (const auto* location = std::get_if<LocationId>(&resource))
                return {"locId", location->index()};
            return {"lgId", numbers_[std::get<ProcessId>(resource).index()]};
        };
        algebra::writeTopology(topology, true, nameOf, xml_);
    }

  private:
    void openNode(SystemNodeId id) {
        const SystemNode& node = system_.nodes[id];
        xml_.open("systemtreenode", {{"Id", std::to_string(nextNode_++)}});
        xml_.text("name", node.name);
        xml_.text("class", node.className);
        if (!node.description.empty()) xml_.text("descr", node.description);
        writeAttributes(node.attributes);
        for (const ProcessId process : processesOf_[id.index()]) writeProcess(process);
    }

    void writeProcess(ProcessId id) {
        const Process& process = system_[id];
        numbers_[id.index()] = nextProcess_++;
        xml_.open("locationgroup", {{"Id", std::to_string(numbers_[id.index()])}});
        xml_.text("name", process.name);
        xml_.text("rank", std::to_string(process.rank));
        xml_.text("type", wordFor(process.type));
        writeAttributes(process.attributes);
        for (const LocationId location : locationsOf_[id.index()]) writeLocation(location);
        xml_.close();
    }

    void writeLocation(LocationId id) {
        const Location& location = system_[id];
        xml_.open("location", {{"Id", std::to_string(id.index())}});
        xml_.text("name", location.name);
        xml_.text("rank", std::to_string(location.rank));
        xml_.text("type", wordFor(location.type));
        writeAttributes(location.attributes);
        xml_.close();
    }

    void writeAttributes(const Attributes& attributes) {
        for (const auto& [key, value] : attributes) xml_.empty("attr", {{"key", key}, {"value", value}});
    }

    const SystemTree& system_;
    XmlWriter& xml_;
    std::vector<std::vector<ProcessId>> processesOf_;
    LocationGroups locationsOf_;
    std::vector<std::size_t> numbers_;  ///< by ProcessId: in the order of the document
    std::size_t nextNode_ = 0;
    std::size_t nextProcess_ = 0;
};

/// Writes what is inside `<system>`: the system tree and the topologies.
void writeSystem(const Experiment& experiment, XmlWriter& xml) {
    SystemWriter writer(experiment, xml);
    writer.writeTree();
    xml.open("topologies");
    for (const Topology& topology : experiment.topologies) writer.writeTopology(topology);
    xml.close();
}

constexpr const char* kSyntaxVersion = "Cube anchor.xml syntax version";
constexpr const char* kCubePlVersion = "CubePL Version";

std::string word(bool value) {
    return value ? "true" : "false";
}

/// 4.7 where there are accelerators, which older readers do not know.
std::string versionFor(const SystemTree& system) {
    const bool accelerators = std::ranges::any_of(system.processes,
                                                  [](const Process& process) {
                                                      return process.type == Process::Type::Accelerator;
                                                  }) ||
                              std::ranges::any_of(system.locations, [](const Location& location) {
                                  return location.type == Location::Type::AcceleratorStream;
                              });
    return accelerators ? "4.7" : "4.4";
}

class AnchorWriter {
  public:
    explicit AnchorWriter(const Experiment& experiment)
        : experiment_(experiment), callPathNumbers_(callPathNumbers(experiment.callTree)) {}

    std::string run() {
        const std::string version = versionFor(experiment_.system);
        xml_.open("cube", {{"version", version}});
        writeFileAttributes(version);
        writeMirrors();
        xml_.openSection("metrics", experiment_.metricsTitle);
        for (const MetricId root : experiment_.metrics.roots())
            experiment_.metrics.walk(
                root, [this](MetricId id) { openMetric(id); }, [this](MetricId) { xml_.close(); });
        xml_.close();
        xml_.openSection("program", experiment_.callTreeTitle);
        for (std::size_t at = 0; at < experiment_.regions.size(); ++at) writeRegion(RegionId(at));
        for (const CallPathId root : experiment_.callTree.roots())
            experiment_.callTree.walk(
                root, [this](CallPathId id) { openCallPath(id); }, [this](CallPathId) { xml_.close(); });
        xml_.close();
        xml_.openSection("system", experiment_.systemTitle);
        writeSystem(experiment_, xml_);
        xml_.close();
        xml_.close();
        return xml_.take();
    }

  private:
    void writeFileAttributes(const std::string& version) {
        bool hasCubePl = false;
        for (const auto& [key, value] : experiment_.attributes) {
            if (key == kSyntaxVersion) continue;
            hasCubePl = hasCubePl || key == kCubePlVersion;
            xml_.empty("attr", {{"key", key}, {"value", value}});
        }
        xml_.empty("attr", {{"key", kSyntaxVersion}, {"value", version}});
        if (!hasCubePl) xml_.empty("attr", {{"key", kCubePlVersion}, {"value", "1.1"}});
    }

    void writeMirrors() {
        xml_.open("doc");
        xml_.open("mirrors");
        for (const std::string& mirror : experiment_.mirrors) xml_.text("murl", mirror);
        xml_.close();
        xml_.close();
    }

    void openMetric(MetricId id) {
        const Metric& metric = experiment_.metrics[id];
        const std::string number = std::to_string(id.index());
        const std::string type(wordFor(metric.storage));
        const std::string convertible = word(metric.convertible);
        const std::string cacheable = word(metric.cacheable);
        if (metric.ghost)
            xml_.open("metric", {{"id", number},
                                 {"type", type},
                                 {"viztype", "GHOST"},
                                 {"convertible", convertible},
                                 {"cacheable", cacheable}});
        else if (metric.convertible && metric.cacheable)
            xml_.open("metric", {{"id", number}, {"type", type}});
        else
            xml_.open(
                "metric",
                {{"id", number}, {"type", type}, {"convertible", convertible}, {"cacheable", cacheable}});
        xml_.text("disp_name", metric.displayName);
        xml_.text("uniq_name", metric.uniqueName);
        xml_.text("dtype", typeNameOf(metric));
        xml_.text("uom", metric.unit);
        if (metric.isVoid) xml_.text("val", "VOID");
        xml_.text("url", metric.url);
        xml_.text("descr", metric.description);
        writeExpressions(metric);
        for (const auto& [key, value] : metric.attributes)
            xml_.empty("attr", {{"key", key}, {"value", value}});
        if (metric.origin != Origin::Measured)
            xml_.empty("attr", {{"key", std::string(kOriginAttribute)},
                                {"value", std::string(wordFor(metric.origin))}});
        if (metric.incomplete)
            xml_.empty("attr", {{"key", std::string(kIncompleteAttribute)}, {"value", "true"}});
    }

    void writeExpressions(const Metric& metric) {
        if (metric.hasValues()) return;
        if (metric.rowWise)
            xml_.text("cubepl", metric.expression);
        else
            xml_.text("cubepl", metric.expression, {{"rowwise", "false"}});
        if (!metric.initialisation.empty()) xml_.text("cubeplinit", metric.initialisation);
        for (const auto& [kind, expression] : metric.aggregations)
            xml_.text("cubeplaggr", expression, {{"cubeplaggrtype", kind}});
    }

    void writeRegion(RegionId id) {
        const Region& region = experiment_[id];
        xml_.open("region", {{"id", std::to_string(id.index())},
                             {"mod", region.module},
                             {"begin", std::to_string(region.beginLine)},
                             {"end", std::to_string(region.endLine)}});
        xml_.text("name", region.name);
        xml_.text("mangled_name", region.mangledName.empty() ? region.name : region.mangledName);
        xml_.text("paradigm", region.paradigm.empty() ? "unknown" : region.paradigm);
        xml_.text("role", region.role.empty() ? "unknown" : region.role);
        xml_.text("url", region.url);
        xml_.text("descr", region.description);
        for (const auto& [key, value] : region.attributes)
            xml_.empty("attr", {{"key", key}, {"value", value}});
        xml_.close();
    }

    void openCallPath(CallPathId id) {
        const CallPath& path = experiment_.callTree[id];
        const std::string number = std::to_string(callPathNumbers_[id.index()]);
        const std::string callee = std::to_string(path.region.index());
        if (path.line < 0 && path.module.empty())
            xml_.open("cnode", {{"id", number}, {"calleeId", callee}});
        else
            xml_.open("cnode", {{"id", number},
                                {"line", std::to_string(path.line)},
                                {"mod", path.module},
                                {"calleeId", callee}});
        for (const auto& [key, value] : path.numericParameters)
            xml_.empty("parameter",
                       {{"partype", "numeric"}, {"parkey", key}, {"parvalue", shortestText(value)}});
        for (const auto& [key, value] : path.stringParameters)
            xml_.empty("parameter", {{"partype", "string"}, {"parkey", key}, {"parvalue", value}});
        for (const auto& [key, value] : path.attributes) xml_.empty("attr", {{"key", key}, {"value", value}});
    }

    const Experiment& experiment_;
    const std::vector<std::size_t> callPathNumbers_;
    XmlWriter xml_;
};

}  // namespace

std::string writeAnchor(const Experiment& experiment) {
    return AnchorWriter(experiment).run();
}

void AnchorSection::fail(const XmlElement& at, const std::string& message) const {
    throw Error(message, Place{.file = file_, .line = at.line});
}

std::uint64_t AnchorSection::index(const XmlElement& element, std::string_view attribute) const {
    const std::string text = element.get(attribute);
    const auto value = asNumber<std::uint32_t>(text);
    if (!value || *value > 0x7FFFFFFF)
        fail(element, "<" + std::string(element.name) + "> needs a number as \"" + std::string(attribute) +
                          "\", not \"" + text + "\"");
    return *value;
}

std::int64_t AnchorSection::integer(const XmlElement& element, std::string_view text,
                                    std::int64_t otherwise) const {
    text = trimmed(text);
    if (text.empty()) return otherwise;
    const auto value = asNumber<std::int64_t>(text);
    if (!value)
        fail(element, "<" + std::string(element.name) + ">: a whole number was expected, not \"" +
                          std::string(text) + "\"");
    return *value;
}

namespace {

Anchor readDocument(const std::string& xml, const std::string& place) {
    Anchor anchor;
    SystemSection system(anchor, place);
    DocumentReader reader(anchor, place, "4", system, nullptr);
    parseXml(xml, place, reader);
    return anchor;
}

}  // namespace

Anchor readAnchor(const std::string& text, const std::string& file) {
    const std::string place = file + '/' + kAnchor;
    try {
        return readDocument(text, place);
    } catch (const Error&) {
        // Perhaps only because of what CUBE's writers leave unescaped: nothing of which is well-formed.
        return readDocument(repairAnchor(text), place);
    }
}

}  // namespace holos::algebra
