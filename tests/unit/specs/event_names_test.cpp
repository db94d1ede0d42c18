// SPDX-License-Identifier: BSD-3-Clause
// Every native event of a platform file is one that libpfm4 knows, under its own name or another that the
// file declares; and no file has more registers than the processor.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "metric-specs/library.h"
#include "metric-specs/trace_metrics.h"
#include "tests/unit/specs/event_table.h"

namespace holos::specs {
namespace {

struct Case {
    const char* platform;
    const char* table;
    /// Names that stand in formulas and are no events: the paper's placeholders for what no counter counts.
    std::set<std::string> placeholders = {};
};

std::string nameOf(const ::testing::TestParamInfo<Case>& info) {
    std::string name = info.param.platform;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

/// Names that Linux gives to common events (perf_event_open(2), sysfs), which libpfm4 does not list.
bool isKernelName(const std::string& name) {
    return name == "cycles" || name == "cpu-cycles" || name == "instructions" || name == "slots";
}

std::vector<std::string> namesOf(const Specification& specification, const std::string& event) {
    std::vector<std::string> names{event};
    if (const auto other = specification.otherNames.find(event); other != specification.otherNames.end())
        names.insert(names.end(), other->second.begin(), other->second.end());
    return names;
}

std::set<std::string> nativeEvents(const Specification& specification, const Case& which) {
    std::set<std::string> events;
    for (const std::string& event : specification.events())
        if (!which.placeholders.contains(event) && !isTraceMetric(event) && !event.starts_with("PAPI_"))
            events.insert(event);
    for (const auto& each : specification.registers.allowed) events.insert(each.first);
    for (const auto& each : specification.registers.bankOf) events.insert(each.first);
    events.insert(specification.registers.fixed.begin(), specification.registers.fixed.end());
    // A metric may be the term of another one's formula and be counted only through `measure`.
    for (const Definition& each : specification.definitions) events.erase(each.name);
    for (const Alias& each : specification.aliases)
        if (each.name != each.event) events.erase(each.name);
    return events;
}

template <typename Known>
void expectAllKnown(const Case& which, Known known) {
    const Specification specification = find(which.platform);
    for (const std::string& event : nativeEvents(specification, which)) {
        const std::vector<std::string> names = namesOf(specification, event);
        EXPECT_TRUE(std::any_of(names.begin(), names.end(), known)) << event << " is not in " << which.table;
        for (const std::string& other : names)
            EXPECT_TRUE(other == event || isKernelName(other) || known(other))
                << "the other name " << other << " of " << event << " is not in " << which.table;
    }
}

class ListedEvents : public ::testing::TestWithParam<Case> {};

TEST_P(ListedEvents, everyNativeEvent_isKnown) {
    const EventTable table = listedEvents(GetParam().table);
    expectAllKnown(GetParam(), [&table](const std::string& name) {
        return table.names.contains(name) || name.starts_with("perf_raw::r");
    });
}

TEST_P(ListedEvents, registers_areThoseOfTheProcessor) {
    const EventTable table = listedEvents(GetParam().table);
    const Specification specification = find(GetParam().platform);
    EXPECT_LE(specification.registers.count + specification.registers.fixed.size(), table.counters);
    for (const auto& [event, allowed] : specification.registers.allowed) {
        // libpfm4 has it on counter 0 for this processor only, which the paper's set US3_FPU contradicts.
        if (event == "FM_pipe_completion") continue;
        for (const std::string& name : namesOf(specification, event)) {
            const auto listed = table.names.find(name);
            if (listed == table.names.end() || listed->second == 0) continue;
            EXPECT_EQ(allowed << specification.registers.first, listed->second) << event;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Platforms, ListedEvents,
    ::testing::Values(
        Case{"power4", "power4", {"BUSY", "DATA_TLB_HIT", "INST_TLB_HIT", "SYNCH"}},
        Case{"ultrasparc3",
             "ultra3plus",
             {"BUSY", "IDLE", "RECIRC_EC_HIT", "INTEGER", "LOAD", "STORE", "SYNCH", "EC_WRITE_HIT_ETC",
              "DATA_TLB_HIT", "INST_TLB_HIT", "EC_MISS_MTAG_LOCAL", "EC_WB_LOCAL", "PC_PORT0_ETC"}},
        // The two synthetic events that return a constant, and that of elapsed cycles, are PAPI's own.
        Case{"niagara2",
             "niagara2",
             {"TLB_miss", "_syn_cycles_elapsed", "_syn_return_one", "_syn_return_two"}},
        Case{"itanium", "itanium"}, Case{"itanium2", "itanium2"}, Case{"neoverse-n1", "arm_n1"},
        Case{"neoverse-v1", "arm_v1"}, Case{"neoverse-v2", "arm_v2"}, Case{"a64fx", "arm_a64fx"},
        Case{"power9", "power9"}, Case{"power10", "power10"}, Case{"zen5", "amd64_fam1ah_zen5"},
        Case{"granite-rapids", "intel_gnr"}),
    nameOf);

class LibpfmEvents : public ::testing::TestWithParam<Case> {
  protected:
    void SetUp() override {
        if (!libpfmWorks() || !libpfmCounters(GetParam().table))
            GTEST_SKIP() << "libpfm4 is not installed, or knows no " << GetParam().table;
    }
};

TEST_P(LibpfmEvents, everyNativeEvent_isKnown) {
    expectAllKnown(GetParam(), [](const std::string& name) { return libpfmKnows(GetParam().table, name); });
}

TEST_P(LibpfmEvents, registers_areThoseOfTheProcessor) {
    const Registers registers = find(GetParam().platform).registers;
    const std::size_t ofCore = libpfmCounters(GetParam().table).value();
    EXPECT_LE(registers.count + registers.fixed.size(), ofCore);
    for (const RegisterBank& bank : registers.banks)
        EXPECT_LE(bank.count, libpfmCounters("skx_unc_" + bank.name).value_or(ofCore)) << bank.name;
}

INSTANTIATE_TEST_SUITE_P(
    Platforms, LibpfmEvents,
    ::testing::Values(Case{"opteron",
                           "amd64_k8_revg",
                           {"BUSY", "BRANCH", "INTEGER", "LOAD", "STORE", "SYNCH", "DATA_HIT_L3$"}},
                      Case{"skylake-sp", "skx"}, Case{"skylake-sp", "clx"}, Case{"icelake-sp", "icx"},
                      Case{"sapphire-rapids", "spr"}, Case{"zen2", "amd64_fam17h_zen2"},
                      Case{"zen3", "amd64_fam19h_zen3"}, Case{"zen4", "amd64_fam19h_zen4"},
                      Case{"pentium4", "netburst"}, Case{"pentium4", "netburst_p"}),
    [](const auto& each) { return nameOf(each) + '_' + each.param.table; });

TEST(LibpfmEvents, misspeltName_isUnknown) {
    if (!libpfmWorks()) GTEST_SKIP() << "libpfm4 is not installed";
    EXPECT_TRUE(libpfmKnows("skx", "UOPS_ISSUED:ANY"));
    EXPECT_FALSE(libpfmKnows("skx", "UOPS_ISSUD:ANY"));
    EXPECT_FALSE(libpfmKnows("skx", "UOPS_ISSUED:ANYTHING"));
}

/// The raw codes that stand in for events which libpfm4 4.13 encodes wrongly are those that Intel documents.
TEST(LibpfmEvents, perfRawName_isKnown) {
    if (!libpfmWorks()) GTEST_SKIP() << "libpfm4 is not installed";
    EXPECT_TRUE(libpfmKnows("icx", "perf_raw::r02a4"));
}

}  // namespace
}  // namespace holos::specs
