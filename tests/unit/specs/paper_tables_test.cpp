// SPDX-License-Identifier: BSD-3-Clause
// The platform files of the KOJAK paper against its appendix: tables 2 to 4 (appendix/tables.txt) and the
// listings (appendix/*.spec), both typed from the paper.
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "metric-specs/hierarchy.h"
#include "metric-specs/library.h"

namespace holos::specs {
namespace {

struct Row {
    std::string platform;
    std::string set;
    std::string metric;  ///< as printed, with `~` where it is incomplete
    char relation = '/';
    std::string event;
};

std::vector<Row> rowsOf(const std::string& platform) {
    std::ifstream file(std::string(HOLOS_APPENDIX_DIR) + "/tables.txt");
    std::vector<Row> rows;
    for (std::string line; std::getline(file, line);) {
        Row row;
        if (!line.starts_with('#') &&
            std::istringstream(line) >> row.platform >> row.set >> row.metric >> row.relation >> row.event &&
            row.platform == platform)
            rows.push_back(row);
    }
    return rows;
}

std::map<std::string, std::set<std::string>> setsOf(const std::vector<Row>& rows) {
    std::map<std::string, std::set<std::string>> sets;
    for (const Row& row : rows)
        if (row.event != "-") sets[row.set].insert(row.event);
    return sets;
}

bool isBelow(const Hierarchy& hierarchy, std::size_t node, const std::string& ancestor) {
    for (auto parent = hierarchy.nodes[node].parent; parent; parent = hierarchy.nodes[*parent].parent)
        if (hierarchy.nodes[*parent].name == ancestor) return true;
    return false;
}

/// A metric of the table, looked at with only the events of its set measured.
void expectRow(const Row& row, const Hierarchy& hierarchy) {
    if (row.metric == "-") return;
    SCOPED_TRACE(row.set + ' ' + row.metric + ' ' + row.event);
    const bool incomplete = row.metric.starts_with('~');
    const std::string name = row.metric.substr(incomplete ? 1 : 0);
    const auto found = hierarchy.find(name);
    ASSERT_TRUE(found.has_value());
    const HierarchyNode& node = hierarchy.nodes[*found];
    if (row.relation == '?') {
        EXPECT_EQ(node.state, State::Unavailable);
        return;
    }
    EXPECT_NE(node.state, State::Unavailable);
    EXPECT_EQ(node.incomplete, incomplete);
    if (row.relation == '+') {
        const auto event = hierarchy.find(row.event);
        ASSERT_TRUE(event.has_value());
        EXPECT_TRUE(isBelow(hierarchy, *event, name));
    }
}

class PaperTables : public ::testing::TestWithParam<const char*> {};

TEST_P(PaperTables, sets_areThoseOfTheTable) {
    std::map<std::string, std::set<std::string>> sets;
    for (const MeasurementSet& set : find(GetParam()).sets)
        sets[set.name] = {set.events.begin(), set.events.end()};
    EXPECT_EQ(sets, setsOf(rowsOf(GetParam())));
}

TEST_P(PaperTables, eachSetAlone_derivesWhatTheTableSays) {
    const Specification specification = find(GetParam());
    for (const Row& row : rowsOf(GetParam()))
        expectRow(row, resolve(specification, specification.set(row.set).events));
}

INSTANTIATE_TEST_SUITE_P(Platforms, PaperTables, ::testing::Values("opteron", "ultrasparc3", "power4"),
                         [](const auto& each) { return std::string(each.param); });

/// A formula with its numbers and operators, for comparing.
std::string writtenAs(const Formula& formula) {
    std::ostringstream text;
    for (const Step& step : formula.steps) {
        text << static_cast<int>(step.kind) << ' ';
        if (step.kind == Step::Kind::Operand) text << formula.terms[step.operand] << ' ';
        if (step.kind == Step::Kind::Number) text << step.number << ' ';
    }
    return text.str();
}

/// All compositions, computations and measurements, each as one text. A name's alternatives keep their order.
std::vector<std::string> definitionsOf(const Specification& specification) {
    std::vector<std::string> all;
    for (const Definition& each : specification.definitions)
        if (each.kind == Definition::Kind::Compose || each.kind == Definition::Kind::Compute)
            all.push_back((each.kind == Definition::Kind::Compose ? "compose " : "compute ") + each.name +
                          " = " + writtenAs(each.formula));
    for (const Alias& each : specification.aliases)
        all.push_back("measure " + each.name + " = " + each.event);
    return all;
}

struct Printed {
    const char* platform;
    const char* listing;
};

class PaperListings : public ::testing::TestWithParam<Printed> {};

TEST_P(PaperListings, platformFile_definesExactlyThePrintedMetrics) {
    const Specification printed = load(std::string(HOLOS_APPENDIX_DIR) + '/' + GetParam().listing + ".spec");
    EXPECT_THAT(definitionsOf(find(GetParam().platform)),
                ::testing::UnorderedElementsAreArray(definitionsOf(printed)));
}

INSTANTIATE_TEST_SUITE_P(Platforms, PaperListings,
                         ::testing::Values(Printed{"generic", "generic"}, Printed{"power4", "power4"},
                                           Printed{"opteron", "opteron"},
                                           Printed{"ultrasparc3", "ultrasparc"}),
                         [](const auto& each) { return std::string(each.param.platform); });

/// The PAPI file adds alternatives to the listing, and keeps all of it.
TEST(PaperListings, papiFile_hasAllPrintedMetrics) {
    const auto defined = definitionsOf(find("papi"));
    const auto printed = definitionsOf(load(std::string(HOLOS_APPENDIX_DIR) + "/papi.spec"));
    EXPECT_THAT(defined, ::testing::IsSupersetOf(printed));
}

/// All 32 sets together leave only the address translations incomplete, whose hits no counter counts.
TEST(PaperTables, ultrasparcAllSets_leaveOnlyTranslationsIncomplete) {
    const Specification specification = find("ultrasparc3");
    std::vector<std::string> events;
    for (const MeasurementSet& set : specification.sets)
        events.insert(events.end(), set.events.begin(), set.events.end());
    std::set<std::string> incomplete;
    for (const HierarchyNode& node : resolve(specification, events).nodes)
        if (node.incomplete) incomplete.insert(node.name);
    EXPECT_THAT(incomplete, ::testing::ElementsAre("DATA_TLB_ACCESS", "INST_TLB_ACCESS", "TLB_ACCESS"));
}

}  // namespace
}  // namespace holos::specs
