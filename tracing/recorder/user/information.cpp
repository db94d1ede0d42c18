// SPDX-License-Identifier: BSD-3-Clause
// What a program can ask about counters, the machine and itself, without counting anything.
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metric-specs/processor.h"
#include "tracing/counters/perf_event_names.h"
#include "tracing/counters/perf_page.h"
#include "tracing/counters/selection.h"
#include "tracing/recorder/user/failure.h"
#include "tracing/recorder/user/include/holos/counters.h"

using holos::user::Call;
using holos::user::fail;

namespace {

namespace fs = std::filesystem;
using holos::counters::Counter;
using holos::counters::Source;

/// As much of it as there is room for, with the end of text.
template <std::size_t room>
void put(char (&into)[room], std::string_view text) {
    const std::size_t size = std::min(text.size(), room - 1);
    std::memcpy(into, text.data(), size);
    std::memset(into + size, '\0', room - size);
}

/// A source, or the component of one that has such.
struct Part {
    std::string name;
    std::string description;
    std::string unavailable;
    holos::counters::Scope scope;
    std::vector<Counter> counters;
};

std::string_view componentIn(std::string_view counter) {
    const auto end = counter.find(":::");
    return end == counter.npos ? std::string_view() : counter.substr(0, end);
}

void addParts(const Source& source, std::vector<Part>& parts) {
    const std::size_t first = parts.size();
    for (const auto& [name, description, unavailable] : source.components())
        parts.push_back({name, description, unavailable, source.scope(), {}});
    if (parts.size() == first)
        parts.push_back({source.name(), source.name(), source.unavailable(), source.scope(), {}});
    for (Counter& counter : source.list()) {
        // What names no component is of the first one, the processor's.
        const std::string_view component = componentIn(counter.name);
        const auto part = std::ranges::find(parts.begin() + static_cast<std::ptrdiff_t>(first), parts.end(),
                                            component, &Part::name);
        (part != parts.end() ? *part : parts[first]).counters.push_back(std::move(counter));
    }
}

/// As they were at the first call. Throws where they cannot be listed.
const std::vector<Part>& allParts() {
    static std::mutex listing;
    static std::unique_ptr<const std::vector<Part>> known;
    const std::lock_guard lock(listing);
    if (!known) {
        auto found = std::make_unique<std::vector<Part>>();
        for (const Source* const source : holos::counters::sources()) addParts(*source, *found);
        known = std::move(found);
    }
    return *known;
}

const Part& partAt(int index) {
    const std::vector<Part>& parts = allParts();
    if (index < 0 || static_cast<std::size_t>(index) >= parts.size())
        throw std::out_of_range("there is no component " + std::to_string(index) + " of " +
                                std::to_string(parts.size()));
    return parts[static_cast<std::size_t>(index)];
}

/// -1 with the reason where `work` throws.
template <class Work>
int tried(const Work& work) {
    try {
        return work();
    } catch (const std::exception& error) {
        return fail(error.what());
    }
}

void putCounter(const Counter& counter, holos::counters::Scope scope, holos_counter& into) {
    put(into.name, counter.name);
    put(into.description, counter.description);
    put(into.unit, counter.unit);
    put(into.unavailable, counter.unavailable);
    into.scope = static_cast<int>(scope);
    into.is_state = counter.mode == holos::counters::Mode::Absolute ? 1 : 0;
}

/// The whole of a small file of the kernel without the end of its line; empty where there is none.
std::string textOf(const fs::path& file) {
    std::ifstream stream(file);
    std::string text;
    std::getline(stream, text);
    return text;
}

/// How many folders `prefixN` there are.
int foldersOf(const fs::path& folder, std::string_view prefix) {
    int number = 0;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        number += name.size() > prefix.size() && name.starts_with(prefix) &&
                          name.find_first_not_of("0123456789", prefix.size()) == name.npos
                      ? 1
                      : 0;
    }
    return number;
}

/// Sockets and cores of the processors that are there; of some machines nobody knows.
void countCores(holos_hardware& hardware) {
    const fs::path processors = "/sys/devices/system/cpu";
    std::set<std::string> sockets;
    std::set<std::pair<std::string, std::string>> cores;
    for (int cpu = 0; cpu < foldersOf(processors, "cpu"); ++cpu) {
        const fs::path topology = processors / ("cpu" + std::to_string(cpu)) / "topology";
        const std::string socket = textOf(topology / "physical_package_id");
        if (socket.empty()) continue;
        sockets.insert(socket);
        cores.emplace(socket, textOf(topology / "core_id"));
    }
    hardware.sockets = static_cast<int>(std::max<std::size_t>(sockets.size(), 1));
    hardware.cores = static_cast<int>(cores.size());
}

long long sizeInBytes(const char* fact) {
    std::ifstream file("/proc/meminfo");
    constexpr long long kKibi = 1024;
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(fact))
            return std::strtoll(line.c_str() + std::strlen(fact) + 1, nullptr, 10) * kKibi;
    return 0;
}

void describeMachine(holos_hardware& hardware) {
    const holos::specs::Processor processor = holos::specs::thisProcessor();
    put(hardware.vendor, processor.vendor);
    put(hardware.model, processor.name);
    hardware.family = static_cast<int>(processor.family.value_or(0));
    hardware.model_number = static_cast<int>(processor.model.value_or(0));
    hardware.stepping = static_cast<int>(processor.stepping.value_or(0));
    constexpr double kMega = 1e6;
    hardware.megahertz = processor.hertz.value_or(0) / kMega;
    hardware.processors = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
    countCores(hardware);
    hardware.memory_nodes = std::max(foldersOf("/sys/devices/system/node", "node"), 1);
    hardware.memory = sizeInBytes("MemTotal");
    hardware.page = ::sysconf(_SC_PAGESIZE);
}

/// The program itself is the first object that the loader names.
int describeSegments(dl_phdr_info* object, std::size_t, void* data) {
    auto& program = *static_cast<holos_executable*>(data);
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const auto& segment = object->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD) continue;
        char* const begin = std::bit_cast<char*>(std::uintptr_t{object->dlpi_addr + segment.p_vaddr});
        char* const endOfFile = begin + segment.p_filesz;
        char* const end = begin + segment.p_memsz;
        if ((segment.p_flags & PF_X) != 0) {
            if (program.text_begin == nullptr) program.text_begin = begin;
            program.text_end = end;
        } else if ((segment.p_flags & PF_W) != 0) {
            if (program.data_begin == nullptr) program.data_begin = begin;
            program.data_end = endOfFile;
            program.bss_begin = endOfFile;
            program.bss_end = end;
        }
    }
    return 1;
}

/// Events of the processor in one group, which the kernel takes only if there are registers for all of them.
class Registers {
  public:
    Registers() = default;
    Registers(const Registers&) = delete;
    Registers& operator=(const Registers&) = delete;
    ~Registers() {
        for (const int file : files_) ::close(file);
    }

    /// False where there is no further one.
    bool takeOne() {
        // No processor has a register of its own for branches.
        const auto event = holos::counters::findPerfEvent("branches");
        if (!event) return false;
        const int file =
            holos::counters::openPerfEvent(*event, {.leader = files_.empty() ? -1 : files_.front()});
        if (file < 0)
            why_ = holos::counters::reasonNotToOpen(-file, *event);
        else
            files_.push_back(file);
        return file >= 0;
    }
    const std::string& why() const { return why_; }
    int taken() const { return static_cast<int>(files_.size()); }

  private:
    std::vector<int> files_;
    std::string why_;
};

}  // namespace

HOLOS_EXPORTED int holos_counters_query(const char* name) {
    const Call call;
    return tried([name] {
        if (name == nullptr || *name == '\0') throw std::runtime_error("no counter is named");
        const holos::counters::Selection known({name});
        return known.empty() ? -1 : 0;
    });
}

HOLOS_EXPORTED int holos_counters_describe(const char* name, holos_counter* counter) {
    const Call call;
    return tried([&] {
        for (const Source* const source : holos::counters::sources())
            if (const auto found = source->find(name != nullptr ? name : "")) {
                putCounter(*found, source->scope(), *counter);
                return 0;
            }
        throw std::runtime_error(
            std::string(name != nullptr ? name : "") +
            ": no counter has this name; 'holos counters list' shows those of this machine");
    });
}

HOLOS_EXPORTED int holos_counters_components() {
    const Call call;
    return tried([] { return static_cast<int>(allParts().size()); });
}

HOLOS_EXPORTED int holos_counters_component(int index, holos_component* component) {
    const Call call;
    return tried([&] {
        const Part& part = partAt(index);
        put(component->name, part.name);
        put(component->description, part.description);
        put(component->unavailable, part.unavailable);
        component->scope = static_cast<int>(part.scope);
        component->counters = static_cast<int>(part.counters.size());
        return 0;
    });
}

HOLOS_EXPORTED int holos_counters_listed(int component, int index, holos_counter* counter) {
    const Call call;
    return tried([&] {
        const Part& part = partAt(component);
        if (index < 0 || static_cast<std::size_t>(index) >= part.counters.size())
            throw std::out_of_range(part.name + ": has no counter " + std::to_string(index) + " of " +
                                    std::to_string(part.counters.size()));
        putCounter(part.counters[static_cast<std::size_t>(index)], part.scope, *counter);
        return 0;
    });
}

HOLOS_EXPORTED int holos_counters_registers() {
    const Call call;
    constexpr int kMost = 64;
    Registers registers;
    while (registers.taken() < kMost && registers.takeOne()) continue;
    if (registers.taken() > 0) return registers.taken();
    return fail("no event of the processor can be counted here: " + registers.why());
}

HOLOS_EXPORTED int holos_hardware_info(holos_hardware* hardware) {
    const Call call;
    return tried([hardware] {
        *hardware = {};
        describeMachine(*hardware);
        return 0;
    });
}

HOLOS_EXPORTED int holos_executable_info(holos_executable* program) {
    const Call call;
    return tried([program] {
        *program = {};
        const fs::path path = fs::read_symlink("/proc/self/exe");
        put(program->path, path.string());
        put(program->name, path.filename().string());
        ::dl_iterate_phdr(describeSegments, program);
        return 0;
    });
}
