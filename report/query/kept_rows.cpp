// SPDX-License-Identifier: BSD-3-Clause
#include "report/query/kept_rows.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>

#include "base/error.h"

namespace holos::query {

namespace {

constexpr std::size_t kMostText = std::size_t{256} << 20U;  ///< bytes of different texts

template <class Number>
void addBytes(std::string& bytes, Number number) {
    std::array<char, sizeof(Number)> raw;
    std::memcpy(raw.data(), &number, raw.size());
    bytes.append(raw.data(), raw.size());
}

template <class Number>
Number bytesAt(const char*& at) {
    Number number;
    std::memcpy(&number, at, sizeof(Number));
    at += sizeof(Number);
    return number;
}

}  // namespace

std::vector<std::size_t> RowOrder::columnsBesideKeys() const {
    std::uint64_t rest = columns;
    for (const OrderKey& key : keys) rest &= ~(std::uint64_t{1} << key.column);
    std::vector<std::size_t> found;
    for (std::size_t column = 0; column < kMostColumns; ++column)
        if ((rest >> column & 1U) != 0) found.push_back(column);
    return found;
}

int compared(const Value& one, const Value& other) {
    const auto rank = [](const Value& value) { return value.index() == 0 ? 0 : value.index() == 3 ? 2 : 1; };
    if (rank(one) != rank(other)) return rank(one) < rank(other) ? -1 : 1;
    if (rank(one) == 0) return 0;
    if (rank(one) == 2) return std::get<std::string_view>(one).compare(std::get<std::string_view>(other));
    const auto* whole = std::get_if<std::int64_t>(&one);
    const auto* otherWhole = std::get_if<std::int64_t>(&other);
    if (whole != nullptr && otherWhole != nullptr)
        return *whole < *otherWhole ? -1 : static_cast<int>(*whole > *otherWhole);
    const auto number = [](const Value& value) {
        const auto* exact = std::get_if<std::int64_t>(&value);
        return exact != nullptr ? static_cast<double>(*exact) : std::get<double>(value);
    };
    return number(one) < number(other) ? -1 : static_cast<int>(number(one) > number(other));
}

std::uint32_t Packing::numberOf(std::string_view text) {
    Recent& recent =
        recent_[reinterpret_cast<std::uintptr_t>(text.data()) / sizeof(std::string) % recent_.size()];
    if (recent.at == text.data() && recent.at != nullptr && texts_[recent.number] == text)
        return recent.number;
    const auto known = numbers_.find(text);
    const auto number = known != numbers_.end() ? known->second : static_cast<std::uint32_t>(texts_.size());
    if (known == numbers_.end()) {
        bytes_ += text.size() + sizeof(std::string);
        if (bytes_ > kMostText) throw std::bad_alloc();
        numbers_.emplace(texts_.emplace_back(text), number);
    }
    recent = {text.data(), number};
    return number;
}

void Packing::add(std::string& bytes, const Value& value) {
    bytes.push_back(static_cast<char>(value.index()));
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        addBytes(bytes, *whole);
    else if (const auto* number = std::get_if<double>(&value))
        addBytes(bytes, *number);
    else if (const auto* text = std::get_if<std::string_view>(&value))
        addBytes(bytes, numberOf(*text));
}

Value Packing::take(const char*& at) const {
    switch (*at++) {
        case 0:
            return {};
        case 1:
            return bytesAt<std::int64_t>(at);
        case 2:
            return bytesAt<double>(at);
        default:
            return texts_[bytesAt<std::uint32_t>(at)];
    }
}

std::uint64_t UnnamedFile::append(std::string_view bytes) {
    if (!file_) open();
    const std::uint64_t place = end_;
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t some =
            pwrite(file_.number(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(end_ + done));
        if (some < 0 && errno != EINTR) fail("rows to be put in order cannot be kept there");
        done += static_cast<std::size_t>(std::max<ssize_t>(some, 0));
    }
    end_ += bytes.size();
    return place;
}

void UnnamedFile::read(std::uint64_t place, std::size_t size, std::string& bytes) const {
    bytes.resize(size);
    for (std::size_t done = 0; done < size;) {
        const ssize_t some =
            pread(file_.number(), bytes.data() + done, size - done, static_cast<off_t>(place + done));
        if (some == 0 || (some < 0 && errno != EINTR)) fail("rows to be put in order cannot be read there");
        done += static_cast<std::size_t>(std::max<ssize_t>(some, 0));
    }
}

void UnnamedFile::open() {
    file_ = Descriptor(::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (file_) return;
    std::string name = (folder_ / "holos-rows-XXXXXX").string();
    file_ = Descriptor(mkostemp(name.data(), O_CLOEXEC));
    if (!file_) fail("no file for rows to be put in order can be made there");
    unlink(name.c_str());
}

void UnnamedFile::fail(const char* what) const {
    throw Error(std::string(what) + ": " + std::generic_category().message(errno) +
                    "; choose another folder with TMPDIR, or ask for a part (location, start, region)",
                Place{.file = folder_.string()});
}

}  // namespace holos::query
