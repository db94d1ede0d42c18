// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/anchor_sections.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "algebra/files/stored_values.h"
#include "base/error.h"
#include "base/text.h"

namespace holos::algebra {
namespace {

template <class Value>
using Word = std::pair<std::string_view, Value>;

// The first word of a value is the one that is written.
constexpr std::array<Word<Storage>, 7> kStorages{{{"EXCLUSIVE", Storage::Exclusive},
                                                  {"INCLUSIVE", Storage::Inclusive},
                                                  {"SIMPLE", Storage::Inclusive},
                                                  {"POSTDERIVED", Storage::PostDerived},
                                                  {"DERIVED", Storage::PostDerived},
                                                  {"PREDERIVED_INCLUSIVE", Storage::PreDerivedInclusive},
                                                  {"PREDERIVED_EXCLUSIVE", Storage::PreDerivedExclusive}}};
constexpr std::array<Word<Process::Type>, 3> kProcessTypes{{{"process", Process::Type::Process},
                                                            {"metrics", Process::Type::Metrics},
                                                            {"accelerator", Process::Type::Accelerator}}};
constexpr std::array<Word<Location::Type>, 4> kLocationTypes{
    {{"thread", Location::Type::Thread},
     {"metric", Location::Type::Metric},
     {"accelerator stream", Location::Type::AcceleratorStream},
     {"gpu", Location::Type::AcceleratorStream}}};
constexpr std::array<Word<Origin>, 4> kOrigins{{{"measured", Origin::Measured},
                                                {"composed", Origin::Composed},
                                                {"computed", Origin::Computed},
                                                {"ratio", Origin::Ratio}}};

template <class Words>
auto find(const Words& words, std::string_view word)
    -> std::optional<typename Words::value_type::second_type> {
    for (const auto& [known, value] : words)
        if (known == word) return value;
    return std::nullopt;
}

template <class Words>
std::string_view wordOf(const Words& words, typename Words::value_type::second_type value) {
    for (const auto& [known, candidate] : words)
        if (candidate == value) return known;
    return words.front().first;
}

}  // namespace

Storage storageOf(std::string_view word) {
    return find(kStorages, word).value_or(Storage::Exclusive);
}
std::string_view wordFor(Storage storage) {
    return wordOf(kStorages, storage);
}
std::optional<Process::Type> processTypeOf(std::string_view word) {
    return find(kProcessTypes, word);
}
std::string_view wordFor(Process::Type type) {
    return wordOf(kProcessTypes, type);
}
std::optional<Location::Type> locationTypeOf(std::string_view word) {
    return find(kLocationTypes, word);
}
std::string_view wordFor(Location::Type type) {
    return wordOf(kLocationTypes, type);
}
std::optional<Origin> originOf(std::string_view word) {
    return find(kOrigins, word);
}
std::string_view wordFor(Origin origin) {
    return wordOf(kOrigins, origin);
}

void writeTopology(const Topology& topology, bool namesDimensions,
                   const std::function<ResourceName(std::variant<LocationId, ProcessId>)>& nameOf,
                   XmlWriter& xml) {
    xml.open("cart", {{"name", topology.name}, {"ndims", std::to_string(topology.dimensions.size())}});
    for (const auto& [name, size, periodic] : topology.dimensions) {
        const std::string places = std::to_string(size);
        const char* const wraps = periodic ? "true" : "false";
        if (namesDimensions)
            xml.empty("dim", {{"name", name}, {"size", places}, {"periodic", wraps}});
        else
            xml.empty("dim", {{"size", places}, {"periodic", wraps}});
    }
    for (const auto& [resource, position] : topology.coordinates) {
        std::string text;
        for (const std::uint64_t place : position) text += (text.empty() ? "" : " ") + std::to_string(place);
        const auto [word, number] = nameOf(resource);
        xml.text("coord", text, {{word, std::to_string(number)}});
    }
    xml.close();
}

namespace {

struct TextField {
    std::string_view element;
    std::string Metric::*field;
};

constexpr std::array kTextFields{
    TextField{"disp_name", &Metric::displayName},
    TextField{"uom", &Metric::unit},
    TextField{"url", &Metric::url},
    TextField{"descr", &Metric::description},
    TextField{"cubepl", &Metric::expression},
    TextField{"cubeplinit", &Metric::initialisation},
};

}  // namespace

void MetricsSection::begin(const XmlElement& element) {
    if (element.name == "metric") {
        beginMetric(element);
    } else if (!open_.empty()) {
        Metric& metric = experiment_.metrics[open_.back()];
        if (element.name == "attr") addAttribute(metric, element);
        if (element.name == "cubepl") metric.rowWise = element.get("rowwise") != "false";
    }
}

void MetricsSection::beginMetric(const XmlElement& element) {
    const std::uint64_t id = ids_ == Ids::Needed ? index(element, "id") : seen_.size();
    if (!seen_.insert(id).second) fail(element, "the metric id " + std::to_string(id) + " is there twice");
    Metric metric;
    metric.storage = storageOf(element.get("type"));
    metric.ghost = element.get("viztype") == "GHOST";
    metric.convertible = element.get("convertible") != "false";
    metric.cacheable = element.get("cacheable") != "false";
    open_.push_back(experiment_.metrics.add(std::move(metric),
                                            open_.empty() ? std::nullopt : std::optional(open_.back())));
    anchor_.metricIds.push_back(id);
}

void MetricsSection::addAttribute(Metric& metric, const XmlElement& element) {
    const std::string key = element.get("key");
    const std::string value = element.get("value");
    if (key == kOriginAttribute && originOf(value))
        metric.origin = *originOf(value);
    else if (key == kIncompleteAttribute)
        metric.incomplete = value == "true";
    else
        metric.attributes.emplace_back(key, value);
}

void MetricsSection::end(const XmlElement& element, std::string&& text) {
    if (open_.empty()) return;
    if (element.name == "metric") {
        open_.pop_back();
        return;
    }
    Metric& metric = experiment_.metrics[open_.back()];
    for (const auto& [name, field] : kTextFields)
        if (element.name == name) metric.*field = text;
    if (element.name == "uniq_name") metric.uniqueName = trimmed(text);
    if (element.name == "val") metric.isVoid = trimmed(text) == "VOID";
    if (element.name == "cubeplaggr") metric.aggregations.emplace_back(element.get("cubeplaggrtype"), text);
    if (element.name == "dtype") {
        metric.typeName = trimmed(text);
        metric.valueType = valueTypeOf(metric.typeName);
    }
}

void MetricsSection::finish() {
    std::vector<cubepl::Definition> definitions;
    for (const MetricId id : experiment_.metrics.ids())
        for (const std::string* text :
             {&experiment_.metrics[id].expression, &experiment_.metrics[id].initialisation}) {
            if (text->find("cube::metric::p") == text->npos) continue;
            try {
                for (cubepl::Definition& found : cubepl::parse(*text).definitions)
                    definitions.push_back(std::move(found));
            } catch (const Error&) {
                // Is kept as it is, and named when it is to be evaluated.
            }
        }
    for (const cubepl::Definition& definition : definitions) define(definition);
}

void MetricsSection::define(const cubepl::Definition& definition) {
    using Kind = cubepl::Definition::Kind;
    if (experiment_.findMetric(definition.name)) return;
    Metric metric;
    metric.uniqueName = metric.displayName = definition.name;
    metric.ghost = true;
    metric.storage = definition.kind == Kind::PostDerived           ? Storage::PostDerived
                     : definition.kind == Kind::PreDerivedInclusive ? Storage::PreDerivedInclusive
                                                                    : Storage::PreDerivedExclusive;
    metric.expression = definition.expression;
    experiment_.metrics.add(std::move(metric));
    anchor_.metricIds.push_back(seen_.empty() ? 0 : *seen_.rbegin() + 1);
    seen_.insert(anchor_.metricIds.back());
}

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

namespace {

/// Location ids should have no gaps; every row has a place for each gap.
constexpr std::size_t kLargestGap = 4096;

}  // namespace

void SystemSection::begin(const XmlElement& element) {
    SystemTree& system = experiment_.system;
    if (element.name == "systemtreenode") {
        nodes_.push_back(system.nodes.add({}, nodes_.empty() ? std::nullopt : std::optional(nodes_.back())));
    } else if (element.name == "locationgroup") {
        if (nodes_.empty() || inProcess_) fail(element, "<locationgroup> belongs into a <systemtreenode>");
        inProcess_ = true;
        system.processes.emplace_back().node = nodes_.back();
    } else if (element.name == "location") {
        beginLocation(element);
    } else if (element.name == "attr") {
        Attributes* const into = inLocation_       ? &system.locations.back().attributes
                                 : inProcess_      ? &system.processes.back().attributes
                                 : !nodes_.empty() ? &system.nodes[nodes_.back()].attributes
                                                   : nullptr;
        if (into != nullptr) into->emplace_back(element.get("key"), element.get("value"));
    } else if (element.name == "cart") {
        experiment_.topologies.emplace_back().name = element.get("name");
    } else if (element.name == "dim") {
        addDimension(element);
    }
}

void SystemSection::beginLocation(const XmlElement& element) {
    if (!inProcess_ || inLocation_) fail(element, "<location> belongs into a <locationgroup>");
    inLocation_ = true;
    columns_.push_back(index(element, "Id"));
    if (!seen_.insert(columns_.back()))
        fail(element, "the location id " + element.get("Id") + " is there twice");
    experiment_.system.locations.emplace_back().process = ProcessId(experiment_.system.processes.size() - 1);
}

void SystemSection::end(const XmlElement& element, std::string&& text) {
    if (element.name == "coord")
        addCoordinate(element, text);
    else if (inLocation_)
        endLocation(element, std::move(text));
    else if (inProcess_)
        endProcess(element, std::move(text));
    else if (!nodes_.empty())
        endSystemNode(element, std::move(text));
}

void SystemSection::endSystemNode(const XmlElement& element, std::string&& text) {
    SystemNode& node = experiment_.system.nodes[nodes_.back()];
    if (element.name == "systemtreenode")
        nodes_.pop_back();
    else if (element.name == "name")
        node.name = std::move(text);
    else if (element.name == "class")
        node.className = std::move(text);
    else if (element.name == "descr")
        node.description = std::move(text);
}

void SystemSection::endProcess(const XmlElement& element, std::string&& text) {
    Process& process = experiment_.system.processes.back();
    if (element.name == "locationgroup") {
        inProcess_ = false;
    } else if (element.name == "name") {
        process.name = std::move(text);
    } else if (element.name == "rank") {
        process.rank = integer(element, text, 0);
    } else if (element.name == "type") {
        const auto type = processTypeOf(text);
        if (!type) fail(element, "unknown type of a location group: \"" + text + "\"");
        process.type = *type;
    }
}

void SystemSection::endLocation(const XmlElement& element, std::string&& text) {
    Location& location = experiment_.system.locations.back();
    if (element.name == "location") {
        inLocation_ = false;
    } else if (element.name == "name") {
        location.name = std::move(text);
    } else if (element.name == "rank") {
        location.rank = integer(element, text, 0);
    } else if (element.name == "type") {
        const auto type = locationTypeOf(text);
        if (!type) fail(element, "unknown type of a location: \"" + text + "\"");
        location.type = *type;
    }
}

void SystemSection::addDimension(const XmlElement& element) {
    if (experiment_.topologies.empty()) fail(element, "<dim> belongs into a <cart>");
    const std::string periodic = element.get("periodic");
    experiment_.topologies.back().dimensions.push_back(
        {element.get("name"), index(element, "size"), periodic == "true" || periodic == "1"});
}

void SystemSection::addCoordinate(const XmlElement& element, const std::string& text) {
    if (experiment_.topologies.empty()) fail(element, "<coord> belongs into a <cart>");
    auto& coordinates = experiment_.topologies.back().coordinates;
    if (element.find("locId") != nullptr) {
        pending_.push_back(
            {experiment_.topologies.size() - 1, coordinates.size(), index(element, "locId"), element});
        coordinates.push_back({LocationId(), position(element, text)});
    } else if (element.find("lgId") != nullptr) {
        const ProcessId process(index(element, "lgId"));
        if (process.index() >= experiment_.system.processes.size())
            fail(element, "there is no location group " + element.get("lgId"));
        coordinates.push_back({process, position(element, text)});
    }
    // Places of system tree nodes (stnId) are left out: CUBE's own reader cannot take them.
}

std::vector<std::uint64_t> SystemSection::position(const XmlElement& element, const std::string& text) const {
    const auto& dimensions = experiment_.topologies.back().dimensions;
    std::vector<std::uint64_t> found;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (true) {
        at = std::find_if(at, end, [](char c) { return c > ' '; });
        if (at == end) break;
        std::uint64_t value = 0;
        const auto result = std::from_chars(at, end, value);
        if (result.ptr == at || found.size() >= dimensions.size() || value >= dimensions[found.size()].size)
            fail(element, "coordinates \"" + text + "\" do not fit the topology's dimensions");
        found.push_back(value);
        at = result.ptr;
    }
    if (found.size() != dimensions.size())
        fail(element, "coordinates \"" + text + "\" do not fit the topology's dimensions");
    return found;
}

void SystemSection::sortLocations() {
    std::vector<std::size_t> order(columns_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return columns_[a] < columns_[b]; });
    std::vector<Location> sorted;
    sorted.reserve(order.size());
    for (const std::size_t from : order) sorted.push_back(std::move(experiment_.system.locations[from]));
    experiment_.system.locations = std::move(sorted);
    std::ranges::sort(columns_);
}

void SystemSection::finish() {
    if (!std::ranges::is_sorted(columns_)) sortLocations();
    anchor_.columns = columns_;
    if (!columns_.empty() && anchor_.columns.back() > kLargestGap + 2 * columns_.size())
        throw Error("the location id " + std::to_string(anchor_.columns.back()) + " is too large for " +
                        std::to_string(columns_.size()) + " locations: rows would consist of gaps",
                    Place{.file = file()});

    for (const auto& [topology, coordinate, column, element] : pending_) {
        const auto found = std::ranges::lower_bound(anchor_.columns, column);
        if (found == anchor_.columns.end() || *found != column)
            fail(element, "there is no location " + std::to_string(column));
        experiment_.topologies[topology].coordinates[coordinate].resource =
            LocationId(static_cast<std::size_t>(found - anchor_.columns.begin()));
    }
}

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
