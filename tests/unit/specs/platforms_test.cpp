// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "metric-specs/hierarchy.h"
#include "metric-specs/library.h"

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

TEST(Platforms, everyShippedFile_isCorrectAndDescribed) {
    for (const std::string& name : platforms()) {
        const Specification spec = find(name);
        EXPECT_FALSE(spec.sets.empty() && spec.definitions.empty()) << name;
        for (const auto& each : spec.units) EXPECT_FALSE(each.second.empty()) << name << ' ' << each.first;
    }
}

}  // namespace
}  // namespace holos::specs
