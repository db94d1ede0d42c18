// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "validation/kernels.h"
#include "validation/microbenchmark.h"

namespace holos::validation {

std::vector<std::uint64_t> Microbenchmark::sizes() const {
    std::vector<std::uint64_t> all;
    for (std::uint64_t size = smallest; size <= largest && size > 0; size *= 10) all.push_back(size);
    return all;
}

std::span<const Microbenchmark> microbenchmarks() {
    using namespace kernels;
    static const std::vector<Microbenchmark> all{
        {kReading, "nothing but two readings of the counter", {}, 0, 0, 1, nothing},
        {"page-writes",
         "pages written for the first time",
         {"page-faults", "minor-faults", "ru_minflt", "PAPI_TLB_DM", "PAPI_TLB_TL"},
         1,
         10'000,
         1,
         writePages},
        {"page-reads",
         "pages read for the first time",
         {"page-faults", "minor-faults", "ru_minflt", "dTLB-load-misses"},
         1,
         10'000,
         1,
         readPages},
        {"hand-over",
         "times that a thread slept until another one woke it",
         {"context-switches", "ru_nvcsw"},
         1,
         1'000,
         1,
         handOver},
        {"migration", "moves to another processor", {"cpu-migrations"}, 1, 1'000, 2, migrate},
        {"processor-time",
         "nanoseconds of processor time by the thread's clock",
         {"task-clock", "cpu-clock", "ru_utime"},
         1'000,
         10'000'000,
         1,
         compute},
        {"others-lines",
         "lines read that another processor wrote",
         {"L1-dcache-load-misses", "cache-misses", "LLC-load-misses", "PAPI_L1_DCM", "PAPI_L1_LDM",
          "PAPI_L2_DCM", "PAPI_L2_LDM"},
         1,
         1'000'000,
         2,
         readOthersLines},
        {"lent-lines",
         "written lines that another processor read",
         {"PAPI_CA_ITV", "PAPI_CA_SNP"},
         1,
         10'000,
         2,
         lendLines},
        {"ping-pong",
         "writes of a word that another processor wrote",
         {"PAPI_CA_INV"},
         1,
         1'000'000,
         2,
         pingPong},
        {"shared-lines",
         "writes of lines that two processors have",
         {"PAPI_CA_SHR"},
         1,
         10'000,
         2,
         writeSharedLines},
        {"clean-lines",
         "writes of lines that were read into the cache",
         {"PAPI_CA_CLN"},
         1,
         1'000'000,
         2,
         writeCleanLines},
        {"additions",
         "floating-point additions",
         {"PAPI_FP_INS", "PAPI_FP_OPS", "PAPI_FAD_INS", "PAPI_DP_OPS"},
         1,
         1'000'000,
         1,
         additions},
        {"multiplications",
         "floating-point multiplications",
         {"PAPI_FP_INS", "PAPI_FP_OPS", "PAPI_FML_INS"},
         1,
         1'000'000,
         1,
         multiplications},
        {"divisions",
         "floating-point divisions",
         {"PAPI_FP_INS", "PAPI_FP_OPS", "PAPI_FDV_INS"},
         1,
         1'000'000,
         1,
         divisions},
        {"loads",
         "loads from the first cache",
         {"L1-dcache-loads", "PAPI_LD_INS", "PAPI_L1_DCR"},
         1,
         1'000'000,
         1,
         loads},
        {"stores",
         "stores to the first cache",
         {"L1-dcache-stores", "PAPI_SR_INS", "PAPI_L1_DCW"},
         1,
         1'000'000,
         1,
         stores},
        {"instructions", "instructions", {"instructions", "PAPI_TOT_INS"}, 10, 1'000'000, 1, instructions},
        {"taken-branches",
         "branches at the end of a loop",
         {"branches", "PAPI_BR_INS", "PAPI_BR_CN", "PAPI_BR_TKN"},
         1,
         1'000'000,
         1,
         takenBranches},
        {"random-branches",
         "branches taken the other way than predicted",
         {"branch-misses", "PAPI_BR_MSP"},
         100,
         1'000'000,
         1,
         randomBranches},
    };
    return all;
}

const Microbenchmark& microbenchmark(const std::string& name) {
    std::vector<std::string> names;
    for (const Microbenchmark& each : microbenchmarks()) {
        if (each.name == name) return each;
        names.emplace_back(each.name);
    }
    throw Error(name + ": no such microbenchmark" + didYouMean(name, names) + " (--list shows them)");
}

}  // namespace holos::validation
