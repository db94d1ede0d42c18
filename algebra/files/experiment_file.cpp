// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/experiment_file.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "algebra/files/cube3.h"
#include "algebra/files/cubex.h"
#include "algebra/files/file_reader.h"
#include "algebra/files/foreign/foreign.h"
#include "algebra/files/hpctoolkit.h"
#include "algebra/files/packed/compression.h"
#include "base/error.h"

namespace holos::algebra {

namespace fs = std::filesystem;

namespace {

/// The best first: Scalasca's analysis of a trace says more than its summary, that more than a profile, and
/// all of them more than a snapshot of a run that went on.
constexpr const char* kExperimentsOfFolders[] = {"analysis.cubex", "campaign.cubex", "trace.cubex",
                                                 "scout.cubex",    "summary.cubex",  "profile.cubex",
                                                 "snapshot.cubex"};

/// Of folders that other tools write: TAU's profiles and HPCToolkit's databases.
constexpr const char* kFirstFilesOfOthers[] = {"profile.0.0.0", "meta.db", "experiment.xml"};

/// TAU's profiles of several metrics have a folder for each: a file of the first one.
std::optional<fs::path> firstOfSeveralMetrics(const fs::path& folder) {
    std::optional<fs::path> first;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const fs::path file = entry.path() / "profile.0.0.0";
        if (entry.path().filename().string().starts_with("MULTI__") && fs::is_regular_file(file, ignored) &&
            (!first || file < *first))
            first = file;
    }
    return first;
}

}  // namespace

namespace {

struct FormatOfFile {
    FileFormat format;
    ForeignReader readOther = nullptr;
};

FormatOfFile formatOfFile(const fs::path& path) {
    constexpr std::uint64_t kBegin = 256;
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (const ForeignReader read = hpctoolkitReaderOf(path)) return {FileFormat::Other, read};
    const FileReader file(path);
    const std::string bytes = file.read(0, std::min(kBegin, file.size()));
    std::string_view begin = bytes;
    if (begin.starts_with(kByteOrderMark)) begin.remove_prefix(kByteOrderMark.size());
    const auto first = begin.find_first_not_of(" \t\r\n");
    if (first != begin.npos && begin[first] == '<') return {FileFormat::Cube3};
    if (const ForeignReader read = foreignReaderOf(path)) return {FileFormat::Other, read};
    return {isGzip(begin) ? FileFormat::Cube3 : FileFormat::Cubex};
}

}  // namespace

FileFormat formatOf(const fs::path& path) {
    return formatOfFile(path).format;
}

FileFormat formatFor(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    return name.ends_with(".cube") || name.ends_with(".cube.gz") ? FileFormat::Cube3 : FileFormat::Cubex;
}

fs::path experimentAt(const fs::path& fileOrFolder) {
    std::error_code ignored;
    if (!fs::is_directory(fileOrFolder, ignored)) return fileOrFolder;
    for (const char* name : kExperimentsOfFolders)
        if (fs::path file = fileOrFolder / name; fs::is_regular_file(file, ignored)) return file;
    for (const char* name : kFirstFilesOfOthers)
        if (fs::path file = fileOrFolder / name; fs::is_regular_file(file, ignored)) return file;
    if (const auto file = firstOfSeveralMetrics(fileOrFolder)) return *file;
    throw Error("is a folder without an experiment; holos analyze makes one (analysis.cubex) of a recording",
                Place{.file = fileOrFolder.string()});
}

namespace {

/// What other tools write without a single value would open as a program that did nothing.
Experiment readOther(ForeignReader read, const fs::path& file) {
    Experiment experiment = read(file);
    if (experiment.metrics.empty())
        throw Error(
            "is a profile without numbers: none of its columns or events has a value that can be shown",
            Place{.file = file.string()});
    if (experiment.callTree.empty() || experiment.system.locations.empty())
        throw Error("is a profile without a function or a thread: nothing was measured, or it was cut off",
                    Place{.file = file.string()});
    return experiment;
}

}  // namespace

Experiment readExperiment(const fs::path& fileOrFolder) {
    const fs::path file = experimentAt(fileOrFolder);
    const FormatOfFile found = formatOfFile(file);
    if (found.format == FileFormat::Other) return readOther(found.readOther, file);
    return found.format == FileFormat::Cube3 ? readCube3(file) : readCubex(file);
}

std::vector<Experiment> readExperiments(const std::vector<std::filesystem::path>& files) {
    std::vector<Experiment> experiments(files.size());
    std::vector<std::exception_ptr> failures(files.size());
    tbb::parallel_for(std::size_t{0}, files.size(), [&](std::size_t at) {
        try {
            experiments[at] = readExperiment(files[at]);
        } catch (...) {
            failures[at] = std::current_exception();
        }
    });
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
    return experiments;
}

void writeExperiment(const Experiment& experiment, const std::filesystem::path& file, Links links) {
    if (formatFor(file) == FileFormat::Cube3)
        writeCube3(experiment, file, links);
    else
        writeCubex(experiment, file, links);
}

}  // namespace holos::algebra
