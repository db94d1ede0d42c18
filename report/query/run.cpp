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
            "there is no trace beside it, so that single events are not known; 'holos query' still knows the "
            "tables severities and metrics",
            Place{.file = file_.string()});
    if (!records_)
        records_ = std::make_unique<analyzer::RunRecords>(
            archive_, analyzer::RecordOptions{options_.threads, AtMost(options_.recordMemory),
                                              options_.recordFolder, &stopped_, options_.progress});
    return *records_;
}

/// The one beside the trace, or that in the user's folder; null where neither is of this trace as it is now.
std::shared_ptr<const CallIndex> Run::openIndex() {
    const std::uint64_t mark = traceMark(archive_);
    for (const fs::path& file : callIndexFiles(archive_)) {
        try {
            return std::make_shared<const CallIndex>(file, mark, records().definitions());
        } catch (const Error&) {  // none, or an old or damaged one
        }
    }
    return nullptr;
}

/// In the first place that takes it. A damaged trace has none.
void Run::makeIndex() {
    for (const fs::path& file : callIndexFiles(archive_)) {
        if (!records().damage().empty()) return;
        try {
            return makeCallIndex(file, archive_, records());
        } catch (const Error&) {  // a folder that cannot be written, or a file that is not ours
        }
    }
}

std::shared_ptr<const CallIndex> Run::callIndex(bool mayBeMade) {
    if (callIndex_ || !options_.usesIndex) return callIndex_;
    std::uint64_t events = 0;
    for (const analyzer::trace::Location& location : records().definitions().locations)
        events += location.events;
    if (events < options_.fewestIndexed) return nullptr;
    callIndex_ = openIndex();
    if (!callIndex_ && mayBeMade && !triedToMakeIndex_) {
        makeIndex();
        triedToMakeIndex_ = true;
        callIndex_ = openIndex();
    }
    return callIndex_;
}

std::shared_ptr<const CallIndex> Run::renewedCallIndex() {
    makeIndex();
    callIndex_ = openIndex();
    if (!callIndex_)
        throw Error("the index of its calls is damaged and cannot be made anew; ask with --no-index",
                    Place{.file = archive_.string()});
    return callIndex_;
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
