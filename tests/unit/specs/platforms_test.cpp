// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <set>

#include "metric-specs/hierarchy.h"
#include "metric-specs/library.h"
#include "metric-specs/trace_metrics.h"

namespace holos::specs {
namespace {

const HierarchyNode& node(const Hierarchy& hierarchy, const std::string& name) {
    return hierarchy.nodes.at(hierarchy.find(name).value());
}

TEST(LinuxSoftware, eachSetAlone_leavesCompositionsIncomplete) {
    const Specification spec = find("linux-software");
    for (const char* set : {"FAULTS", "SWITCHES"}) {
        const Hierarchy hierarchy = resolve(spec, spec.set(set).events);
        for (const char* name : {"PAGE_FAULTS", "CONTEXT_SWITCHES", "CPU_TIME"}) {
            EXPECT_EQ(node(hierarchy, name).state, State::Composed) << set << ' ' << name;
            EXPECT_TRUE(node(hierarchy, name).incomplete) << set << ' ' << name;
        }
    }
}

TEST(LinuxSoftware, bothSets_completeThem) {
    const Specification spec = find("linux-software");
    std::vector<std::string> events = spec.set("FAULTS").events;
    for (const std::string& event : spec.set("SWITCHES").events) events.push_back(event);
    const Hierarchy hierarchy = resolve(spec, events);
    for (const char* name : {"PAGE_FAULTS", "CONTEXT_SWITCHES", "CPU_TIME"}) {
        EXPECT_EQ(node(hierarchy, name).state, State::Composed) << name;
        EXPECT_FALSE(node(hierarchy, name).incomplete) << name;
        EXPECT_FALSE(node(hierarchy, name).unit.empty()) << name;
    }
}

/// Everything that a file defines, with all of its counters measured.
Hierarchy complete(const Specification& specification) {
    std::vector<std::string> measured = specification.events();
    for (const std::string_view metric : kTraceMetrics) measured.emplace_back(metric);
    return resolve(specification, measured, 1e9);
}

TEST(Platforms, everyShippedFile_hasTitleAndDescribedSets) {
    for (const std::string& name : platforms()) {
        const Specification spec = find(name);
        ASSERT_TRUE(spec.platform.has_value()) << name;
        EXPECT_EQ(spec.platform->name, name);
        EXPECT_FALSE(spec.description(name).empty()) << name;
        for (const MeasurementSet& set : spec.sets)
            EXPECT_FALSE(spec.description(set.name).empty()) << name << ' ' << set.name;
    }
}

TEST(Platforms, everyDefinedMetric_hasUnitAndDescription) {
    for (const std::string& name : platforms()) {
        const Specification spec = find(name);
        std::set<std::string> defined;
        for (const Definition& each : spec.definitions) defined.insert(each.name);
        for (const Alias& each : spec.aliases) defined.insert(each.name);
        for (const HierarchyNode& node : complete(spec).nodes) {
            if (!defined.contains(node.name) || node.name.starts_with("PAPI_")) continue;
            EXPECT_FALSE(node.description.empty()) << name << ' ' << node.name;
            EXPECT_TRUE(!node.unit.empty() || node.state == State::Ratio) << name << ' ' << node.name;
        }
    }
}

/// With all counters measured nothing stays unavailable, and incomplete is only what no counter completes.
TEST(Platforms, allCounters_completeWhatTheProcessorCanCount) {
    const std::set<std::string> papersPlatforms{"generic",     "papi",       "power4",  "opteron",
                                                "ultrasparc3", "alpha-ev67", "niagara2"};
    for (const std::string& name : platforms()) {
        if (papersPlatforms.contains(name)) continue;
        for (const HierarchyNode& node : complete(find(name)).nodes) {
            EXPECT_NE(node.state, State::Unavailable) << name << ' ' << node.name;
            EXPECT_FALSE(node.incomplete) << name << ' ' << node.name;
        }
    }
}

}  // namespace
}  // namespace holos::specs
