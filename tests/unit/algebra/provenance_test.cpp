// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/history/provenance.h"

#include <gmock/gmock.h>

#include "algebra/files/cubex.h"
#include "algebra/operators/aggregates.h"
#include "algebra/operators/history/metric_names.h"
#include "base/made_by.h"
#include "tests/support/small_experiment.h"
#include "tests/support/temporary_directory.h"

namespace holos::algebra {
namespace {

Provenance merged(const std::string& first, const std::string& second) {
    return {"merge", "1.0", {{"spec", "a \"b\" <c>"}}, {{first, {}}, {second, {}}}};
}

TEST(Provenance, nested_isReadBack) {
    Experiment experiment;
    Provenance outer{"mean", "2.0", {}, {{"x.cubex", {merged("a", "b")}}, {"y.cubex", {}}}};
    setProvenance(experiment, outer);
    const auto found = provenanceOf(experiment);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->operation, "mean");
    ASSERT_EQ(found->inputs.size(), 2u);
    ASSERT_EQ(found->inputs[0].origin.size(), 1u);
    EXPECT_EQ(found->inputs[0].origin[0].inputs[1].name, "b");
    EXPECT_EQ(found->inputs[0].origin[0].options[0].second, "a \"b\" <c>");
    EXPECT_TRUE(found->inputs[1].origin.empty());
}

TEST(Provenance, run_isFoundInTheFileToo) {
    const holos::testing::TemporaryDirectory directory;
    Experiment experiment;
    setProvenance(experiment, {"analyze", "1.0", {}, {{"run", {}}}, "1f"});
    ASSERT_TRUE(provenanceOf(experiment));
    EXPECT_EQ(provenanceOf(experiment)->run, "1f");
    writeCubex(experiment, directory.path() / "a.cubex");
    const auto made = madeBy(directory.path() / "a.cubex");
    ASSERT_TRUE(made);
    EXPECT_EQ(made->operation, "analyze");
    EXPECT_EQ(made->run, "1f");
}

TEST(Provenance, damaged_isNone) {
    Experiment experiment;
    for (const char* text :
         {"x", "{}", "[]", "{\"operation\":1}", "{\"operation\":\"a\",\"version\":\"b\"}"}) {
        setAttribute(experiment.attributes, kProvenanceAttribute, text);
        EXPECT_FALSE(provenanceOf(experiment)) << text;
    }
    setAttribute(experiment.attributes, kProvenanceAttribute, std::string(60000, '['));
    EXPECT_FALSE(provenanceOf(experiment));
}

TEST(Provenance, longHistory_losesItsOldestPart) {
    Experiment experiment;
    Provenance history = merged("a", "b");
    for (int doubling = 0; doubling < 14; ++doubling)
        history = Provenance{"mean", "2.0", {}, {{"x", {history}}, {"x", {history}}}};
    setProvenance(experiment, history);
    const auto found = provenanceOf(experiment);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->inputs[0].origin[0].operation, "mean");
    EXPECT_LE(attribute(experiment.attributes, kProvenanceAttribute)->size(), 65536u);
}

TEST(Provenance, ofAnInput_isNotThatOfTheResult) {
    Experiment experiment = holos::testing::SmallExperiment().counter("e", {{"main", {1, 2}}}).take();
    setProvenance(experiment, merged("a", "b"));
    EXPECT_FALSE(provenanceOf(mean({experiment})));
}

}  // namespace
}  // namespace holos::algebra
