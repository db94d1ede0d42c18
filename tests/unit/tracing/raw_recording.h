// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "tracing/recordings/format/definition_kinds.h"
#include "tracing/recordings/format/record.h"
#include "tracing/recordings/format/vocabulary.h"

namespace holos::testing {

/// Bytes of a `definitions` file, entry by entry.
class RawDefinitions {
  public:
    RawDefinitions& begin(tracing::DefinitionKind kind);
    template <class T>
    RawDefinitions& add(T value) {
        unsigned char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        bytes_.insert(bytes_.end(), bytes, bytes + sizeof value);
        return fixLength();
    }
    RawDefinitions& text(const std::string& value);

    /// The entry that every process begins with.
    RawDefinitions& process(const std::string& executable, const std::string& boot = "boot",
                            const std::string& clock = "tsc");
    RawDefinitions& sync(std::uint64_t ticks, std::int64_t nanoseconds);
    RawDefinitions& region(std::uint32_t ref, const std::string& name,
                           tracing::Paradigm = tracing::Paradigm{}, tracing::Role = tracing::Role{});
    RawDefinitions& world(std::uint32_t rank, std::uint32_t size, std::uint64_t id = 1);

    const std::vector<unsigned char>& bytes() const { return bytes_; }

  private:
    RawDefinitions& fixLength();

    std::vector<unsigned char> bytes_;
    std::size_t entry_ = 0;
};

/// Records of a location, in chunks.
class RawEvents {
  public:
    RawEvents& add(tracing::RecordKind kind, std::uint64_t ticks, const std::vector<std::uint64_t>& words);
    /// The rest of the chunk stays empty.
    RawEvents& nextChunk();
    /// Appends them to the process's file of events.
    void write(const std::filesystem::path& folder, std::uint32_t location = 0) const;

  private:
    std::vector<std::uint64_t> words_;
};

/// Writes a process's folder below `recording`.
std::filesystem::path writeProcess(const std::filesystem::path& recording, const std::string& name,
                                   const RawDefinitions& definitions, bool ended = true);

}  // namespace holos::testing
