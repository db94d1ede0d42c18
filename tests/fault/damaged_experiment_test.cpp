// SPDX-License-Identifier: BSD-3-Clause
// Whatever happens to the bytes of an experiment: an error or an experiment, never a crash.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

#include "algebra/files/cubex.h"
#include "algebra/model/queries.h"
#include "base/error.h"
#include "tests/support/temporary_directory.h"

namespace holos::algebra {
namespace {

/// Two metrics, three call paths, two locations, a topology, an additional file.
Experiment sample() {
    Experiment experiment;
    for (const char* name : {"main", "work", "MPI_Recv"}) experiment.regions.emplace_back().name = name;
    CallPath path;
    const CallPathId root = experiment.callTree.add(path);
    for (const std::size_t region : {1U, 2U}) {
        path.region = RegionId(region);
        experiment.callTree.add(path, root);
    }
    const SystemNodeId node = experiment.system.nodes.add({"node", "node", "", {}});
    experiment.system.processes.push_back({"rank 0", 0, Process::Type::Process, node, {}});
    experiment.system.locations.resize(2);
    experiment.topologies.push_back({"grid", {{"x", 2, false}}, {{LocationId(1), {1}}}});
    experiment.files["notes"] = "text";
    for (const Storage storage : {Storage::Exclusive, Storage::Inclusive, Storage::PostDerived}) {
        Metric metric;
        metric.uniqueName = "m" + std::to_string(experiment.metrics.size());
        metric.storage = storage;
        metric.expression = "metric::m0() / metric::m1()";
        const MetricId id = experiment.metrics.add(metric);
        if (!metric.hasValues()) continue;
        SeverityTable table = experiment.newTable();
        for (const CallPathId at : experiment.callTree.ids()) table.add(at, LocationId(1), 1.5);
        experiment.severities.set(id, table);
    }
    return experiment;
}

class DamagedExperiment : public ::testing::Test {
  protected:
    DamagedExperiment() {
        writeCubex(sample(), file_);
        std::ifstream stream(file_, std::ios::binary);
        good_.assign(std::istreambuf_iterator<char>(stream), {});
    }

    /// True when the file can be read with everything in it; false for a `holos::Error` that names the file.
    bool readable(const std::string& bytes) {
        std::ofstream(file_, std::ios::binary | std::ios::trunc) << bytes;
        try {
            const Experiment experiment = readCubex(file_);
            for (const MetricId id : experiment.metrics.ids()) perLocation(experiment, {id});
            return true;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(file_.string()), std::string::npos) << error.what();
            return false;
        }
    }

    holos::testing::TemporaryDirectory folder_;
    std::filesystem::path file_ = folder_.path() / "experiment.cubex";
    std::string good_;
};

TEST_F(DamagedExperiment, truncatedAnywhere_isAnErrorUntilTheEndMarkBegins) {
    ASSERT_TRUE(readable(good_));
    const std::size_t blocks = good_.size() / 512;
    for (std::size_t kept = 0; kept <= blocks; ++kept)
        EXPECT_EQ(readable(good_.substr(0, 512 * kept)), kept + 1 >= blocks) << kept;
    for (std::size_t kept = 0; kept < good_.size(); kept += 97)
        EXPECT_EQ(readable(good_.substr(0, kept)), kept >= good_.size() - 512) << kept;
}

TEST_F(DamagedExperiment, everyByteFlipped_isAnErrorOrAnExperiment) {
    for (std::size_t at = 0; at < good_.size(); ++at) {
        if (good_[at] == '\0' && at % 16 != 0) continue;  // the padding, thinned out
        std::string bad = good_;
        bad[at] = static_cast<char>(bad[at] ^ (at % 3 == 0 ? 0x80 : 1 << at % 7));
        readable(bad);
    }
}

TEST_F(DamagedExperiment, randomBlocks_areAnErrorOrAnExperiment) {
    std::uint32_t state = 1;
    const auto next = [&state] { return state = state * 1664525U + 1013904223U, state >> 8; };
    for (int round = 0; round < 300; ++round) {
        std::string bad = good_;
        const std::size_t begin = next() % bad.size();
        for (std::size_t at = begin; at < std::min(bad.size(), begin + next() % 64); ++at)
            bad[at] = static_cast<char>(next());
        readable(bad);
    }
}

}  // namespace
}  // namespace holos::algebra
