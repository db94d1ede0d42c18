// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <vector>

#include "algebra/model/experiment.h"
#include "base/links.h"

namespace holos::algebra {

enum class FileFormat : unsigned char {
    Cubex,  ///< CUBE 4: a container, `.cubex`
    Cube3,  ///< CUBE 3: an XML document, `.cube` or packed `.cube.gz`
    Other,  ///< a profile of another tool
};

/// By content, whatever the name. Throws `holos::Error` for a file that cannot be read.
FileFormat formatOf(const std::filesystem::path& file);

/// By name: `.cube` and `.cube.gz` are CUBE 3, everything else is CUBE 4.
FileFormat formatFor(const std::filesystem::path& file);

/// The experiment of a folder: that of `holos analyze` or `holos campaign`, or of Score-P and Scalasca. What
/// is no folder is the file itself. Throws `holos::Error` for a folder without one.
std::filesystem::path experimentAt(const std::filesystem::path& fileOrFolder);

/// `readCubex`, `readCube3` or the reader of another tool's profiles, by content. The file may be the folder
/// that it is in, as `experimentAt` says.
Experiment readExperiment(const std::filesystem::path& file);

/// Each of these files, at the same time where there are processor cores. Throws for the first that cannot
/// be read.
std::vector<Experiment> readExperiments(const std::vector<std::filesystem::path>& files);

/// `writeCubex` or `writeCube3`, by name.
void writeExperiment(const Experiment& experiment, const std::filesystem::path& file,
                     Links links = Links::Followed);

}  // namespace holos::algebra
