// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/run/packed_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/fnv1a.h"
#include "base/input_file.h"
#include "base/packing.h"
#include "tracing/recordings/archive/folder/living.h"
#include "tracing/recordings/archive/folder/local_events.h"
#include "tracing/recordings/archive/folder/many_files.h"
#include "tracing/recordings/format/definition_kinds.h"

namespace holos::archive {
namespace {

/// A process's own records are a few kilobytes; a file that has more is not one of ours.
constexpr std::uintmax_t kLargestDefinitions = std::uintmax_t{1} << 30;

/// No entry of them is larger.
constexpr std::uint32_t kLargestEntry = 1u << 26;

/// Whether it is known that these bytes have all entries, of which the first one that was not looked at is at
/// `at`: they end with a length of 0.
bool haveAllEntries(const std::vector<unsigned char>& bytes, std::size_t& at) {
    std::uint32_t length = 0;
    for (; at + sizeof length <= bytes.size(); at += tracing::entryBytes(length)) {
        std::memcpy(&length, bytes.data() + at, sizeof length);
        length &= ~tracing::kUnfinished;
        if (length == 0 || length > kLargestEntry) return true;
    }
    return false;
}

/// As far as its entries go: behind them a file may have next to nothing, and be very large.
std::vector<unsigned char> readEntries(const fs::path& path) {
    constexpr std::size_t kPortion = std::size_t{1} << 18;
    const Descriptor file = openRegular(path);
    if (!file) throw Error("cannot be read: " + std::string(std::strerror(errno)), {.file = path.string()});
    std::vector<unsigned char> bytes;
    std::size_t at = 0;
    for (std::size_t portion = kPortion; !haveAllEntries(bytes, at) && bytes.size() < kLargestDefinitions;
         portion = std::max(portion, bytes.size())) {
        const std::size_t before = bytes.size();
        bytes.resize(before + portion);
        const std::size_t more = readAt(file, bytes.data() + before, portion, before);
        bytes.resize(before + more);
        if (more < portion) break;
    }
    return bytes;
}

/// A process that copies its events has a reserve until the disk is full.
bool findReserve(const fs::path& process, const std::optional<tracing::Status>& status) {
    const bool matters = status && status->isCopied != 0 && status->failure == 0;
    return matters && fs::exists(process / tracing::kReserveFile);
}

struct LocatedChunk {
    std::uint32_t location = 0;
    ChunkPlace place{};
};

/// Below, `Packing` is a `Packer` or an `Unpacker`.
template <class Packing>
void pack(Packing& packing, ChunkPlaces& chunks) {
    std::vector<LocatedChunk> all;
    for (const auto& [location, places] : chunks)
        for (const ChunkPlace& place : places) all.push_back({location, place});
    packing.list(all);
    chunks.clear();
    for (const LocatedChunk& one : all) chunks[one.location].push_back(one.place);
}

template <class Packing>
void pack(Packing& packing, ProcessFiles& files) {
    packing.optional(files.note, [&](std::string& text) { packing.list(text); });
    packing.optional(files.status, [&](tracing::Status& status) { packing.value(status); });
    packing.optional(files.definitions, [&](std::vector<unsigned char>& bytes) { packing.list(bytes); });
    packing.value(files.hasReserve);
    packing.list(files.distantPlace);
    packing.optional(files.chunks, [&](ChunkPlaces& chunks) { pack(packing, chunks); });
}

/// A packed file ends with the sum of what is before.
constexpr std::size_t kSumBytes = sizeof(std::uint64_t);

std::uint64_t sumOf(std::string_view content) {
    return Fnv1a().add(content.data(), content.size()).value();
}

std::string textOf(PackedFiles& files) {
    Packer packer;
    packer.value(std::uint64_t{files.size()});
    for (auto& [name, one] : files) {
        packer.list(name);
        pack(packer, one);
    }
    std::string text = packer.take();
    const std::uint64_t sum = sumOf(text);
    text.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    return text;
}

/// Throws `Error` where it is damaged.
void addFrom(std::string text, PackedFiles& files) {
    std::uint64_t sum = 0;
    if (text.size() < kSumBytes) throw Error("packed files are cut off");
    std::memcpy(&sum, text.data() + text.size() - kSumBytes, kSumBytes);
    text.resize(text.size() - kSumBytes);
    if (sumOf(text) != sum) throw Error("packed files are damaged");
    Unpacker unpacker(std::move(text));
    std::uint64_t left = 0;
    for (unpacker.value(left); left > 0; --left) {
        std::string name;
        unpacker.list(name);
        pack(unpacker, files[name]);
    }
}

}  // namespace

std::optional<std::vector<unsigned char>> readDefinitions(const fs::path& process) {
    const fs::path file = process / "definitions";
    std::error_code unknown;
    return fs::is_regular_file(file, unknown) ? std::optional(readEntries(file)) : std::nullopt;
}

ProcessFiles readFiles(const fs::path& process) {
    ProcessFiles files;
    files.note = readNoteText(process / kNoteOfProcess);
    files.status = readStatus(process);
    files.definitions = readDefinitions(process);
    files.hasReserve = findReserve(process, files.status);
    files.distantPlace = distantPlaceOf(process);
    return files;
}

void writePacked(PackedFiles files, const fs::path& to) try {
    writePlainFile(to, textOf(files));
} catch (const Error&) {
    std::error_code none;
    fs::remove(to, none);
    throw;
}

PackedFiles readPacked(const std::vector<fs::path>& packed) {
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 40;
    PackedFiles files;
    for (const fs::path& file : packed) try {
            addFrom(readText(file, kLargest, "packed files of processes"), files);
        } catch (const Error&) {  // whoever needs them reads the processes' own
        }
    return files;
}

}  // namespace holos::archive
