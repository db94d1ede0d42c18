// SPDX-License-Identifier: BSD-3-Clause
#include "tests/unit/specs/event_table.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#ifdef HOLOS_HAVE_LIBPFM
#include <perfmon/pfmlib.h>
#endif

namespace holos::specs {

EventTable listedEvents(const std::string& name) {
    std::ifstream file(std::string(HOLOS_EVENTS_DIR) + '/' + name + ".txt");
    EventTable table;
    std::string word;
    std::size_t general = 0;
    std::size_t further = 0;
    if (!(file >> word >> general >> further))
        throw std::runtime_error("no list of events of '" + name + "' in " HOLOS_EVENTS_DIR);
    table.counters = general + further;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string event;
        if (!(words >> event)) continue;
        std::uint64_t& allowed = table.names[event];
        for (std::string number; std::getline(words >> std::ws, number, ',');)
            allowed |= std::uint64_t{1} << std::stoul(number);
    }
    return table;
}

#ifdef HOLOS_HAVE_LIBPFM

bool libpfmWorks() {
    static const bool works = [] {
        setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
        return pfm_initialize() == PFM_SUCCESS;
    }();
    return works;
}

std::optional<std::size_t> libpfmCounters(const std::string& pmu) {
    for (int i = 0; i < PFM_PMU_MAX; ++i) {
        pfm_pmu_info_t info{};
        info.size = sizeof(info);
        if (pfm_get_pmu_info(static_cast<pfm_pmu_t>(i), &info) == PFM_SUCCESS && pmu == info.name)
            return static_cast<std::size_t>(info.num_cntrs) + static_cast<std::size_t>(info.num_fixed_cntrs);
    }
    return std::nullopt;
}

bool libpfmKnows(const std::string& pmu, const std::string& event) {
    const std::string name = event.find("::") == std::string::npos ? pmu + "::" + event : event;
    std::uint64_t* codes = nullptr;
    int count = 0;
    const int result = pfm_get_event_encoding(name.c_str(), PFM_PLM3, nullptr, nullptr, &codes, &count);
    std::free(codes);
    return result == PFM_SUCCESS;
}

#else

bool libpfmWorks() {
    return false;
}
std::optional<std::size_t> libpfmCounters(const std::string&) {
    return std::nullopt;
}
bool libpfmKnows(const std::string&, const std::string&) {
    return false;
}

#endif

}  // namespace holos::specs
