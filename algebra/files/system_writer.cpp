// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/system_writer.h"

#include "algebra/files/anchor_names.h"

namespace holos::algebra {
namespace {

class SystemWriter {
  public:
    SystemWriter(const Experiment& experiment, XmlWriter& xml)
        : system_(experiment.system),
          xml_(xml),
          processesOf_(system_.nodes.size()),
          locationsOf_(system_.processes.size()),
          numbers_(system_.processes.size()) {
        for (std::size_t at = 0; at < system_.processes.size(); ++at)
            processesOf_[system_.processes[at].node.index()].push_back(ProcessId(at));
        for (std::size_t at = 0; at < system_.locations.size(); ++at)
            locationsOf_[system_.locations[at].process.index()].push_back(LocationId(at));
    }

    void writeTree() {
        for (const SystemNodeId root : system_.nodes.roots())
            system_.nodes.walk(
                root, [this](SystemNodeId id) { openNode(id); }, [this](SystemNodeId) { xml_.close(); });
    }

    void writeTopology(const Topology& topology) {
        xml_.open("cart", {{"name", topology.name}, {"ndims", std::to_string(topology.dimensions.size())}});
        for (const auto& [name, size, periodic] : topology.dimensions)
            xml_.empty(
                "dim",
                {{"name", name}, {"size", std::to_string(size)}, {"periodic", periodic ? "true" : "false"}});
        for (const auto& [resource, position] : topology.coordinates) {
            std::string text;
            for (const std::uint64_t place : position)
                text += (text.empty() ? "" : " ") + std::to_string(place);
            if (const auto* location = std::get_if<LocationId>(&resource))
                xml_.text("coord", text, {{"locId", std::to_string(location->index())}});
            else
                xml_.text("coord", text,
                          {{"lgId", std::to_string(numbers_[std::get<ProcessId>(resource).index()])}});
        }
        xml_.close();
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
    std::vector<std::vector<LocationId>> locationsOf_;
    std::vector<std::size_t> numbers_;  ///< by ProcessId: in the order of the document
    std::size_t nextNode_ = 0;
    std::size_t nextProcess_ = 0;
};

}  // namespace

void writeSystem(const Experiment& experiment, XmlWriter& xml) {
    SystemWriter writer(experiment, xml);
    writer.writeTree();
    xml.open("topologies");
    for (const Topology& topology : experiment.topologies) writer.writeTopology(topology);
    xml.close();
}

}  // namespace holos::algebra
