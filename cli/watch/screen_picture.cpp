// SPDX-License-Identifier: BSD-3-Clause
#include "cli/watch/screen_picture.h"

namespace holos::cli {

ScreenPicture screenPictureOf(WatchedRun& watched) {
    const watch::Waits waits = watch::findWaits(watched.run);
    ScreenPicture made{watched.run.picture(), watchSummary(watched), {}, waitSentences(watched, waits), {}};
    made.notes = watchNotes(made.picture);
    for (std::size_t process = 0; process < made.picture.processes.size(); ++process) {
        auto& threads = made.threads.emplace_back();
        for (std::size_t thread = 0; thread < made.picture.processes[process].threads.size(); ++thread)
            threads.push_back(
                {placeText(watched, {process, thread}), pathText(watched, {process, thread}), ""});
    }
    for (std::size_t i = 0; i < waits.threads.size(); ++i)
        made.threads[waits.threads[i].process][waits.threads[i].thread].waits = waits.waits[i].what;
    return made;
}

}  // namespace holos::cli
