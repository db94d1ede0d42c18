// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/folder/signs_of_life.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "tracing/recordings/archive/folder/living.h"

namespace holos::archive {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kBetweenLooks{100};
/// Between two signs of a process, and how long one may be on its way.
constexpr milliseconds kBetweenSigns{3000};

/// A process, and what was seen of it.
struct Heard {
    ProcessNote note;
    Sign first;
    std::optional<Clock::time_point> lastChange = {};
};

class Listener {
  public:
    explicit Listener(const std::vector<ProcessNote>& unknown) {
        for (const auto& note : unknown) all_.push_back({note, signOf(note.file.parent_path())});
    }

    void look() {
        std::erase_if(all_, hasEnded);
        for (auto& one : all_) {
            const Sign now = signOf(one.note.file.parent_path());
            if (now != std::exchange(one.first, now)) one.lastChange = Clock::now();
        }
    }
    bool heardOne() const { return std::ranges::any_of(all_, isHeard); }
    bool heardAll() const { return std::ranges::all_of(all_, isHeard); }

    void addTo(Owners& owners) const {
        for (const auto& one : all_) {
            if (!isHeard(one)) {
                owners.unknown.push_back(one.note);
                continue;
            }
            owners.living.push_back(one.note);
            owners.living.back().seen =
                std::chrono::duration_cast<milliseconds>(Clock::now() - *one.lastChange);
        }
    }

  private:
    static bool hasEnded(const Heard& one) {
        return lifeOfRecorded(one.note.file.parent_path()) == Life::Ended;
    }
    static bool isHeard(const Heard& one) { return one.lastChange.has_value(); }

    std::vector<Heard> all_;
};

}  // namespace

Sign signOf(const fs::path& folder) {
    Sign sign{readStatus(folder).value_or(tracing::Status{}).beats, 0};
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (const auto bytes = entry.file_size(error); !error) sign.bytes += bytes;
    return sign;
}

bool Listening::sleep(milliseconds time) {
    std::this_thread::sleep_for(time);
    return true;
}

Owners listenTo(const fs::path& recording, const Listening& how) {
    Owners owners = ownersOf(recording);
    if (owners.unknown.empty() || !owners.living.empty()) return owners;
    Listener listener(std::exchange(owners.unknown, {}));
    auto end = Clock::now() + how.time;
    bool goesOn = true;
    do {
        goesOn = how.pause(std::min(kBetweenLooks, how.time));
        listener.look();
        if (listener.heardOne()) end = std::min(end, Clock::now() + kBetweenSigns);
    } while (goesOn && !listener.heardAll() && Clock::now() < end);
    listener.addTo(owners);
    return owners;
}

}  // namespace holos::archive
