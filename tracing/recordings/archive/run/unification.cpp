// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/run/unification.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>

namespace holos::archive {
namespace {

std::uint64_t worldOf(const RecordedProcess& process) {
    return process.world ? process.world->key() : 0;
}

Identity identityOf(const RecordedProcess& process, const RecordedComm& comm) {
    const bool isSelf = comm.number == kSelf.number && comm.size == 1;
    return isSelf ? kSelf : Identity{worldOf(process), comm.root, comm.number};
}

/// Numbers all that a process has of one kind, and leaves it nothing.
template <class Things, class NumberOf>
void takeAll(Things& things, NumberMap& numbers, NumberOf numberOf) {
    for (auto& [ref, thing] : things) numbers.set(ref, numberOf(thing));
    things.clear();
}

void takeWindows(Definitions& all, RecordedProcess& process) {
    for (const auto& [ref, window] : process.windows)
        if (const auto comm = process.comms.find(window.comm); comm != process.comms.end())
            process.numbers.windows.set(ref, all.windows.of({worldOf(process), window.root, window.number},
                                                            identityOf(process, comm->second)));
    process.windows.clear();
}

void takeHandles(Definitions& all, RecordedProcess& process) {
    for (const auto& [ref, handle] : process.handles) {
        const auto file = process.files.find(handle.file);
        const auto comm = process.comms.find(handle.comm);
        if (file == process.files.end() || comm == process.comms.end()) continue;
        const Identity identity = identityOf(process, comm->second);
        HandleKey key{identity, handle.opening};
        if (identity == kSelf && process.world) {
            key.world = worldOf(process);
            key.rank = process.world->rank;
        }
        process.numbers.handles.set(ref, all.handles.of(key, file->second));
    }
    process.handles.clear();
}

void takeComms(Definitions& all, RecordedProcess& process) {
    for (auto& grid : process.grids)
        if (const auto comm = process.comms.find(grid.comm); comm != process.comms.end())
            all.grids.try_emplace(identityOf(process, comm->second), std::move(grid.dimensions));
    process.grids.clear();
    for (const auto& [ref, comm] : process.comms) process.numbers.places.set(ref, comm.place);
    takeAll(process.comms, process.numbers.comms, [&all, &process](RecordedComm& comm) {
        CommFacts facts{std::move(comm.name), static_cast<std::uint32_t>(comm.members()), comm.remoteSize,
                        std::move(comm.worldRanks)};
        return all.comms.of(identityOf(process, comm), std::move(facts));
    });
}

/// How many processes are worth a task of their own.
constexpr std::size_t kTogether = 16;

/// The tree: TBB gives neighbouring ranges to workers, and joins their results pairwise.
class Branch {
  public:
    using ReadProcess = std::function<RecordedProcess(std::size_t)>;
    Branch(std::vector<RecordedProcess>& all, const ReadProcess& read) : all_(all), read_(read) {}
    Branch(const Branch& other, tbb::split) : all_(other.all_), read_(other.read_) {}

    void operator()(const tbb::blocked_range<std::size_t>& range) {
        if (begin_ == end_) begin_ = range.begin();
        end_ = range.end();
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
            all_[i] = read_(i);
            definitions_.take(all_[i]);
        }
    }
    void join(Branch& right) {
        definitions_.absorb(std::move(right.definitions_), at(right.begin_), at(right.end_));
        end_ = right.end_;
    }
    Definitions takeDefinitions() { return std::move(definitions_); }

  private:
    std::vector<RecordedProcess>::iterator at(std::size_t i) const {
        return all_.begin() + static_cast<std::ptrdiff_t>(i);
    }
    std::vector<RecordedProcess>& all_;
    const ReadProcess& read_;
    Definitions definitions_;
    std::size_t begin_ = 0;  ///< of the processes that it has
    std::size_t end_ = 0;
};

}  // namespace

void complete(CommFacts& known, CommFacts&& more) {
    if (known.name.empty()) known.name = std::move(more.name);
    if (known.worldRanks.empty()) {
        known.worldRanks = std::move(more.worldRanks);
        known.worlds = std::move(more.worlds);
    }
}

void Definitions::take(RecordedProcess& process) {
    takeWindows(*this, process);
    takeHandles(*this, process);
    takeComms(*this, process);
    Numbers& numbers = process.numbers;
    const auto number = [](auto& table) {
        return [&table](auto& thing) { return table.of(std::move(thing)); };
    };
    takeAll(process.regions, numbers.regions, number(regions));
    takeAll(process.metrics, numbers.metrics, number(metrics));
    takeAll(process.parameters, numbers.parameters, number(parameters));
    takeAll(process.files, numbers.files, number(files));
    takeAll(process.groups, numbers.groups, [this, world = worldOf(process)](auto& ranks) {
        return groups.of({world, std::move(ranks)});
    });
}

void Definitions::absorb(Definitions&& other, std::vector<RecordedProcess>::iterator begin,
                         std::vector<RecordedProcess>::iterator end) {
    const auto move = [begin, end](auto& to, auto& from, NumberMap Numbers::*kind) {
        const std::vector<std::uint32_t> numbers = to.absorb(std::move(from));
        std::for_each(begin, end, [&](RecordedProcess& process) {
            (process.numbers.*kind).renumber([&](std::uint32_t number) { return numbers[number]; });
        });
    };
    move(regions, other.regions, &Numbers::regions);
    move(metrics, other.metrics, &Numbers::metrics);
    move(parameters, other.parameters, &Numbers::parameters);
    move(files, other.files, &Numbers::files);
    move(groups, other.groups, &Numbers::groups);
    move(comms, other.comms, &Numbers::comms);
    move(windows, other.windows, &Numbers::windows);
    move(handles, other.handles, &Numbers::handles);
    grids.merge(other.grids);
}

Recording unify(std::size_t processes, const std::function<RecordedProcess(std::size_t)>& read) {
    Recording recording;
    recording.processes.resize(processes);
    Branch all(recording.processes, read);
    tbb::parallel_reduce(tbb::blocked_range<std::size_t>(0, processes, kTogether), all);
    recording.definitions = all.takeDefinitions();
    return recording;
}

Recording unify(std::vector<RecordedProcess> processes) {
    return unify(processes.size(), [&processes](std::size_t i) { return std::move(processes[i]); });
}

}  // namespace holos::archive
