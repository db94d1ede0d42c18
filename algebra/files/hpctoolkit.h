// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "algebra/files/foreign/foreign.h"

namespace holos::algebra {

/// What a metric of HPCToolkit is called here, and what its values have to be multiplied with.
struct HpctoolkitMetric {
    std::string name;
    std::string unit;
    double scale = 1.0;
};
/// Of names such as `CPUTIME (sec)` and `PAPI_TOT_CYC`.
HpctoolkitMetric hpctoolkitMetric(std::string_view name);

/// The reader of a file of HPCToolkit, by how it begins; null for what is none.
ForeignReader hpctoolkitReaderOf(const std::filesystem::path& file);

/// The folder with meta.db and profile.db of HPCToolkit 2022 and later, of which this is one file. Throws
/// `holos::Error`.
Experiment readHpctoolkitDatabase(const std::filesystem::path& file);

/// HPCToolkit's experiment.xml before 2022, and the metrics of threads beside it. Throws `holos::Error`.
Experiment readHpctoolkitXml(const std::filesystem::path& file);

}  // namespace holos::algebra
