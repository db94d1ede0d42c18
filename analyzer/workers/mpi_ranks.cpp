// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/workers/mpi_ranks.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <optional>

#include "analyzer/workers/mpi_plugin.h"
#include "metric-specs/error.h"

namespace holos::analyzer::workers {

namespace {

namespace fs = std::filesystem;

/// What launchers say of the number of processes that they started. Slurm's variable for a step is set only
/// by `srun`, not in a batch script.
constexpr std::array<const char*, 3> kSizes{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};

unsigned launchedProcesses() {
    for (const char* variable : kSizes)
        if (const char* value = std::getenv(variable))
            return static_cast<unsigned>(std::max(1L, std::strtol(value, nullptr, 10)));
    return 1;
}

std::string pluginName(const std::string& family) {
    return "libholos-ranks-" + family + ".so";
}

/// The plugin of the MPI that the launcher is likely to belong to, or else of the other one.
std::optional<fs::path> findPlugin(const fs::path& folder) {
    const bool isOpenMpi = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr ||
                           (std::getenv("PMI_SIZE") == nullptr && std::getenv("PMIX_RANK") != nullptr);
    std::array<const char*, 2> families{"openmpi", "mpich"};
    if (!isOpenMpi) std::swap(families[0], families[1]);
    for (const char* family : families)
        if (const fs::path path = folder / pluginName(family); fs::exists(path)) return path;
    return std::nullopt;
}

class MpiRanks final : public Ranks {
  public:
    explicit MpiRanks(const HolosMpi& mpi) : mpi_(mpi) {}

    unsigned self() const override { return static_cast<unsigned>(mpi_.self); }
    unsigned count() const override { return static_cast<unsigned>(mpi_.count); }
    unsigned onThisMachine() const override { return static_cast<unsigned>(mpi_.onThisMachine); }
    void send(unsigned to, const std::string& message) override {
        const std::uint64_t size = message.size();
        mpi_.send(static_cast<int>(to), reinterpret_cast<const char*>(&size), sizeof size);
        mpi_.send(static_cast<int>(to), message.data(), size);
    }
    std::string receive(unsigned from) override {
        std::uint64_t size = 0;
        mpi_.receive(static_cast<int>(from), reinterpret_cast<char*>(&size), sizeof size);
        std::string message(size, '\0');
        mpi_.receive(static_cast<int>(from), message.data(), size);
        return message;
    }
    void finish() override { mpi_.finish(); }

  private:
    HolosMpi mpi_;
};

}  // namespace

std::unique_ptr<Ranks> launchedRanks(const fs::path& plugins) {
    const unsigned launched = launchedProcesses();
    if (launched == 1) return std::make_unique<Alone>();
    const std::string how = "a launcher started " + std::to_string(launched) + " processes, but ";
    const auto path = findPlugin(plugins);
    if (!path)
        throw Error(how + "this Holos was built without MPI (neither " + pluginName("openmpi") + " nor " +
                        pluginName("mpich") + " is there): start one process, with several threads (-j)",
                    {.file = plugins.string()});
    // MPI's own plugins find the library's symbols only when these are global.
    void* library = dlopen(path->c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr)
        throw Error(how + "the library for MPI cannot be loaded: " + dlerror(), {.file = path->string()});
    auto* begin = reinterpret_cast<HolosMpiBegin*>(dlsym(library, kHolosMpiBegin));
    if (begin == nullptr) throw Error("is not a library of this Holos", {.file = path->string()});
    auto ranks = std::make_unique<MpiRanks>(begin());
    if (ranks->count() != launched) {
        const unsigned known = ranks->count();
        ranks->finish();
        throw Error(how + "this library's MPI knows of " + std::to_string(known) +
                        ": take the launcher of the same MPI",
                    {.file = path->string()});
    }
    return ranks;
}

}  // namespace holos::analyzer::workers
