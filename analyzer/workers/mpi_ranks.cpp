// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/workers/mpi_ranks.h"

#include <dlfcn.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "analyzer/workers/mpi_plugin.h"
#include "analyzer/workers/own_thread.h"
#include "base/error.h"

namespace holos::analyzer::workers {

namespace {

namespace fs = std::filesystem;

/// What launchers say of the number of processes that they started, and which of them this one is. Slurm's
/// variable for a step is set only by `srun`, not in a batch script.
struct Variables {
    const char* count;
    const char* self;
};
constexpr std::array<Variables, 3> kVariables{{{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                               {"PMI_SIZE", "PMI_RANK"},
                                               {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}}};

struct Launched {
    unsigned count = 1;
    unsigned self = 0;
};

unsigned numberIn(const char* text) {
    return text == nullptr ? 0 : static_cast<unsigned>(std::max(0L, std::strtol(text, nullptr, 10)));
}

Launched launched() {
    for (const Variables& variables : kVariables)
        if (const char* count = std::getenv(variables.count))
            return {std::max(1U, numberIn(count)), numberIn(std::getenv(variables.self))};
    return {};
}

std::string pluginName(const std::string& family) {
    return "libholos-ranks-" + family + ".so";
}

/// The plugins that are there, of the MPI that the launcher is likely to belong to before those of others.
std::vector<fs::path> findPlugins(const std::vector<fs::path>& folders) {
    const bool isOpenMpi = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr ||
                           (std::getenv("PMI_SIZE") == nullptr && std::getenv("PMIX_RANK") != nullptr);
    std::array<const char*, 2> families{"openmpi", "mpich"};
    if (!isOpenMpi) std::swap(families[0], families[1]);
    std::vector<fs::path> found;
    for (const char* family : families)
        for (const fs::path& folder : folders)
            if (fs::path path = folder / pluginName(family); fs::exists(path))
                found.push_back(std::move(path));
    return found;
}

std::string startedBut(const Launched& launched) {
    return "a launcher started " + std::to_string(launched.count) + " processes, but ";
}

/// Loads the library that is linked to MPI.
HolosMpiBegin* loadPlugin(const Launched& launched, const std::vector<fs::path>& folders) {
    const auto paths = findPlugins(folders);
    if (paths.empty())
        throw Error(
            startedBut(launched) + "this Holos was built without MPI (neither " + pluginName("openmpi") +
                " nor " + pluginName("mpich") +
                " is there): start one process, with several threads (-j), or make the library with this "
                "MPI's compiler wrapper: holos-mpi-adapter mpicc",
            {.file = folders.back().string()});
    std::string reason;
    for (const fs::path& path : paths) {
        // MPI's own plugins find the library's symbols only when these are global.
        void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
        if (library == nullptr) {
            if (reason.empty()) reason = dlerror();
            continue;
        }
        auto* begin = reinterpret_cast<HolosMpiBegin*>(dlsym(library, kHolosMpiBegin));
        if (begin == nullptr) throw Error("is not a library of this Holos", {.file = path.string()});
        return begin;
    }
    throw Error(startedBut(launched) + "the library for MPI cannot be loaded: " + reason,
                {.file = paths.front().string()});
}

/// To begin MPI and to end it takes longer than to read a small trace: what does not need the others goes on
/// meanwhile.
class MpiRanks final : public Ranks {
  public:
    MpiRanks(const Launched& launched, HolosMpiBegin* begin) : launched_(launched) {
        begun_ = thread_.add([this, begin] { beginMpi(begin); }).share();
    }

    unsigned self() const override { return launched_.self; }
    unsigned count() const override { return launched_.count; }
    unsigned onThisMachine() const override {
        begun_.get();
        return static_cast<unsigned>(mpi_.onThisMachine);
    }
    void send(unsigned to, const std::string& message) override {
        thread_.add([&] { sendNow(to, message); }).get();
    }
    void post(unsigned to, const std::string& message) override {
        thread_.add([=, this] { sendNow(to, message); });
    }
    std::string receive(unsigned from) override {
        std::string message;
        thread_.add([&] { message = receiveNow(from); }).get();
        return message;
    }
    void finish() override {
        begun_.get();
        thread_.add([this] { mpi_.finish(mpi_.ranks); });
        if (isFirst()) sched_setaffinity(0, sizeof mpi_.processors, &mpi_.processors);
    }

  private:
    void beginMpi(HolosMpiBegin* begin) {
        mpi_ = begin(static_cast<int>(launched_.self));
        if (mpi_.count == static_cast<int>(launched_.count)) return;
        mpi_.finish(mpi_.ranks);
        throw Error(startedBut(launched_) + "this library's MPI knows of " + std::to_string(mpi_.count) +
                    ": take the launcher of the same MPI");
    }
    void sendNow(unsigned to, const std::string& message) {
        begun_.get();
        const std::uint64_t size = message.size();
        mpi_.send(mpi_.ranks, static_cast<int>(to), reinterpret_cast<const char*>(&size), sizeof size);
        mpi_.send(mpi_.ranks, static_cast<int>(to), message.data(), size);
    }
    std::string receiveNow(unsigned from) {
        begun_.get();
        std::uint64_t size = 0;
        mpi_.receive(mpi_.ranks, static_cast<int>(from), reinterpret_cast<char*>(&size), sizeof size);
        std::string message(size, '\0');
        mpi_.receive(mpi_.ranks, static_cast<int>(from), message.data(), size);
        return message;
    }

    Launched launched_;
    HolosMpi mpi_{};
    std::shared_future<void> begun_;
    OwnThread thread_;  ///< MPI wants to be called by the thread that began it
};

}  // namespace

std::unique_ptr<Ranks> launchedRanks(const std::vector<fs::path>& folders) {
    const Launched known = launched();
    if (known.count == 1) return std::make_unique<Alone>();
    return std::make_unique<MpiRanks>(known, loadPlugin(known, folders));
}

}  // namespace holos::analyzer::workers
