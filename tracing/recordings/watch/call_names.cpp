// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/call_names.h"

#include <algorithm>
#include <filesystem>

#include "base/function_name.h"
#include "tracing/recordings/archive/code_names/region_names.h"

namespace holos::watch {

using archive::SampledContext;

namespace {

std::string shortened(const std::string& name) {
    return name.size() > ShortNames::kLong ? folded(name, Folding::All) : name;
}

/// Constructs of OpenMP have their place in their name.
std::string at(const std::string& name, const std::string& call) {
    return call.empty() || name.find(" @") != name.npos ? name : name + " @" + call;
}

}  // namespace

std::string CallNames::communicatorOf(const FollowedProcess& process, std::uint32_t comm) {
    const auto& comms = process.definitions().comms;
    const auto found = comms.find(comm);
    if (found == comms.end()) return "a communicator that is not known";
    if (!found->second.name.empty()) return found->second.name;
    return "a communicator of " + std::to_string(found->second.members()) + " processes";
}

const std::string& CallNames::regionOf(const FollowedProcess& process, std::uint32_t region) {
    const auto [at, isNew] = regions_.try_emplace({process.seen().number, region}, "UNKNOWN REGION");
    const auto known = process.definitions().regions.find(region);
    if (!isNew || known == process.definitions().regions.end()) return at->second;
    archive::RecordedRegion resolved = known->second;
    archive::resolve(resolved, symbols_);
    return at->second = shortened(resolved.name);
}

/// The calls that led to an event, the outermost first.
std::vector<CallNames::Frame> CallNames::framesOf(const FollowedProcess& process, std::uint32_t path) {
    std::vector<Frame> frames;
    if (path == 0) return frames;
    for (std::uint32_t one = code_.contextOf(process.definitions(), path); one != SampledContext::kNone;
         one = code_.contexts()[one].parent) {
        const SampledContext& context = code_.contexts()[one];
        Frame frame{context.region, shortened(code_.regions()[context.region].name), ""};
        if (context.place != SampledContext::kNone) {
            const auto& [file, line] = code_.places()[context.place];
            frame.call = std::filesystem::path(file).filename().string();
            if (line != 0) frame.call += ':' + std::to_string(line);
        }
        frames.push_back(std::move(frame));
    }
    std::ranges::reverse(frames);
    return frames;
}

/// Of each region what its calls have beyond those of the region around it. That of a thread has the name of
/// its function.
std::vector<std::string> CallNames::look(const FollowedProcess& process, const SeenThread& thread) {
    std::vector<std::string> path;
    std::vector<Frame> before;
    const auto add = [&](const OpenRegion& open, const char* word) {
        std::vector<Frame> frames = framesOf(process, open.path);
        const auto isSame = [](const Frame& a, const Frame& b) { return a.function == b.function; };
        const auto common = static_cast<std::size_t>(
            std::mismatch(frames.begin(), frames.end(), before.begin(), before.end(), isSame).first -
            frames.begin());
        const bool isRegionAround = !frames.empty() && !path.empty() && path.back() == frames[0].name;
        for (std::size_t i = std::max<std::size_t>(common, isRegionAround ? 1 : 0); i < frames.size(); ++i)
            path.push_back(at(frames[i].name, i > 0 ? frames[i - 1].call : ""));
        path.push_back(word + at(regionOf(process, open.region), frames.empty() ? "" : frames.back().call));
        if (!frames.empty()) before = std::move(frames);
    };
    for (const OpenRegion& open : thread.open) add(open, "");
    if (thread.left) add(*thread.left, "after ");
    return path;
}

const std::vector<std::string>& CallNames::pathOf(const FollowedProcess& process, const SeenThread& thread) {
    constexpr std::size_t kMostKept = 100'000;
    Key key{process.seen().number, {}};
    for (const OpenRegion& open : thread.open) key.second.emplace_back(open.region, open.path);
    if (thread.left) {
        key.second.emplace_back(0, 0);
        key.second.emplace_back(thread.left->region, thread.left->path);
    }
    if (paths_.size() > kMostKept) paths_.clear();
    const auto found = paths_.find(key);
    if (found != paths_.end()) return found->second;
    return paths_.emplace(std::move(key), look(process, thread)).first->second;
}

}  // namespace holos::watch
