// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracing/counters/source.h"

/// Counters whose values are numbers in files of the kernel.
namespace holos::counters {

namespace fs = std::filesystem;

/// A number in a file: the `field`th one behind `key`, or in the file where there is no key.
struct FileValue {
    Counter counter;
    std::string file;
    std::string key{};
    unsigned field = 0;
    std::uint64_t factor = 1;  ///< from the file's unit to the counter's
    std::uint64_t period = 0;  ///< a growing value begins again at 0 behind this one; 0 when it never does
};

/// A source of such counters. `list` is asked once for each call of the source, as devices come and go.
class FileSource final : public Source {
  public:
    struct Description {
        const char* name;
        Scope scope;
        std::vector<FileValue> (*list)();
        const char* missing;  ///< why the list is empty where it is
    };
    explicit FileSource(const Description& description) : description_(description) {}

    const char* name() const override { return description_.name; }
    Scope scope() const override { return description_.scope; }
    std::vector<Counter> list() const override;
    std::string unavailable() const override;
    std::unique_ptr<Counter> find(const std::string& name) const override;
    std::unique_ptr<Group> open(std::span<const std::string> names) const override;

  private:
    Description description_;
};

/// Opens such counters. The files are opened for each reading: the program keeps its file numbers.
std::unique_ptr<Group> openFiles(std::vector<FileValue> values);

/// The number of a file now; nothing when it cannot be read or has none.
std::optional<std::uint64_t> valueOf(const FileValue& value) noexcept;
/// The `field`th number of a text, a negative one as two's complement; nothing when it has fewer.
std::optional<std::uint64_t> numberIn(std::string_view text, unsigned field) noexcept;
/// Moves an open file to a high descriptor, away from the low ones that a program may count on. Returns the
/// new descriptor, or `file` where there is no room.
int moveToHighDescriptor(int file) noexcept;
/// The first line of a file; empty where it cannot be read.
std::string lineOf(const fs::path& file);
/// The entries of a folder in the order of their names; none where there is no such folder.
std::vector<fs::path> entriesOf(const fs::path& folder);

/// Counters of the scheduler, whose numbers are in such a file as /proc/thread-self/schedstat.
std::unique_ptr<Group> openScheduler(const std::string& file, std::span<const std::string> names);

/// Memory and files of a process, by its folder, such as /proc/self.
std::vector<FileValue> processFilesIn(const std::string& folder);
/// Memory, network, fabrics, disks and file systems of a node, whose `proc` and `sys` are below this folder.
std::vector<FileValue> nodeFilesBelow(const fs::path& root);
/// What a folder like /sys/class/hwmon lists.
std::vector<FileValue> sensorsIn(const fs::path& folder);
/// What a folder like /sys/class/powercap lists.
std::vector<FileValue> energyIn(const fs::path& folder);

}  // namespace holos::counters
