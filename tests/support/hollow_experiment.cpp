// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/hollow_experiment.h"

#include <sys/stat.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "algebra/files/cubex.h"
#include "algebra/files/stored_values.h"

namespace holos::testing {

using namespace algebra;

namespace {

constexpr std::uint64_t kBlock = 512;
constexpr std::uint64_t kEndMark = 2 * kBlock;

/// Whether a file may be long and empty here.
bool hasHoles(const std::filesystem::path& file) {
    constexpr std::uint64_t kProbe = std::uint64_t{16} << 20;
    std::ofstream(file, std::ios::binary).put('\0');
    std::error_code failure;
    std::filesystem::resize_file(file, kProbe, failure);
    struct stat status {};
    const bool isThere = !failure && ::stat(file.c_str(), &status) == 0;
    return isThere && static_cast<std::uint64_t>(status.st_blocks) * kBlock < kProbe / 2;
}

/// Writes members of a container behind each other, the larger part of them as holes.
class HollowFile {
  public:
    explicit HollowFile(const std::filesystem::path& file)
        : file_(file), stream_(file, std::ios::binary | std::ios::in | std::ios::out) {
        at_ = std::filesystem::file_size(file) - kEndMark;
    }

    void beginMember(const std::string& name, std::uint64_t size) {
        std::string header(kBlock, '\0');
        header.replace(0, name.size(), name);
        char digits[12];
        std::snprintf(digits, sizeof digits, "%011llo", static_cast<unsigned long long>(size));
        header.replace(124, 11, digits);
        header[156] = '0';
        header.replace(257, 8, std::string("ustar\00000", 8));
        put(at_, header);
        begin_ = at_ + kBlock;
        at_ = begin_ + (size + kBlock - 1) / kBlock * kBlock;
    }
    /// Bytes of the member that was begun.
    void write(std::uint64_t offset, const std::string& bytes) { put(begin_ + offset, bytes); }

    bool finish() {
        stream_.close();
        std::error_code failure;
        std::filesystem::resize_file(file_, at_ + kEndMark, failure);
        return !failure && stream_;
    }

  private:
    void put(std::uint64_t offset, const std::string& bytes) {
        stream_.seekp(static_cast<std::streamoff>(offset));
        stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }

    std::filesystem::path file_;
    std::fstream stream_;
    std::uint64_t at_ = 0;
    std::uint64_t begin_ = 0;
};

std::string bytesOf(double value) {
    std::string bytes;
    appendNumber(bytes, value);
    return bytes;
}

std::string denseIndex() {
    std::string bytes(values::kIndexMark);
    appendNumber(bytes, values::kNativeOrder);
    appendNumber(bytes, std::uint16_t{0});
    appendNumber(bytes, values::kDense);
    return bytes;
}

void writeMetric(HollowFile& out, unsigned metric, const LargeExperimentShape& shape, HollowSums sums) {
    const std::uint64_t head = values::kDataMark.size();
    const std::uint64_t rows = shape.callPaths, locations = shape.locations();
    const std::uint64_t end = head + rows * locations * sizeof(double);
    const std::uint64_t sumsAt = end + values::kSumsMarkWithoutLeasts.size();
    const bool hasSums = sums == HollowSums::Stored;
    out.beginMember(std::to_string(metric) + ".data",
                    hasSums ? sumsAt + (rows + locations) * sizeof(double) : end);
    const std::string first = bytesOf(metric + 1.0), last = bytesOf(metric + 2.0);
    out.write(0, std::string(values::kDataMark));
    out.write(head, first);
    out.write(end - sizeof(double), last);
    if (hasSums) {
        out.write(end, std::string(values::kSumsMarkWithoutLeasts));
        out.write(sumsAt, first);
        out.write(sumsAt + (rows - 1) * sizeof(double), last);
        out.write(sumsAt + rows * sizeof(double), first);
        out.write(sumsAt + (rows + locations - 1) * sizeof(double), last);
    }
    out.beginMember(std::to_string(metric) + ".index", denseIndex().size());
    out.write(0, denseIndex());
}

}  // namespace

bool writeHollowExperiment(const LargeExperimentShape& shape, const std::filesystem::path& file,
                           HollowSums sums) {
    if (!hasHoles(file)) return false;
    Experiment structure = largeExperiment(shape);
    structure.severities = Severities();
    writeCubex(structure, file);
    HollowFile out(file);
    for (unsigned metric = 0; metric < shape.metrics; ++metric) writeMetric(out, metric, shape, sums);
    return out.finish();
}

}  // namespace holos::testing
