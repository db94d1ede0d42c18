// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <charconv>
#include <numeric>

#include "algebra/files/anchor_names.h"
#include "algebra/files/anchor_sections.h"
#include "base/error.h"

namespace holos::algebra {
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

}  // namespace holos::algebra
