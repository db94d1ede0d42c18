// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/files.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <string_view>

#include "base/error.h"

namespace holos::counters {
namespace {

/// All that is read of a file: the start of /proc/meminfo and the like is enough.
using Buffer = std::array<char, 4096>;

std::string_view contentOf(const char* file, Buffer& buffer) noexcept {
    const int opened = ::open(file, O_RDONLY | O_CLOEXEC);
    if (opened < 0) return {};
    const ssize_t size = ::read(opened, buffer.data(), buffer.size());
    ::close(opened);
    return {buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

std::optional<std::uint64_t> valueIn(std::string_view text, const FileValue& value) noexcept {
    if (!value.key.empty()) {
        const auto key = text.find(value.key);
        if (key == std::string_view::npos) return std::nullopt;
        text.remove_prefix(key + value.key.size());
    }
    const auto number = numberIn(text, value.field);
    return number ? std::optional(*number * value.factor) : std::nullopt;
}

/// Values of one file that follow each other are read at once.
class FileGroup final : public Group {
  public:
    explicit FileGroup(std::vector<FileValue> values)
        : values_(std::move(values)), last_(values_.size()), rounds_(values_.size()), now_(values_.size()) {}

    bool read(std::uint64_t* values) noexcept override {
        Buffer buffer;
        std::string_view text;
        for (std::size_t i = 0; i < values_.size(); ++i) {
            if (i == 0 || values_[i].file != values_[i - 1].file)
                text = contentOf(values_[i].file.c_str(), buffer);
            const auto value = valueIn(text, values_[i]);
            if (!value) return false;
            now_[i] = *value;
        }
        for (std::size_t i = 0; i < values_.size(); ++i) values[i] = widened(i);
        return true;
    }

  private:
    std::uint64_t widened(std::size_t i) noexcept {
        const std::uint64_t period = values_[i].period;
        if (period != 0 && now_[i] < last_[i]) rounds_[i] += period;
        last_[i] = now_[i];
        return rounds_[i] + now_[i];
    }

    std::vector<FileValue> values_;
    std::vector<std::uint64_t> last_;
    std::vector<std::uint64_t> rounds_;  ///< what has to be added since the value began again
    std::vector<std::uint64_t> now_;
};

Counter counterOf(const FileValue& value) {
    Counter counter = value.counter;
    if (valueOf(value)) return counter;
    std::ifstream file(value.file);
    counter.unavailable =
        value.file + ": " + (file ? "holds no such number" : std::string(std::strerror(errno)));
    return counter;
}

}  // namespace

std::optional<std::uint64_t> numberIn(std::string_view text, unsigned field) noexcept {
    constexpr std::string_view kDigits = "0123456789";
    const char* const start = text.data();
    // A sign stands alone: the dash of `0-7` is none.
    const auto hasSign = [start](const char* number) {
        if (number == start || number[-1] != '-') return false;
        return number - start == 1 || number[-2] == ' ' || number[-2] == '\t';
    };
    for (;; --field) {
        const auto begin = text.find_first_of(kDigits);
        if (begin == std::string_view::npos) return std::nullopt;
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), number);
        if (field == 0) {
            if (error != std::errc{}) return std::nullopt;
            return hasSign(text.data() + begin) ? 0 - number : number;
        }
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
}

int moveToHighDescriptor(int file) noexcept {
    constexpr rlim_t kBeginOfFar = 512;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return file;
    const int moved =
        ::fcntl(file, F_DUPFD_CLOEXEC, static_cast<int>(std::min(kBeginOfFar, limit.rlim_cur / 2)));
    if (moved < 0) return file;
    ::close(file);
    return moved;
}

std::optional<std::uint64_t> valueOf(const FileValue& value) noexcept {
    Buffer buffer;
    return valueIn(contentOf(value.file.c_str(), buffer), value);
}

std::string lineOf(const fs::path& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

std::vector<fs::path> entriesOf(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) entries.push_back(entry.path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

std::unique_ptr<Group> openFiles(std::vector<FileValue> values) {
    return std::make_unique<FileGroup>(std::move(values));
}

std::vector<Counter> FileSource::list() const {
    std::vector<Counter> all;
    for (const auto& value : description_.list()) all.push_back(counterOf(value));
    return all;
}

std::string FileSource::unavailable() const {
    return description_.list().empty() ? description_.missing : "";
}

std::unique_ptr<Counter> FileSource::find(const std::string& name) const {
    for (const auto& value : description_.list())
        if (value.counter.name == name) return std::make_unique<Counter>(counterOf(value));
    return nullptr;
}

std::unique_ptr<Group> FileSource::open(std::span<const std::string> names) const {
    const auto all = description_.list();
    std::vector<FileValue> chosen;
    for (const auto& name : names) {
        const auto at = std::find_if(all.begin(), all.end(),
                                     [&](const auto& value) { return value.counter.name == name; });
        if (at == all.end()) throw Refusal(name, std::string("not a counter of ") + description_.name);
        if (!valueOf(*at)) throw Refusal(name, counterOf(*at).unavailable);
        chosen.push_back(*at);
    }
    return openFiles(std::move(chosen));
}

}  // namespace holos::counters
