// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/foreign/foreign.h"

namespace holos::algebra {

Experiment readFolded(const std::filesystem::path& file) {
    TextLines lines(file);
    ImportedTree tree;
    const MetricId samples = tree.metric("samples", "occ");
    const LocationId thread = tree.thread(0, "program", 0, "all threads");
    while (auto line = lines.next()) {
        if (line->empty() || line->front() == '#') continue;
        const std::size_t blank = line->rfind(' ');
        const auto count =
            blank == std::string_view::npos ? std::nullopt : asFiniteNumber(line->substr(blank + 1));
        if (!count)
            lines.fail("is no folded stack: calls with ; between them, a blank, and a number are expected");
        std::string_view stack = line->substr(0, blank);
        std::optional<CallPathId> path;
        while (true) {
            const std::size_t end = stack.find(';');
            path = tree.call(path, std::string(stack.substr(0, end)), "");
            if (end == std::string_view::npos) break;
            stack.remove_prefix(end + 1);
        }
        tree.add(samples, *path, thread, *count);
    }
    return tree.take("folded stacks");
}

}  // namespace holos::algebra
