// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/perf_devices.h"

#include <linux/perf_event.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/number.h"
#include "tracing/counters/files.h"

namespace holos::counters {
namespace {

std::vector<std::string> separated(std::string_view text, char by) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(by), text.size());
        if (end > 0) parts.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

std::uint64_t* configOf(PerfEvent& event, std::string_view name) {
    if (name == "config") return &event.config;
    if (name == "config1") return &event.config1;
    return name == "config2" ? &event.config2 : nullptr;
}

/// Writes a value into the bits that a format names, the lowest first: `config:0-7,32-35`. False where the
/// text is no format, or the value has more bits.
bool place(std::uint64_t value, std::string_view format, PerfEvent& event) {
    constexpr std::uint64_t kBits = 64;
    const std::size_t colon = format.find(':');
    std::uint64_t* const config = configOf(event, format.substr(0, colon));
    if (config == nullptr || colon == std::string_view::npos) return false;
    for (const std::string& range : separated(format.substr(colon + 1), ',')) {
        const std::size_t dash = range.find('-');
        const auto first = asDecimalOrHexadecimal(std::string_view(range).substr(0, dash));
        const auto last = dash == std::string::npos ? first : asDecimalOrHexadecimal(range.substr(dash + 1));
        if (!first || !last || *first > *last || *last >= kBits) return false;
        for (std::uint64_t bit = *first; bit <= *last; ++bit, value >>= 1U)
            *config = (*config & ~(1ULL << bit)) | (value & 1U) << bit;
    }
    return value == 0;
}

/// Values of the unit that the kernel names, as whole numbers of a unit small enough for its scale.
void applyScale(const fs::path& file, PerfEvent& event) {
    const std::string unit = lineOf(file.string() + ".unit"), scaleText = lineOf(file.string() + ".scale");
    double scale = scaleText.empty() ? 1 : std::strtod(scaleText.c_str(), nullptr);
    if (!(scale > 0) || !std::isfinite(scale)) scale = 1;
    if (unit == "Joules") {
        event.unit = "nJ";
        event.factor = scale * 1e9;
    } else if (unit == "MiB") {
        event.unit = "bytes";
        event.factor = scale * 1024 * 1024;
    } else {
        event.unit = unit.empty() ? "occ" : unit;
        event.factor = std::max(scale, 1.0);
        if (scale < 1) event.unit = scaleText + ' ' + event.unit;
    }
}

/// A device, and the event that its terms make.
class Device {
  public:
    Device(fs::path folder, PerfEvent& event) : folder_(std::move(folder)), event_(event) {}

    void addTerms(std::string_view terms, bool mayNameEvent) {
        for (const std::string& term : separated(terms, ',')) {
            const std::size_t equals = term.find('=');
            const std::string name = term.substr(0, equals);
            if (equals == std::string::npos && mayNameEvent && addNamed(name)) continue;
            const auto value = equals == std::string::npos ? std::optional<std::uint64_t>(1)
                                                           : asDecimalOrHexadecimal(term.substr(equals + 1));
            if (!value) return fail("'" + term + "' has no whole number");
            if (std::uint64_t* const config = configOf(event_, name)) {
                *config = *value;
                continue;
            }
            const std::string format = isPlain(name) ? lineOf(folder_ / "format" / name) : "";
            if (format.empty())
                return fail("has neither an event nor a format '" + name + "' (see " + folder_.string() +
                            ")");
            if (!place(*value, format, event_)) return fail("'" + term + "' does not fit into " + format);
        }
    }

  private:
    static bool isPlain(const std::string& name) {
        return !name.empty() && name.find('/') == std::string::npos && name.front() != '.';
    }

    bool addNamed(const std::string& name) {
        if (!isPlain(name)) return false;
        const fs::path file = folder_ / "events" / name;
        const std::string terms = lineOf(file);
        if (terms.empty()) return false;
        addTerms(terms, false);
        applyScale(file, event_);
        return true;
    }

    void fail(const std::string& why) {
        if (event_.problem.empty()) event_.problem = folder_.filename().string() + ' ' + why;
    }

    fs::path folder_;
    PerfEvent& event_;
};

}  // namespace

std::vector<int> onlineProcessors() {
    return processorsIn(lineOf("/sys/devices/system/cpu/online"));
}

std::vector<int> processorsIn(std::string_view text) {
    constexpr std::uint64_t kMost = 65'536;
    std::vector<int> processors;
    for (const std::string& range : separated(text, ',')) {
        const std::size_t dash = range.find('-');
        const auto first = asDecimalOrHexadecimal(std::string_view(range).substr(0, dash));
        const auto last = dash == std::string::npos ? first : asDecimalOrHexadecimal(range.substr(dash + 1));
        if (!first || !last || *last >= kMost) continue;
        for (std::uint64_t cpu = *first; cpu <= *last; ++cpu) processors.push_back(static_cast<int>(cpu));
    }
    return processors;
}

std::filesystem::path devicesHere() {
    const char* const other = std::getenv("HOLOS_DEVICES");
    return other != nullptr && *other != 0 ? other : kDevices;
}

bool isDeviceEventName(std::string_view name) {
    const std::size_t first = name.find('/');
    return first != 0 && first != std::string_view::npos &&
           name.find('/', first + 1) != std::string_view::npos && name.front() != '.';
}

std::optional<PerfEvent> findDeviceEvent(const std::string& name, const fs::path& devices) {
    if (!isDeviceEventName(name)) return std::nullopt;
    const std::size_t first = name.find('/'), last = name.rfind('/');
    const fs::path folder = devices / name.substr(0, first);
    const auto type = asDecimalOrHexadecimal(lineOf(folder / "type"));
    if (!type || *type > UINT32_MAX) return std::nullopt;
    PerfEvent event{name,  "Event of the device " + name.substr(0, first),
                    "occ", static_cast<std::uint32_t>(*type),
                    0,     false};
    Device(folder, event).addTerms(std::string_view(name).substr(first + 1, last - first - 1), true);
    const std::string domains = name.substr(last + 1);
    if (!domains.empty() && !setDomains(event, domains) && event.problem.empty())
        event.problem = "'" + domains + "' names no domains: u, k and h are known";
    event.processors = processorsIn(lineOf(folder / "cpumask"));
    return event;
}

std::vector<PerfEvent> listDeviceEvents(const fs::path& devices) {
    std::vector<PerfEvent> all;
    for (const fs::path& device : entriesOf(devices))
        for (const fs::path& file : entriesOf(device / "events")) {
            if (file.has_extension() && (file.extension() == ".unit" || file.extension() == ".scale" ||
                                         file.extension() == ".snapshot" || file.extension() == ".per-pkg"))
                continue;
            const std::string name = device.filename().string() + '/' + file.filename().string() + '/';
            if (auto event = findDeviceEvent(name, devices)) all.push_back(std::move(*event));
        }
    return all;
}

std::optional<PerfEvent> findTracepoint(const std::string& name, const fs::path& events) {
    const std::size_t colon = name.find(':');
    if (colon == 0 || colon == std::string::npos || name.find('/') != std::string::npos ||
        name.front() == '.')
        return std::nullopt;
    const std::string event = name.substr(colon + 1);
    if (event.empty() || event.front() == '.') return std::nullopt;
    const auto id = asDecimalOrHexadecimal(lineOf(events / name.substr(0, colon) / event / "id"));
    if (!id) return std::nullopt;
    return PerfEvent{name, "Event of the kernel's tracing", "occ", PERF_TYPE_TRACEPOINT, *id, true};
}

}  // namespace holos::counters
