// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "algebra/files/experiment_file.h"
#include "algebra/model/call_names.h"
#include "algebra/model/queries.h"
#include "base/error.h"
#include "tests/support/temporary_directory.h"

namespace holos::algebra {

/// Files of other tools, which a test writes.
class ForeignFixture : public ::testing::Test {
  protected:
    std::filesystem::path write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((folder_.path() / name).parent_path());
        std::ofstream(folder_.path() / name, std::ios::binary) << text;
        return folder_.path() / name;
    }
    Experiment read(const std::string& name, const std::string& text) const {
        return readExperiment(write(name, text));
    }
    std::string failureOf(const std::string& name, const std::string& text) const {
        try {
            read(name, text);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
    /// Whatever is changed or cut off, an error or an experiment comes.
    void readDamaged(const std::string& name, const std::string& whole) const {
        for (std::size_t at = 0; at < whole.size(); ++at) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
            failureOf(name, damaged);
            if (at % 5 == 0) failureOf(name, whole.substr(0, at));
        }
    }

    static double total(const Experiment& experiment, const std::string& metric) {
        return aggregate(experiment, {experiment.findMetric(metric).value()});
    }
    static double at(const Experiment& experiment, const std::string& metric, const std::string& path) {
        return aggregate(experiment, {experiment.findMetric(metric).value()},
                         {CallPathChoice{callPathNamed(experiment, path).value(), Extent::Exclusive}});
    }

    holos::testing::TemporaryDirectory folder_;
};

}  // namespace holos::algebra
