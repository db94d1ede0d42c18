// SPDX-License-Identifier: BSD-3-Clause
// Energy that parts of the machine used, as the kernel's powercap drivers show it (Intel's and AMD's RAPL).
#include "tracing/counters/files.h"

namespace holos::counters {
namespace {

/// A part such as `package-0`, and below it its own parts, such as `dram`.
void addZone(const fs::path& zone, const std::string& above, std::vector<FileValue>& all) {
    const std::string name = above + '_' + lineOf(zone / "name");
    const fs::path file = zone / "energy_uj";
    std::error_code error;
    if (!fs::exists(file, error)) return;
    FileValue value{{name, "Energy used by " + name.substr(name.find('_') + 1), "uJ", Mode::Accumulated, ""},
                    file};
    if (const auto largest = valueOf({{}, zone / "max_energy_range_uj"})) value.period = *largest + 1;
    all.push_back(std::move(value));
    const std::string own = zone.filename().string() + ':';
    for (const auto& part : entriesOf(zone))
        if (part.filename().string().starts_with(own)) addZone(part, name, all);
}

}  // namespace

std::vector<FileValue> energyIn(const fs::path& folder) {
    std::vector<FileValue> all;
    for (const auto& zone : entriesOf(folder)) {
        const std::string name =
            zone.filename().string();  // `intel-rapl:0`; the parts `intel-rapl:0:1` come below
        if (const auto first = name.find(':');
            first != std::string::npos && name.find(':', first + 1) == std::string::npos)
            addZone(zone, "energy", all);
    }
    return all;
}

const Source& energy() {
    static const auto* source =
        new FileSource({"energy of the node", Scope::Node, [] { return energyIn("/sys/class/powercap"); },
                        "the kernel shows no energy in /sys/class/powercap (a virtual machine has none)"});
    return *source;
}

}  // namespace holos::counters
