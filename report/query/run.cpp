// SPDX-License-Identifier: BSD-3-Clause
#include "report/query/run.h"

#include "algebra/files/experiment_file.h"
#include "analyzer/trace/anchor.h"
#include "base/error.h"
#include "report/query/tables.h"

namespace holos::query {

namespace {

namespace fs = std::filesystem;

/// Nothing where there is none; otherwise what `find` throws is no failure, only that there is none.
template <class Find>
fs::path foundBy(Find&& find) {
    try {
        return find();
    } catch (const Error&) {
        return {};
    }
}

bool isExperiment(const fs::path& file) {
    return fs::is_regular_file(file) && file.extension() != ".otf2";
}

}  // namespace

Run::Run(const fs::path& file, RunOptions options) : file_(file), options_(std::move(options)) {
    if (!fs::exists(file)) throw Error("there is no such file or folder", Place{.file = file.string()});
    const fs::path folder = fs::is_directory(file)   ? file
                            : file.has_parent_path() ? file.parent_path()
                                                     : fs::path(".");
    archive_ = foundBy([&] { return analyzer::trace::findAnchor(isExperiment(file) ? folder : file); });
    experimentFile_ = isExperiment(file) ? file : foundBy([&] {
        const fs::path found = algebra::experimentAt(folder);
        return fs::is_regular_file(found) ? found : fs::path();
    });
    if (archive_.empty() && experimentFile_.empty())
        throw Error("holds neither a trace (traces.otf2) nor an experiment (analysis.cubex)",
                    Place{.file = file.string()});
    addDefinitionTables(*this, tables_);
    addEventTables(*this, tables_);
    addStatisticsTable(*this, tables_);
    addRecordTables(*this, tables_);
    addExperimentTables(*this, tables_);
}

Run::~Run() = default;

analyzer::RunRecords& Run::records() {
    if (!hasTrace())
        throw Error(
            "there is no trace beside it, which has the single events; ask for severities and metrics",
            Place{.file = file_.string()});
    if (!records_)
        records_ = std::make_unique<analyzer::RunRecords>(
            archive_, analyzer::RecordOptions{options_.threads, AtMost(options_.recordMemory),
                                              options_.recordFolder, &stopped_});
    return *records_;
}

const algebra::Experiment& Run::experiment() {
    if (!hasExperiment())
        throw Error("has not been analyzed; 'holos analyze " + file_.string() + "' makes its experiment",
                    Place{.file = file_.string()});
    if (!experiment_) experiment_ = algebra::readExperiment(experimentFile_);
    return *experiment_;
}

std::vector<std::string> Run::damage() const {
    return records_ ? records_->damage() : std::vector<std::string>();
}

}  // namespace holos::query
