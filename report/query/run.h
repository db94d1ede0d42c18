// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "algebra/model/experiment.h"
#include "analyzer/run_records.h"
#include "report/query/call_index.h"
#include "report/query/table.h"

namespace holos::query {

struct RunOptions {
    unsigned threads = 0;  ///< that read the trace at the same time; 0: as many as the machine has processors
    std::uint64_t recordMemory = std::uint64_t{1}
                                 << 30;  ///< beyond it, records of messages are kept in a file
    std::filesystem::path recordFolder = "/var/tmp";
    /// A trace with so many events has an index of its calls; made by the first question about all of them.
    std::uint64_t fewestIndexed = std::uint64_t{1} << 20U;
    bool usesIndex = true;                      ///< an index is made, and one that is there is read
    std::function<void(double)> progress = {};  ///< `analyzer::RecordOptions::progress`
};

/// A recorded run: its trace, its experiment, or both. They are read when something is asked of them.
/// Thread safety: one thread.
class Run {
  public:
    /// The folder of a recording, its archive, or an experiment, beside which there may be a trace. Throws
    /// `holos::Error` where there is neither.
    Run(const std::filesystem::path& file, RunOptions options);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    const Tables& tables() const { return tables_; }
    /// Whatever is being read ends soon after it becomes true.
    std::atomic<bool>& stopped() { return stopped_; }

    /// Where what does not fit into memory may lie, in files without names.
    const std::filesystem::path& folder() const { return options_.recordFolder; }

    const std::filesystem::path& archive() const { return archive_; }
    bool hasTrace() const { return !archive_.empty(); }
    bool hasExperiment() const { return !experimentFile_.empty(); }
    /// What the trace or the experiment has. Throws `holos::Error` that says what to do where there is none.
    analyzer::RunRecords& records();
    const algebra::Experiment& experiment();
    /// The index of the trace's calls. Null where there is none, and it is not wanted so much that it
    /// `mayBeMade`, or cannot be kept. Throws `Stopped`.
    std::shared_ptr<const CallIndex> callIndex(bool mayBeMade);
    /// Another one for that which turned out to be damaged. Throws `holos::Error` where it cannot be made.
    std::shared_ptr<const CallIndex> renewedCallIndex();
    /// What of the trace could not be read so far, a line each: answers lack it.
    std::vector<std::string> damage() const;

  private:
    std::shared_ptr<const CallIndex> openIndex();
    void makeIndex();

    std::filesystem::path file_;
    std::filesystem::path archive_;
    std::filesystem::path experimentFile_;
    RunOptions options_;
    std::atomic<bool> stopped_ = false;
    std::unique_ptr<analyzer::RunRecords> records_;
    std::optional<algebra::Experiment> experiment_;
    std::shared_ptr<const CallIndex> callIndex_;
    bool triedToMakeIndex_ = false;
    Tables tables_;
};

}  // namespace holos::query
