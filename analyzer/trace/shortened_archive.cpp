// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/shortened_archive.h"

#include "analyzer/trace/file_end.h"
#include "analyzer/trace/quiet_calls.h"

namespace holos::analyzer::trace {

namespace fs = std::filesystem;

ShortenedArchive::ShortenedArchive(const fs::path& anchor, const fs::path& folder)
    : original_(fs::absolute(anchor)), folder_(folder), anchor_(folder_.path() / original_.filename()) {
    std::error_code error;
    fs::create_symlink(original_, anchor_, error);
    if (!error) fs::create_directory(folder_.path() / original_.stem(), error);
    if (!error) chunkSize_ = chunkSizesOf(anchor_).events;
}

std::unique_ptr<EventFile> ShortenedArchive::open(const Definitions& definitions, LocationId location,
                                                  const std::vector<QuietCalls>& without) const {
    const std::uint64_t number = definitions[location].reference;
    const fs::path events = locationFile(anchor_, number, ".evt");
    const fs::path local = locationFile(anchor_, number, ".def");
    const fs::path originalLocal = locationFile(original_, number, ".def");
    const bool hasLocal = hasDefinitions(originalLocal);
    std::error_code error;
    if (hasLocal) fs::create_symlink(originalLocal, local, error);
    std::unique_ptr<EventFile> file;
    if (!error && copyWithout(without, locationFile(original_, number, ".evt"), chunkSize_, events))
        file = std::make_unique<EventFile>(anchor_, definitions, location, original_);
    // What is open stays open.
    fs::remove(events, error);
    if (hasLocal) fs::remove(local, error);
    return file && file->events() != nullptr && !file->outcome().problem ? std::move(file) : nullptr;
}

}  // namespace holos::analyzer::trace
