// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/patterns/waits.h"
#include "analyzer/replay/call_replay.h"
#include "base/chosen.h"

namespace holos::analyzer {

/// The iterations of the outermost loop of a process: each begins where the next call of one call path does.
struct Iterations {
    std::vector<trace::Ticks> begins;  ///< ascending
    trace::Ticks end = 0;              ///< of the last one

    /// From 1; 0: outside of the loop.
    std::size_t at(trace::Ticks time) const;
};

struct RecordOptions {
    unsigned threads = 1;
    AtMost memoryLimit = kAll;  ///< as in `AnalysisOptions`
    std::filesystem::path recordFolder = "/var/tmp";
    const std::atomic<bool>* stopped = nullptr;
    /// How much of the whole trace was read for messages, waits, the tree and iterations, from 0 to 1: called
    /// as that of `AnalysisOptions`.
    std::function<void(double)> progress = {};
};

/// The single calls, messages and waits of a trace, as analysis knows them. What needs the whole trace is
/// found when it is asked for first, and then kept: memory grows with communication, not with events.
/// Thread safety: one thread; but `readCalls` by any number of them, with `knowsPaths` once the tree was
/// asked for.
class RunRecords {
  public:
    /// Throws `holos::Error` as `analyze` does.
    RunRecords(const std::filesystem::path& archiveOrDirectory, RecordOptions options);
    ~RunRecords();
    RunRecords(const RunRecords&) = delete;
    RunRecords& operator=(const RunRecords&) = delete;

    const trace::Definitions& definitions() const;

    /// Messages and waits. Throws `Stopped` once nobody wants them any more, as the others do.
    patterns::JudgedTrace judged();
    const paths::MergedTree& tree();
    /// By call path of the tree, as an experiment writes it.
    const std::vector<std::string>& pathTexts();

    /// What its iterations are told by: the first call path of those that come again and again, equally often
    /// in all processes, through most of the run, where what happens meanwhile mostly comes as often or a
    /// multiple of it. Where there are several such loops, the outermost one. Nothing where there is none.
    const std::optional<std::string>& iterationPath();
    const Iterations& iterations(trace::ProcessId process);

    /// Tells of all calls of a location. `knowsPaths`: the nodes of the calls are those of the tree's
    /// `pathOf`; without that the trace need not have been read before. What the listener throws comes out.
    void readCalls(trace::LocationId location, replay::CallListener& listener, bool knowsPaths);
    /// Calls `work` for each location, in as many threads as the trace is read with.
    void forEachLocation(const std::function<void(trace::LocationId)>& work);

    /// Files of which a part could not be read so far, and why: calls are missing that were there. A line
    /// each. Thread safety: safe.
    std::vector<std::string> damage() const;

  private:
    struct State;
    State& read();
    std::unique_ptr<State> state_;
};

}  // namespace holos::analyzer
