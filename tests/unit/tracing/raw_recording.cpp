// SPDX-License-Identifier: BSD-3-Clause
#include "tests/unit/tracing/raw_recording.h"

#include <algorithm>
#include <fstream>

namespace holos::testing {

using tracing::DefinitionKind;

namespace {

template <class T>
void writeFile(const std::filesystem::path& file, const T* data, std::size_t count) {
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(count * sizeof(T)));
}

constexpr std::size_t kRecordWords = tracing::kChunkBytes / sizeof(std::uint64_t) - 1;

void pad(std::ostream& out, std::uintmax_t bytes) {
    const std::string zeros(bytes, '\0');
    out.write(zeros.data(), static_cast<std::streamsize>(zeros.size()));
}

}  // namespace

RawDefinitions& RawDefinitions::begin(DefinitionKind kind) {
    bytes_.resize((bytes_.size() + 3) / 4 * 4);
    entry_ = bytes_.size();
    bytes_.insert(bytes_.end(), sizeof(std::uint32_t), 0);
    return add(kind);
}

RawDefinitions& RawDefinitions::text(const std::string& value) {
    add(static_cast<std::uint32_t>(value.size()));
    bytes_.insert(bytes_.end(), value.begin(), value.end());
    return fixLength();
}

RawDefinitions& RawDefinitions::fixLength() {
    const auto length = static_cast<std::uint32_t>(bytes_.size() - entry_ - sizeof(std::uint32_t));
    std::memcpy(bytes_.data() + entry_, &length, sizeof length);
    return *this;
}

RawDefinitions& RawDefinitions::process(const std::string& executable, const std::string& boot,
                                        const std::string& clock) {
    begin(DefinitionKind::Process).add(tracing::kFormatVersion);
    add(static_cast<std::uint32_t>(tracing::kChunkBytes)).add(std::uint64_t{42}).add(std::int64_t{-1});
    return text("host").text(boot).text(executable).text(clock).add(std::uint32_t{1}).text(executable);
}

RawDefinitions& RawDefinitions::sync(std::uint64_t ticks, std::int64_t nanoseconds) {
    return begin(DefinitionKind::ClockSync).add(ticks).add(nanoseconds).add(nanoseconds);
}

RawDefinitions& RawDefinitions::region(std::uint32_t ref, const std::string& name, tracing::Paradigm paradigm,
                                       tracing::Role role) {
    begin(DefinitionKind::Region).add(ref);
    add(static_cast<std::uint8_t>(paradigm)).add(static_cast<std::uint8_t>(role));
    return add(std::uint32_t{1}).add(std::uint32_t{2}).text(name).text("file.c");
}

RawDefinitions& RawDefinitions::world(std::uint32_t rank, std::uint32_t size, std::uint64_t id) {
    return begin(DefinitionKind::World).add(rank).add(size).add(id);
}

RawEvents& RawEvents::add(tracing::RecordKind kind, std::uint64_t ticks,
                          const std::vector<std::uint64_t>& words) {
    if (words_.size() % kRecordWords + 1 + words.size() > kRecordWords) nextChunk();
    words_.push_back(tracing::header(kind, ticks));
    words_.insert(words_.end(), words.begin(), words.end());
    return *this;
}

RawEvents& RawEvents::nextChunk() {
    words_.resize((words_.size() / kRecordWords + 1) * kRecordWords, 0);
    return *this;
}

void RawEvents::write(const std::filesystem::path& folder, std::uint32_t location) const {
    const std::filesystem::path file = folder / "events";
    std::error_code missing;
    const auto before = std::filesystem::file_size(file, missing);
    std::ofstream out(file, std::ios::binary | std::ios::app);
    if (!missing) pad(out, (tracing::kChunkBytes - before % tracing::kChunkBytes) % tracing::kChunkBytes);
    const std::uint64_t head = tracing::chunkHead(location, tracing::kChunkBytes);
    for (std::size_t at = 0; at < words_.size(); at += kRecordWords) {
        const std::size_t words = std::min(kRecordWords, words_.size() - at);
        out.write(reinterpret_cast<const char*>(&head), sizeof head);
        out.write(reinterpret_cast<const char*>(words_.data() + at),
                  static_cast<std::streamsize>(words * sizeof(std::uint64_t)));
    }
}

std::filesystem::path writeProcess(const std::filesystem::path& recording, const std::string& name,
                                   const RawDefinitions& definitions, bool ended) {
    const std::filesystem::path folder = recording / name;
    std::filesystem::create_directories(folder);
    writeFile(folder / "definitions", definitions.bytes().data(), definitions.bytes().size());
    tracing::Status status{};
    status.ended = ended ? 1 : 0;
    writeFile(folder / "status", &status, 1);
    return folder;
}

}  // namespace holos::testing
