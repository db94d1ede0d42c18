// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/recording_directory.h"

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/host_name.h"
#include "base/process.h"
#include "tracing/recordings/archive/folder/commit.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/folder/ownership.h"
#include "tracing/recordings/format/process_identity.h"
#include "tracing/recordings/launch/node_helpers.h"

namespace holos::launch {
namespace {

struct Launcher {
    const char* rank;
    const char* size;
    std::array<const char*, 2> job;  ///< together its name, which may come again
    const char* key;                 ///< random bits of the job, or null
};

constexpr std::array<Launcher, 3> kLaunchers{{
    {"OMPI_COMM_WORLD_RANK",
     "OMPI_COMM_WORLD_SIZE",
     {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"},
     "OMPI_MCA_orte_precondition_transports"},
    {"PMI_RANK", "PMI_SIZE", {"PMI_JOBID", "HYDI_CONTROL_FD"}, nullptr},
    {"SLURM_PROCID", "SLURM_NTASKS", {"SLURM_JOB_ID", "SLURM_STEP_ID"}, nullptr},
}};

/// What starts ranks on a machine, as the kernel calls it: 15 letters at most.
constexpr std::array<std::string_view, 9> kStarters{
    "mpirun", "mpiexec", "orterun", "orted", "prterun", "prted", "prte", "hydra_pmi_proxy", "slurmstepd"};

std::string variable(const char* name) {
    const char* value = name != nullptr ? std::getenv(name) : nullptr;
    return value != nullptr ? value : "";
}

struct Ancestor {
    std::string name;
    std::uint64_t parent = 0;
};

/// From /proc/PID/stat: `PID (NAME) STATE PARENT …`.
Ancestor ancestor(std::uint64_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string stat;
    std::getline(file, stat);
    const auto begin = stat.find('(');
    const auto end = stat.rfind(')');
    if (begin == std::string::npos || end == std::string::npos) return {};
    Ancestor found{stat.substr(begin + 1, end - begin - 1), 0};
    std::istringstream rest(stat.substr(end + 1));
    std::string state;
    rest >> state >> found.parent;
    return found;
}

/// The process that started the ranks of this machine; where none is seen, the namespace of processes.
std::string originOf(const tracing::ProcessIdentity& self) {
    const std::string origin = "namespace " + std::to_string(self.pidNamespace);
    for (auto pid = static_cast<std::uint64_t>(::getppid()); pid > 1;) {
        const Ancestor one = ancestor(pid);
        const auto isThis = [&one](std::string_view starter) { return one.name.starts_with(starter); };
        if (std::ranges::any_of(kStarters, isThis))
            return origin + ", " + one.name + ' ' + std::to_string(pid) + " of " +
                   std::to_string(tracing::startTimeOf(pid));
        pid = one.parent;
    }
    return origin;
}

archive::Job jobOf(const Launcher& launcher) {
    const tracing::ProcessIdentity self = tracing::thisProcess();
    archive::Job job{"", false, self.boot, originOf(self)};
    for (const char* part : launcher.job) job.name += variable(part);
    const std::string key = variable(launcher.key);
    if (!key.empty()) {
        job.name += ' ' + key;
        job.isUnique = true;
    }
    return job;
}

}  // namespace

std::optional<LaunchedRank> launchedRank() {
    for (const auto& launcher : kLaunchers) {
        const std::string rank = variable(launcher.rank);
        if (rank.empty()) continue;
        return LaunchedRank{std::atol(rank.c_str()), std::atol(variable(launcher.size).c_str()),
                            jobOf(launcher)};
    }
    return std::nullopt;
}

namespace {

namespace fs = std::filesystem;

/// Ranks of a job start at different seconds, so their common name comes from the job.
fs::path commonDirectory(const std::string& prefix, const LaunchedRank& rank) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "%08zx", std::hash<std::string>{}(rank.job.name) & 0xFFFFFFFFu);
    const fs::path name = prefix + digits;
    fs::create_directory(name);
    if (!fs::is_directory(fs::symlink_status(name)))  // a link may lead anywhere
        throw Error("is no folder that a recording could be put in: give one with -o",
                    {.file = name.string()});
    return name;
}

/// Named after the time; the second one of the same second ends with -2.
fs::path newDirectory(const std::string& prefix) {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    char time[32] = {};
    std::strftime(time, sizeof time, "%Y%m%d-%H%M%S", &local);
    std::string name = prefix + time;
    for (unsigned i = 2; !fs::create_directory(name); ++i) name = prefix + time + '-' + std::to_string(i);
    return name;
}

fs::path createDirectory(const std::string& asked, const fs::path& program,
                         const std::optional<LaunchedRank>& rank) {
    if (asked.empty()) {
        const std::string prefix = "holos-" + program.filename().string() + '-';
        return rank ? commonDirectory(prefix, *rank) : newDirectory(prefix);
    }
    std::error_code error;
    fs::create_directories(asked, error);
    if (error) throw Error("cannot be made as a folder: " + error.message(), {.file = asked});
    return asked;
}

/// Nothing that may still be needed, or is still being made, is removed, nor anything that is not of Holos.
void makeRoom(const fs::path& directory, bool force) {
    const archive::InTheWay found = archive::inTheWay(directory);
    if (!found.any()) return;
    const Place place{.file = directory.string()};
    if (!found.others.empty())
        throw Error(
            "has " + archive::listed(found.others) +
                ", which no recording of holos is known to have made, where this one has to write: move that "
                "away, or give another folder with -o",
            place);
    if (const fs::path recording = archive::recordingOf(directory); fs::exists(recording)) {
        const archive::Owners owners = force ? archive::listenTo(recording) : archive::ownersOf(recording);
        const auto& who = owners.living.empty() ? owners.commands : owners.living;
        if (!who.empty())
            throw Error("another measurement is being recorded there (" + archive::processesText(who) +
                            "); give another folder with -o",
                        place);
    }
    if (!force)
        throw Error("holds another measurement (" + archive::listed(found.ofHolos) +
                        "); give another folder with -o, or --force to replace it",
                    place);
    archive::removeMeasurement(directory);
}

/// The run that this command belongs to: that of the other ranks of its job, or a new one.
archive::RunIdentity joinOrBegin(const fs::path& directory, const std::optional<LaunchedRank>& rank,
                                 bool force) {
    const fs::path recording = archive::recordingOf(directory);
    auto run = archive::readRun(recording);
    const bool isOurs = rank && run && archive::belongs(rank->job, *run) &&
                        !archive::LivingCommand::existed(recording, rank->rank);
    if (!isOurs) {
        makeRoom(directory, force);
        return archive::beginRecording(directory, rank ? rank->job : archive::Job());
    }
    if (run->origins.try_emplace(rank->job.boot, rank->job.origin).second) archive::writeRun(recording, *run);
    return *run;
}

PreparedRecording prepareIn(const fs::path& directory, const std::optional<LaunchedRank>& rank, bool force,
                            const archive::Tell& tell) {
    const archive::FolderLock lock(directory, tell);
    archive::settleLeftovers(directory);
    const std::string run = joinOrBegin(directory, rank, force).id;
    if (rank) noteHost(archive::recordingOf(directory), hostName());
    return {directory, run, {archive::recordingOf(directory), rank ? rank->rank : -1, run}};
}

}  // namespace

PreparedRecording prepareRecording(const std::string& asked, const fs::path& program,
                                   const std::optional<LaunchedRank>& rank, bool force,
                                   const archive::Tell& tell) try {
    const fs::path directory = createDirectory(asked, program, rank);
    try {
        return prepareIn(directory, rank, force, tell);
    } catch (const std::exception&) {
        std::error_code isNotEmpty;
        fs::remove(directory, isNotEmpty);
        throw;
    }
} catch (const fs::filesystem_error& error) {
    throw Error(error.code().message(), {.file = error.path1().string()});
}

/// Ranks that ended are counted in a tree of folders: the last one of a group counts for it in the group
/// above. So nobody reads a list of all ranks.
bool isLastRank(const fs::path& directory, const std::optional<LaunchedRank>& rank) {
    if (!rank || rank->size <= 1) return true;
    constexpr long kGroup = 64;
    fs::path level = archive::recordingOf(directory) / "ended";
    long members = rank->size;
    for (long member = rank->rank;; member /= kGroup) {
        const long group = member / kGroup;
        const fs::path folder = level / std::to_string(group);
        std::error_code error;
        fs::create_directories(folder, error);
        std::ofstream(folder / ("rank." + std::to_string(member))) << '\n';
        const long ended = std::distance(fs::directory_iterator(folder, error), fs::directory_iterator());
        if (ended < std::min(kGroup, members - group * kGroup)) return false;
        if (members <= kGroup) return true;
        members = (members + kGroup - 1) / kGroup;
        level /= "above";
    }
}

namespace {

/// Signals are for the thread that runs the program.
class NoSignals {
  public:
    NoSignals() {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_BLOCK, &all, &before_);
    }
    ~NoSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    NoSignals(NoSignals&&) = delete;

  private:
    sigset_t before_{};
};

std::string text(std::uint64_t bytes, std::chrono::steady_clock::duration passed, const fs::path& folder) {
    constexpr std::uint64_t kMegabyte = 1'000'000;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(passed).count();
    return "the recording has " + std::to_string(bytes / kMegabyte) + " MB after " + std::to_string(seconds) +
           " s. 'holos score " + shellLine({folder.string()}) +
           "' says what makes it large, also while the program runs, and writes a filter; --profile adds up "
           "instead of tracing, and --buffer limits what each thread keeps";
}

}  // namespace

std::uint64_t bytesOfEvents(const fs::path& recording) {
    constexpr std::uint64_t kBlock = 512;
    std::uint64_t sum = 0;
    std::error_code error;
    for (const auto& process : fs::directory_iterator(recording, error)) {
        struct stat events {};
        if (::stat((process.path() / "events").c_str(), &events) == 0)
            sum += static_cast<std::uint64_t>(events.st_blocks) * kBlock;
    }
    return sum;
}

GrowthWatch::GrowthWatch(std::function<fs::path()> folder, Announce announce, std::uint64_t limit,
                         std::chrono::milliseconds interval)
    : folder_(std::move(folder)), announce_(std::move(announce)), limit_(limit), interval_(interval) {
    const NoSignals none;
    thread_ = std::thread(&GrowthWatch::watch, this);
}

GrowthWatch::~GrowthWatch() {
    {
        const std::scoped_lock lock(mutex_);
        isOver_ = true;
    }
    ends_.notify_all();
    thread_.join();
}

void GrowthWatch::watch() {
    std::unique_lock lock(mutex_);
    while (!ends_.wait_for(lock, interval_, [this] { return isOver_; })) try {
            const fs::path folder = folder_();
            const std::uint64_t bytes = bytesOfEvents(archive::recordingOf(folder));
            if (bytes <= limit_) continue;
            return announce_(text(bytes, std::chrono::steady_clock::now() - begin_, folder));
        } catch (const Error&) {  // the folder is gone: the end of the program says so
            return;
        }
}

}  // namespace holos::launch
