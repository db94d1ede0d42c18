// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cctype>

#include "tracing/counters/files.h"

// Sensors of the machine, as the kernel's hwmon drivers show them (and lm-sensors reads them).
namespace holos::counters {
namespace {

struct Kind {
    const char* prefix;  ///< of files `temp1_input`, `temp2_input`, …
    const char* suffix;
    const char* description;
    const char* unit;
    Mode mode;
};
constexpr std::array<Kind, 6> kKinds{{
    {"temp", "_input", "Temperature", "mdegC", Mode::Absolute},
    {"fan", "_input", "Speed of a fan", "rpm", Mode::Absolute},
    {"in", "_input", "Voltage", "mV", Mode::Absolute},
    {"curr", "_input", "Current", "mA", Mode::Absolute},
    {"power", "_input", "Power", "uW", Mode::Absolute},
    {"energy", "_input", "Energy", "uJ", Mode::Accumulated},
}};

const Kind* kindOf(const std::string& file) {
    for (const Kind& kind : kKinds) {
        const std::string prefix = kind.prefix;
        if (file.starts_with(prefix) && file.ends_with(kind.suffix) && file.size() > prefix.size() &&
            std::isdigit(static_cast<unsigned char>(file[prefix.size()])) != 0)
            return &kind;
    }
    return nullptr;
}

/// Names of counters are separated by commas and stand in specifications: letters, digits and a few others.
std::string asName(std::string text) {
    for (char& c : text)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '.') c = '_';
    return text;
}

void addChip(const fs::path& chip, std::vector<FileValue>& all) {
    const std::string name = asName(chip.filename().string() + '_' + lineOf(chip / "name"));
    for (const auto& file : entriesOf(chip)) {
        const std::string fileName = file.filename().string();
        const Kind* kind = kindOf(fileName);
        if (kind == nullptr) continue;
        const std::string sensor = fileName.substr(0, fileName.find('_'));
        const std::string label = lineOf(chip / (sensor + "_label"));
        const std::string description = kind->description + (label.empty() ? "" : ": " + label);
        all.push_back({{name + '_' + sensor, description, kind->unit, kind->mode, ""}, file});
    }
}

}  // namespace

std::vector<FileValue> sensorsIn(const fs::path& folder) {
    std::vector<FileValue> all;
    for (const auto& chip : entriesOf(folder)) addChip(chip, all);
    return all;
}

const Source& sensors() {
    static const auto* source =
        new FileSource({"sensors of the node", Scope::Node, [] { return sensorsIn("/sys/class/hwmon"); },
                        "the kernel shows no sensors in /sys/class/hwmon (a virtual machine has none)"});
    return *source;
}

// Energy that parts of the machine used, as the kernel's powercap drivers show it (Intel's and AMD's RAPL).

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
