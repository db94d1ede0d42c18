// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/shared_reading.h"

#include "tracing/recordings/archive/folder/living.h"
#include "tracing/recordings/archive/folder/many_files.h"
#include "tracing/recordings/archive/run/reading.h"
#include "tracing/recordings/archive/shared_translation.h"

namespace holos::archive {
namespace {

/// Without a dot, as only folders of processes have one.
fs::path folderIn(const fs::path& recording) {
    return recording / "packed";
}

/// Of a process's folder `HOST.PID.N`.
std::string hostOf(const fs::path& process) {
    return process.stem().stem().string();
}

}  // namespace

SharedReading::SharedReading(Helpers* helpers, const fs::path& recording) : recording_(recording) {
    if (helpers == nullptr || helpers->count() == 0) return;
    pack(*helpers);
    Order order;
    for (const fs::path& file : packed_)
        order.names.push_back(file.lexically_relative(recording_.parent_path()).string());
    for (std::size_t i = 0; i < helpers->count(); ++i) helpers->send(i, textOf(order));
}

SharedReading::~SharedReading() {
    std::error_code none;
    if (isMade_) removeAll(folderIn(recording_), none);
}

/// Where there is no room for packed files, there are none.
void SharedReading::pack(Helpers& helpers) {
    std::error_code error;
    removeAll(folderIn(recording_), error);  // of a process that was killed
    isMade_ = fs::create_directory(folderIn(recording_), error);
    if (!isMade_) return;
    const std::vector<Names> shares = distribute(helpers);
    Order order;
    order.kind = Order::Kind::Pack;
    for (std::size_t i = 0; i < helpers.count(); ++i) {
        if (shares[i].empty()) continue;
        order.names = shares[i];
        order.folder = fileOf(i).lexically_relative(recording_.parent_path()).string();
        helpers.send(i, textOf(order));
    }
    if (const Names& own = shares.back(); !own.empty()) try {
            packFiles(recording_, own, fileOf(helpers.count()));
            packed_.push_back(fileOf(helpers.count()));
        } catch (const Error&) {  // everybody reads them then
        }
    for (std::size_t i = 0; i < helpers.count(); ++i)
        if (!shares[i].empty() && helpers.receive(i) == kPacked) packed_.push_back(fileOf(i));
}

/// Names of processes' folders by who packs them; the last share is of who makes the trace.
std::vector<SharedReading::Names> SharedReading::distribute(const Helpers& helpers) const {
    std::vector<Names> shares(helpers.count() + 1);
    std::size_t next = 0;
    for (const fs::path& process : processFolders(recording_)) {
        const auto chosen = helpers.chosenFor(hostOf(process));
        shares[chosen.value_or(next++ % shares.size())].push_back(process.filename().string());
    }
    return shares;
}

fs::path SharedReading::fileOf(std::size_t packer) const {
    return folderIn(recording_) / std::to_string(packer + 1);
}

}  // namespace holos::archive
