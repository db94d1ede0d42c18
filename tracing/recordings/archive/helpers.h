// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tracing/recordings/archive/account/result.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"

/// Several processes may make a trace together. One of them does what `finish` says; the others are its
/// helpers, on the same machine or on others that see the same folder. Each packs what the files of some
/// processes say for the others, reads the recording, and translates the events of some locations into a
/// folder in that of the trace which is being made:
///
///     makes the trace    pack ▶ read ▶ order ▶ translate ▶ collect ▶ definitions ▶ publish
///     helper             pack ▶ read ─────────▶ translate ▶ answer
///
/// The bytes of a trace do not depend on how many they are: a location's events are the same whoever writes
/// them, and what all locations share is written by one. Where a helper fails or is gone, its locations are
/// translated by who makes the trace. How orders and answers get to the other process is not known here.
namespace holos::archive {

/// The helpers, as who makes the trace sees them.
/// Thread safety: one thread.
class Helpers {
  public:
    virtual ~Helpers() = default;
    virtual std::size_t count() const = 0;
    /// Never waits.
    virtual void send(std::size_t helper, const std::string& order) = 0;
    /// Waits for the answer to the oldest order that has none yet; nothing where it will not come.
    virtual std::optional<std::string> receive(std::size_t helper) = 0;
    /// The helper that is to do what is done for processes of this host, where it matters: its number, or
    /// `count()` for who makes the trace. Nothing: whoever has the least to do.
    virtual std::optional<std::size_t> chosenFor(const std::string& host) const = 0;
};

/// A helper's part.
/// Thread safety: one thread.
class Helper {
  public:
    explicit Helper(fs::path directory);
    ~Helper();
    Helper(Helper&&) = delete;

    /// Does what an order says; the answer, where there is one. What it throws is in the answer.
    std::optional<std::string> obey(const std::string& order);

  private:
    class Reading;
    fs::path directory_;
    std::unique_ptr<Reading> reading_;
};

}  // namespace holos::archive
