// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/cube3_parts.h"

namespace holos::algebra {
namespace {

class Cube3SystemWriter {
  public:
    Cube3SystemWriter(const Experiment& experiment, XmlWriter& xml)
        : system_(experiment.system),
          xml_(xml),
          processesOf_(system_.nodes.size()),
          locationsOf_(system_.processes.size()) {
        for (std::size_t at = 0; at < system_.processes.size(); ++at)
            processesOf_[system_.processes[at].node.index()].emplace_back(at);
        for (std::size_t at = 0; at < system_.locations.size(); ++at)
            locationsOf_[system_.locations[at].process.index()].emplace_back(at);
    }

    void writeTree() {
        for (const SystemNodeId root : system_.nodes.roots()) {
            xml_.open("machine", {{"Id", std::to_string(root.index())}});
            writeNames(system_.nodes[root].name, system_.nodes[root].description);
            for (const SystemNodeId node : system_.nodes.subtree(root))
                if (!processesOf_[node.index()].empty()) writeNode(root, node);
            xml_.close();
        }
    }

    void writeTopology(const Topology& topology) {
        xml_.open("cart", {{"name", topology.name}, {"ndims", std::to_string(topology.dimensions.size())}});
        for (const auto& [name, size, periodic] : topology.dimensions)
            xml_.empty("dim", {{"size", std::to_string(size)}, {"periodic", periodic ? "true" : "false"}});
        for (const auto& [resource, position] : topology.coordinates) {
            std::string text;
            for (const std::uint64_t place : position)
                text += (text.empty() ? "" : " ") + std::to_string(place);
            if (const auto* location = std::get_if<LocationId>(&resource))
                xml_.text("coord", text, {{"thrdId", std::to_string(location->index())}});
            else
                xml_.text("coord", text, {{"procId", std::to_string(std::get<ProcessId>(resource).index())}});
        }
        xml_.close();
    }

  private:
    void writeNames(const std::string& name, const std::string& description) {
        xml_.text("name", name);
        if (!description.empty()) xml_.text("descr", description);
    }

    void writeNode(SystemNodeId root, SystemNodeId node) {
        xml_.open("node", {{"Id", std::to_string(node.index())}});
        std::string name = system_.nodes[node].name;
        for (auto up = node == root ? std::nullopt : system_.nodes.parent(node); up && *up != root;
             up = system_.nodes.parent(*up))
            name.insert(0, system_.nodes[*up].name + '/');
        writeNames(name, system_.nodes[node].description);
        for (const ProcessId process : processesOf_[node.index()]) writeProcess(process);
        xml_.close();
    }

    void writeProcess(ProcessId id) {
        xml_.open("process", {{"Id", std::to_string(id.index())}});
        xml_.text("name", system_[id].name);
        xml_.text("rank", std::to_string(system_[id].rank));
        for (const LocationId location : locationsOf_[id.index()]) {
            xml_.open("thread", {{"Id", std::to_string(location.index())}});
            xml_.text("name", system_[location].name);
            xml_.text("rank", std::to_string(system_[location].rank));
            xml_.close();
        }
        xml_.close();
    }

    const SystemTree& system_;
    XmlWriter& xml_;
    std::vector<std::vector<ProcessId>> processesOf_;
    std::vector<std::vector<LocationId>> locationsOf_;
};

}  // namespace

void writeCube3System(const Experiment& experiment, XmlWriter& xml) {
    Cube3SystemWriter writer(experiment, xml);
    writer.writeTree();
    xml.open("topologies");
    for (const Topology& topology : experiment.topologies) writer.writeTopology(topology);
    xml.close();
}

}  // namespace holos::algebra
