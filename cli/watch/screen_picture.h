// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "cli/watch/watch_formats.h"

namespace holos::cli {

/// A picture with all the words that a screen may show of it: whoever has it reads no file and computes
/// nothing any more.
struct ScreenPicture {
    struct Thread {
        std::string place;  ///< what it is in now
        std::string path;   ///< all that it is in
        std::string waits;  ///< for what; empty where it waits for nothing
    };
    watch::Picture picture;
    std::string summary;
    std::vector<std::vector<Thread>> threads;  ///< by process and thread of the picture
    std::vector<std::string> waits;            ///< who waits for whom, in sentences
    std::vector<std::string> notes;
};

/// Of what was read last.
ScreenPicture screenPictureOf(WatchedRun& watched);

}  // namespace holos::cli
