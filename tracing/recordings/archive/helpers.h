// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tracing/filter/filter.h"
#include "tracing/recordings/archive/account/result.h"
#include "tracing/recordings/archive/events/location_parts.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/archive/run/host_clocks.h"
#include "tracing/recordings/archive/run/reading.h"

namespace holos::archive {

/// The machine that makes a trace: one of its clocks may be that of processes that were killed before they
/// compared theirs.
struct Here {
    std::string boot;
    std::string clock;
    tracing::ClockSync time;
};
Here here();

/// The MPI jobs of a recording that was read, and what becomes of each. Whoever reads the same recording gets
/// the same.
class RecordedJobs {
  public:
    /// Throws `Error` where the recording cannot be read. What is `packed` is not read anew where it is read
    /// at no special moment.
    RecordedJobs(const fs::path& recording, const std::optional<Moment>& moment, PackedFiles packed = {});
    RecordedJobs(RecordedJobs&&) = delete;

    /// At least one, unless nothing was recorded.
    std::vector<std::vector<RecordedProcess>>& all() { return jobs_; }
    /// What was found while it was read.
    const std::vector<std::string>& notes() const { return notes_; }

    /// Of the job of that number, which counts from 1.
    TracePlan plan(std::size_t number);
    Timeline timeline(std::size_t number, const Here& here) const;

  private:
    const fs::path recording_;
    Definitions definitions_;
    filter::Filter filter_;
    std::vector<std::vector<RecordedProcess>> jobs_;
    std::vector<std::string> notes_;
};

}  // namespace holos::archive

/// Several processes may make a trace together. One of them does what `finish` says; the others are its
/// helpers, on the same machine or on others that see the same folder. Each packs what the files of some
/// processes say for the others, reads the recording, and translates the events of some locations into a
/// folder in that of the trace which is being made:
///
///     makes the trace    pack ▶ read ▶ order ▶ translate ▶ collect ▶ definitions ▶ publish
///     helper             pack ▶ read ─────────▶ translate ▶ answer
///
/// The bytes of a trace do not depend on how many they are: a location's events are the same whoever writes
/// them, and what all locations share is written by one. Where a helper fails or is gone, its locations are
/// translated by who makes the trace. How orders and answers get to the other process is not known here.
namespace holos::archive {

/// The helpers, as who makes the trace sees them.
/// Thread safety: one thread.
class Helpers {
  public:
    virtual ~Helpers() = default;
    virtual std::size_t count() const = 0;
    /// Never waits.
    virtual void send(std::size_t helper, const std::string& order) = 0;
    /// Waits for the answer to the oldest order that has none yet; nothing where it will not come.
    virtual std::optional<std::string> receive(std::size_t helper) = 0;
    /// The helper that is to do what is done for processes of this host, where it matters: its number, or
    /// `count()` for who makes the trace. Nothing: whoever has the least to do.
    virtual std::optional<std::size_t> chosenFor(const std::string& host) const = 0;
};

/// A helper's part.
/// Thread safety: one thread.
class Helper {
  public:
    explicit Helper(fs::path directory);
    ~Helper();
    Helper(Helper&&) = delete;

    /// Does what an order says; the answer, where there is one. What it throws is in the answer.
    std::optional<std::string> obey(const std::string& order);

  private:
    class Reading;
    fs::path directory_;
    std::unique_ptr<Reading> reading_;
};

/// How a recording is read by who makes its trace and by helpers: each packs the files of some processes, as
/// a rule those of its own host, into one file in `recording/packed`, and all read the packed files.
/// Processes of helpers that fail or are gone are packed by nobody, and read by each.
class SharedReading {
  public:
    /// Has the files packed, waits for that, and tells the helpers to read. Nothing is done without helpers.
    SharedReading(Helpers* helpers, const fs::path& recording);
    ~SharedReading();  ///< removes the packed files
    SharedReading(SharedReading&&) = delete;

    const std::vector<fs::path>& packed() const { return packed_; }

  private:
    using Names = std::vector<std::string>;
    std::vector<Names> distribute(const Helpers& helpers) const;
    void pack(Helpers& helpers);
    fs::path fileOf(std::size_t packer) const;

    const fs::path recording_;
    bool isMade_ = false;  ///< the folder of packed files
    std::vector<fs::path> packed_;
};

/// What a helper is told to do.
struct Order {
    enum class Kind : std::uint8_t {
        Pack,       ///< the files of some processes; the answer is `kPacked`
        Read,       ///< the recording, anew; no answer
        BringHome,  ///< what processes kept on disks of the helper's machine; any answer
        Translate   ///< the events of some locations; the answer is a report (`location_parts.h`)
    };
    Kind kind = Kind::Read;
    std::size_t job = 1;  ///< its number
    std::string folder;   ///< for its files of events, or the file to pack into, in that of the measurement
    std::vector<std::string> names;  ///< of processes' folders to pack; of packed files to read, as `folder`
    Here here;                       ///< the machine of who makes the trace
    std::uint64_t plan = 0;          ///< what the helper has to have planned, too (`digestOf`)
    std::vector<std::uint64_t> processes;  ///< their positions in the plan
};

/// The answer to an order to pack that was obeyed.
inline constexpr const char* kPacked = "packed";

std::string orderText(Order order);
/// Throws `Error` where it is damaged.
Order orderIn(const std::string& text);

/// A number of what the events of a trace depend on: equal for processes that planned the same.
std::uint64_t digestOf(const TracePlan& plan, const Timeline& timeline);

/// How one job's locations are shared between who makes its trace and helpers. Helpers begin with the object;
/// when it goes, none works any more.
class SharedTranslation {
  public:
    /// `order`: what all of them are told. `to`: the folder of the trace, which is in `directory`.
    SharedTranslation(Helpers& helpers, Order order, const fs::path& directory, const fs::path& to,
                      const TracePlan& plan, std::vector<LocationPart>& parts);
    ~SharedTranslation();
    SharedTranslation(SharedTranslation&&) = delete;

    /// What is to be translated here.
    const std::vector<LocationPart*>& own() const { return own_; }
    /// Waits for the helpers, takes what they found and their files. Those that have to be translated here,
    /// too, because a helper failed or is gone.
    std::vector<LocationPart*> collect(SampledCode& code);

  private:
    struct Share {
        std::vector<std::uint64_t> processes;
        std::vector<LocationPart*> parts;
        bool isAsked = false;
    };
    void distribute(std::vector<LocationPart>& parts);
    bool take(std::size_t helper, SampledCode& code);
    fs::path folderOf(std::size_t helper) const;

    Helpers& helpers_;
    const fs::path to_;
    const TracePlan& plan_;
    std::vector<LocationPart*> own_;
    std::vector<Share> shares_;  ///< by helper
};

}  // namespace holos::archive
