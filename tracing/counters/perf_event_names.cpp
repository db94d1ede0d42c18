// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/perf_event_names.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <system_error>

#include "base/descriptor.h"
#include "base/number.h"
#include "tracing/counters/files.h"

namespace holos::counters {
namespace {

constexpr std::uint64_t cache(std::uint64_t which, std::uint64_t operation, std::uint64_t result) {
    return which | operation << 8 | result << 16;
}

std::vector<PerfEvent> makeNames() {
    const auto software = [](const char* name, const char* text, std::uint64_t code, const char* unit = "occ",
                             bool kernelOnly = false) {
        return PerfEvent{name, text, unit, PERF_TYPE_SOFTWARE, code, kernelOnly};
    };
    const auto hardware = [](const char* name, const char* text, std::uint64_t code) {
        return PerfEvent{name, text, "occ", PERF_TYPE_HARDWARE, code, false};
    };
    const auto cached = [](const char* name, const char* text, std::uint64_t which, std::uint64_t operation,
                           std::uint64_t result) {
        return PerfEvent{name, text, "occ", PERF_TYPE_HW_CACHE, cache(which, operation, result), false};
    };
    constexpr auto kRead = PERF_COUNT_HW_CACHE_OP_READ;
    constexpr auto kWrite = PERF_COUNT_HW_CACHE_OP_WRITE;
    constexpr auto kAccess = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
    constexpr auto kMiss = PERF_COUNT_HW_CACHE_RESULT_MISS;
    return {
        software("page-faults", "Page faults", PERF_COUNT_SW_PAGE_FAULTS),
        software("minor-faults", "Page faults served without a disk", PERF_COUNT_SW_PAGE_FAULTS_MIN),
        software("major-faults", "Page faults served from a disk", PERF_COUNT_SW_PAGE_FAULTS_MAJ),
        software("context-switches", "Times the thread left its processor", PERF_COUNT_SW_CONTEXT_SWITCHES,
                 "occ", true),
        software("cpu-migrations", "Times the thread moved to another processor",
                 PERF_COUNT_SW_CPU_MIGRATIONS, "occ", true),
        software("task-clock", "Time of the thread on a processor", PERF_COUNT_SW_TASK_CLOCK, "ns"),
        software("cpu-clock", "Time of the thread on a processor, by the processor's clock",
                 PERF_COUNT_SW_CPU_CLOCK, "ns"),
        software("alignment-faults", "Unaligned accesses that the kernel completed",
                 PERF_COUNT_SW_ALIGNMENT_FAULTS),
        software("emulation-faults", "Instructions that the kernel emulated", PERF_COUNT_SW_EMULATION_FAULTS),
        hardware("cycles", "Processor cycles", PERF_COUNT_HW_CPU_CYCLES),
        hardware("instructions", "Completed instructions", PERF_COUNT_HW_INSTRUCTIONS),
        hardware("ref-cycles", "Cycles at a constant rate", PERF_COUNT_HW_REF_CPU_CYCLES),
        hardware("cache-references", "Accesses to the last cache", PERF_COUNT_HW_CACHE_REFERENCES),
        hardware("cache-misses", "Misses in the last cache", PERF_COUNT_HW_CACHE_MISSES),
        hardware("branches", "Completed branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS),
        hardware("branch-misses", "Wrongly predicted branches", PERF_COUNT_HW_BRANCH_MISSES),
        hardware("stalled-cycles-frontend", "Cycles without an instruction to begin",
                 PERF_COUNT_HW_STALLED_CYCLES_FRONTEND),
        hardware("stalled-cycles-backend", "Cycles without a unit or operand",
                 PERF_COUNT_HW_STALLED_CYCLES_BACKEND),
        cached("L1-dcache-loads", "Loads from the first data cache", PERF_COUNT_HW_CACHE_L1D, kRead, kAccess),
        cached("L1-dcache-load-misses", "Loads that miss the first data cache", PERF_COUNT_HW_CACHE_L1D,
               kRead, kMiss),
        cached("L1-dcache-stores", "Stores to the first data cache", PERF_COUNT_HW_CACHE_L1D, kWrite,
               kAccess),
        cached("L1-icache-load-misses", "Fetches that miss the first instruction cache",
               PERF_COUNT_HW_CACHE_L1I, kRead, kMiss),
        cached("LLC-loads", "Loads from the last cache", PERF_COUNT_HW_CACHE_LL, kRead, kAccess),
        cached("LLC-load-misses", "Loads that miss the last cache", PERF_COUNT_HW_CACHE_LL, kRead, kMiss),
        cached("dTLB-loads", "Loads translated by the data TLB", PERF_COUNT_HW_CACHE_DTLB, kRead, kAccess),
        cached("dTLB-load-misses", "Loads that miss the data TLB", PERF_COUNT_HW_CACHE_DTLB, kRead, kMiss),
        cached("iTLB-load-misses", "Fetches that miss the instruction TLB", PERF_COUNT_HW_CACHE_ITLB, kRead,
               kMiss),
    };
}

/// A named or a raw event, without domains.
std::optional<PerfEvent> findNamed(const std::string& name) {
    const auto& all = namedPerfEvents();
    const auto at = std::find_if(all.begin(), all.end(), [&](const PerfEvent& e) { return e.name == name; });
    if (at != all.end()) return *at;
    if (name.size() < 2 || name.front() != 'r') return std::nullopt;
    const auto code = asNumber<std::uint64_t>(std::string_view(name).substr(1), 16);
    if (!code) return std::nullopt;
    return PerfEvent{name, "Raw event of the processor", "occ", PERF_TYPE_RAW, *code, false};
}

/// Where the kernel's tracing shows its events, newer kernels first.
constexpr const char* kTracepoints[] = {"/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events"};

}  // namespace

const std::vector<PerfEvent>& namedPerfEvents() {
    static const auto* names = new std::vector<PerfEvent>(makeNames());
    return *names;
}

bool setDomains(PerfEvent& event, std::string_view letters) {
    constexpr std::string_view kLetters = "ukh";
    unsigned domains = 0;
    for (const char letter : letters) {
        const std::size_t at = kLetters.find(letter);
        if (at == std::string_view::npos) return false;
        domains |= 1U << at;
    }
    if (domains == 0) return false;
    event.domains = domains;
    if (event.kernelOnly && (domains & kKernel) == 0)
        event.problem = "it happens in the kernel alone, which is not among its domains";
    return true;
}

std::optional<PerfEvent> findPerfEvent(const std::string& name) {
    if (auto event = findBreakpoint(name)) return event;
    if (auto event = findOfControlGroup(name)) return event;
    if (auto event = findOfProcessors(name)) return event;
    const std::size_t colon = name.find(':');
    if (auto event = findNamed(name.substr(0, colon))) {
        event->name = name;
        if (colon == std::string::npos || setDomains(*event, std::string_view(name).substr(colon + 1)))
            return event;
        return std::nullopt;
    }
    if (auto event = findDeviceEvent(name, kDevices)) return event;
    for (const char* events : kTracepoints)
        if (auto event = findTracepoint(name, events)) return event;
    return std::nullopt;
}

namespace {

constexpr std::string_view kPrefix = "mem:";

/// The bits of the kernel for letters such as `rw`; 0 for others.
std::uint32_t kindsIn(std::string_view letters) {
    std::uint32_t kinds = 0;
    for (const char letter : letters) {
        if (letter != 'r' && letter != 'w' && letter != 'x') return 0;
        kinds |= letter == 'r' ? HW_BREAKPOINT_R : letter == 'w' ? HW_BREAKPOINT_W : HW_BREAKPOINT_X;
    }
    return kinds;
}

std::string_view partOf(std::string_view& text, char end) {
    const std::size_t at = std::min(text.find(end), text.size());
    const std::string_view part = text.substr(0, at);
    text.remove_prefix(std::min(at + 1, text.size()));
    return part;
}

/// Whether a breakpoint counts a write; true where none can be set, which has reasons of its own.
bool countsAWrite() {
    static volatile std::uint64_t variable = 0;
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_BREAKPOINT;
    attributes.bp_type = HW_BREAKPOINT_W;
    attributes.bp_addr = reinterpret_cast<std::uint64_t>(&variable);
    attributes.bp_len = sizeof variable;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    const Descriptor file(
        static_cast<int>(::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
    variable = variable + 1;
    std::uint64_t count = 0;
    return !file || ::read(file.number(), &count, sizeof count) != sizeof count || count != 0;
}

}  // namespace

bool breakpointsCount() {
    static const bool doCount = countsAWrite();
    return doCount;
}

std::optional<PerfEvent> findBreakpoint(const std::string& name) {
    constexpr std::uint64_t kUsualBytes = 4;
    std::string_view rest = name;
    if (!rest.starts_with(kPrefix)) return std::nullopt;
    rest.remove_prefix(kPrefix.size());
    std::string_view place = partOf(rest, ':');
    const auto address = asDecimalOrHexadecimal(partOf(place, '/'));
    const auto bytes = place.empty() ? std::optional(kUsualBytes) : asDecimalOrHexadecimal(place);
    const std::string_view letters = partOf(rest, ':');
    std::uint32_t kinds = kindsIn(letters);
    PerfEvent event{name, "Accesses to a place in memory", "occ", PERF_TYPE_BREAKPOINT, 0, false};
    if (letters.empty()) kinds = HW_BREAKPOINT_RW;
    const bool isOfCode = (kinds & HW_BREAKPOINT_X) != 0;
    const bool isLength = bytes && std::has_single_bit(*bytes) && *bytes <= sizeof(std::uint64_t);
    if (!address || !isLength || kinds == 0)
        event.problem =
            "expected mem:ADDRESS or mem:ADDRESS/BYTES with 1, 2, 4 or 8 bytes, and optionally :r, :w, :rw "
            "or :x after it";
    event.breakpoint = kinds;
    event.config1 = address.value_or(0);
    event.config2 = isOfCode ? sizeof(long) : bytes.value_or(0);  // which the kernel wants there
    if (!rest.empty() && !setDomains(event, rest))
        event.problem = "unknown domains '" + std::string(rest) + "'";
    return event;
}

fs::path controlGroupFolder(const fs::path& root, const std::string& group) {
    std::error_code error;
    const bool isOfVersion2 = fs::exists(root / "cgroup.controllers", error);
    const std::size_t begin = std::min(group.find_first_not_of('/'), group.size());
    const fs::path folder = (isOfVersion2 ? root : root / "perf_event") / group.substr(begin);
    return fs::is_directory(folder, error) ? folder : fs::path();
}

std::optional<PerfEvent> findOfControlGroup(const std::string& name) {
    constexpr const char* kGroups = "/sys/fs/cgroup";
    const std::size_t at = name.find("@/");
    if (at == std::string::npos) return std::nullopt;
    auto event = findPerfEvent(name.substr(0, at));
    if (!event) return std::nullopt;
    if (!event->processors.empty() && event->problem.empty())
        event->problem = "a device counts for everybody, not for a control group";
    event->name = name;
    event->controlGroup = controlGroupFolder(kGroups, name.substr(at + 1)).string();
    event->processors = onlineProcessors();
    if (event->controlGroup.empty() && event->problem.empty())
        event->problem = "there is no control group " + name.substr(at + 1) + " for perf below " + kGroups;
    return event;
}

std::optional<PerfEvent> findOfProcessors(const std::string& name) {
    constexpr std::string_view kMark = "@cpu";
    const std::size_t at = name.rfind(kMark);
    const std::string list = at == std::string::npos ? "" : name.substr(at + kMark.size());
    if (list.empty() || list.find_first_not_of("0123456789,-") != std::string::npos) return std::nullopt;
    auto event = findPerfEvent(name.substr(0, at));
    if (!event) return std::nullopt;
    if (!event->processors.empty() && event->problem.empty())
        event->problem = "a device counts on processors of its own";
    event->name = name;
    event->processors = processorsIn(list);
    const std::vector<int> online = onlineProcessors();
    for (const int processor : event->processors)
        if (std::ranges::find(online, processor) == online.end() && event->problem.empty())
            event->problem = "there is no processor " + std::to_string(processor) + " that is online";
    if (event->processors.empty()) event->problem = "names no processor";
    return event;
}

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
