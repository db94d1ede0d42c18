// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/node_helpers.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"
#include "tracing/recordings/archive/folder/living.h"
#include "tracing/recordings/format/process_identity.h"
#include "tracing/recordings/launch/recording_end.h"
#include "tracing/recordings/launch/waiting.h"

namespace holos::launch {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr const char* kAlive = "alive";
constexpr const char* kBeat = "beat";
constexpr const char* kEnd = "end";
constexpr milliseconds kShortestPause{2};
constexpr milliseconds kLongestPause{100};
constexpr milliseconds kBetweenBeats{250};

fs::path hostsOf(const fs::path& recording) {
    return recording / "hosts";
}
fs::path helpersOf(const fs::path& recording) {
    return recording / "helpers";
}
fs::path orderIn(const fs::path& folder, std::uint64_t number) {
    return folder / ("order." + std::to_string(number));
}
fs::path answerIn(const fs::path& folder, std::uint64_t number) {
    return folder / ("answer." + std::to_string(number));
}

/// Nothing where there is none, or something else that might keep its reader waiting.
std::optional<std::string> contentOf(const fs::path& file) try {
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 32U;
    std::error_code none;
    if (!fs::exists(file, none)) return std::nullopt;
    return readText(file, kLargest, "a message");
} catch (const Error&) {
    return std::nullopt;
}

/// It is there as a whole, or not at all. False where that fails.
bool giveContent(const fs::path& file, const std::string& text) {
    fs::path unfinished = file;
    unfinished += ".new";
    std::ofstream out(unfinished, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    std::error_code error;
    if (out) fs::rename(unfinished, file, error);
    return out && !error;
}

std::size_t numberOfHosts(const fs::path& recording) {
    std::error_code none;
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(hostsOf(recording), none), fs::directory_iterator()));
}

/// A note of this process, locked while it is open (`archive::lifeOf`). None where it cannot be written.
Descriptor writeNote(const fs::path& path) {
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (!file) return file;
    const bool isLocked = tracing::core::takeWriteLock(file.number());
    char text[512];
    const std::size_t bytes = tracing::describeThisProcess(text, sizeof text, "", -1, isLocked);
    const bool isWritten = ::write(file.number(), text, bytes) == static_cast<ssize_t>(bytes);
    return isWritten ? std::move(file) : Descriptor();
}

/// Looks more and more rarely.
class Pauses {
  public:
    milliseconds next() {
        const milliseconds pause = pause_;
        pause_ = std::min(2 * pause_, kLongestPause);
        return pause;
    }
    void begin() { pause_ = kShortestPause; }

  private:
    milliseconds pause_ = kShortestPause;
};

/// Says that this process goes on, whatever it does.
class Heart {
  public:
    explicit Heart(fs::path file)
        : file_(std::move(file)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

  private:
    void run(const std::stop_token& stop) const {
        for (std::uint64_t beat = 1; !stop.stop_requested(); ++beat) {
            std::ofstream(file_) << beat << '\n';
            for (milliseconds waited{0}; waited < kBetweenBeats && !stop.stop_requested();
                 waited += kShortestPause * 5)
                std::this_thread::sleep_for(kShortestPause * 5);
        }
    }

    fs::path file_;
    std::jthread thread_;
};

}  // namespace

void noteHost(const fs::path& recording, const std::string& host) {
    std::error_code error;  // without the note its helper is not asked for
    fs::create_directories(hostsOf(recording), error);
    std::ofstream(hostsOf(recording) / host) << '\n';
}

std::unique_ptr<NodeHelper> NodeHelper::offer(const fs::path& directory, const std::string& host) {
    const fs::path recording = archive::recordingOf(directory);
    if (numberOfHosts(recording) < 2) return nullptr;
    std::error_code error;
    fs::create_directories(helpersOf(recording), error);
    const fs::path folder = helpersOf(recording) / host;
    if (!fs::create_directory(folder, error)) return nullptr;
    return std::unique_ptr<NodeHelper>(new NodeHelper(directory, folder));
}

NodeHelper::NodeHelper(fs::path directory, fs::path folder)
    : directory_(std::move(directory)),
      folder_(std::move(folder)),
      alive_(writeNote(folder_ / kAlive)),
      helper_(directory_) {}

NodeHelper::~NodeHelper() {
    std::error_code none;
    if (orders_ == 0) fs::remove_all(folder_, none);
}

void NodeHelper::serve(const NodePatience& patience) {
    const Interruption interruption;
    useAllProcessors();
    const Heart heart(folder_ / kBeat);
    Pauses pauses;
    for (auto last = Clock::now(); Clock::now() - last < patience.forOrders;) {
        std::error_code none;
        if (const auto order = contentOf(orderIn(folder_, orders_ + 1))) {
            ++orders_;
            obey(*order);
            last = Clock::now();
            pauses.begin();
        } else if (!fs::exists(folder_, none) || fs::exists(folder_ / kEnd, none) ||
                   !interruption.sleep(pauses.next())) {
            return;
        }
    }
}

void NodeHelper::obey(const std::string& order) {
    if (const auto answer = helper_.obey(order)) giveContent(answerIn(folder_, ++answers_), *answer);
}

NodeHelpers::NodeHelpers(const fs::path& directory, const std::string& host, const NodePatience& patience)
    : patience_(patience) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(helpersOf(archive::recordingOf(directory)), none))
        if (entry.path().filename() != host)
            nodes_.push_back({entry.path().filename().string(), entry.path()});
    std::ranges::sort(nodes_, {}, &Node::host);
}

NodeHelpers::~NodeHelpers() {
    for (const Node& node : nodes_) std::ofstream(node.folder / kEnd) << '\n';
}

void NodeHelpers::send(std::size_t helper, const std::string& order) {
    Node& node = nodes_[helper];
    node.isGone |= !giveContent(orderIn(node.folder, ++node.orders), order);
}

std::optional<std::string> NodeHelpers::receive(std::size_t helper) {
    Node& node = nodes_[helper];
    const fs::path answer = answerIn(node.folder, ++node.answers);
    Pauses pauses;
    std::optional<std::string> beat;
    for (auto last = Clock::now(); !node.isGone;) {
        const bool hasEnded = archive::lifeOf(node.folder / kAlive) == archive::Life::Ended;
        if (auto text = contentOf(answer)) return text;
        if (auto now = contentOf(node.folder / kBeat); now != beat) {
            beat = std::move(now);
            last = Clock::now();
        }
        node.isGone = hasEnded || Clock::now() - last >= patience_.ofSilence;
        if (!node.isGone) std::this_thread::sleep_for(pauses.next());
    }
    return std::nullopt;
}

std::optional<std::size_t> NodeHelpers::chosenFor(const std::string& host) const {
    const auto node = std::ranges::find(nodes_, host, &Node::host);
    return static_cast<std::size_t>(node - nodes_.begin());
}

}  // namespace holos::launch
