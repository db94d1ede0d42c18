// SPDX-License-Identifier: BSD-3-Clause
#include "report/introductions.h"

#include <fmt/format.h>

#include <utility>

#include "algebra/insight/summary/summary.h"
#include "base/markup.h"

namespace holos::report {

using algebra::Doubt;
using algebra::Problem;
using algebra::Summary;

namespace {

using Lines = std::vector<std::pair<const char*, std::string>>;

/// What is said of a problem, each with a word in front; what is not known is left out.
Lines linesOf(const Summary& summary, const Problem& problem) {
    Lines lines{{"where", problem.where},
                {"who", problem.who},
                {"why", problem.why},
                {"helps", problem.remedy},
                {"gain", gainText(summary, problem)},
                {"but", problem.chance}};
    std::erase_if(lines, [](const auto& line) { return line.second.empty(); });
    return lines;
}

std::string cardHtml(const Summary& summary, const Problem& problem) {
    std::string text = fmt::format("<article style=\"--part:{:.1f}%\"><h3>{}</h3><dl>",
                                   algebra::costPercent(summary, problem), escaped(problem.what));
    text += fmt::format("<dt>costs</dt><dd>{}</dd>", escaped(algebra::costText(summary, problem)));
    for (const auto& [word, said] : linesOf(summary, problem))
        text += fmt::format("<dt>{}</dt><dd>{}</dd>", word, escaped(said));
    return text + "</dl></article>\n";
}

/// What must be known first, and the run as a whole.
std::string beginOf(const Summary& summary) {
    std::string text;
    for (const std::string& sentence : summary.first) text += sentence + ". ";
    return text + summary.run;
}

/// What is known beside problems.
std::vector<std::string> remarksOf(const Summary& summary) {
    std::vector<std::string> remarks;
    for (const std::string& note : summary.notes) remarks.push_back("Counters: " + note);
    for (const Doubt& doubt : summary.doubts)
        remarks.push_back(doubt.text + (doubt.command.empty() ? "" : " (" + doubt.command + ")"));
    return remarks;
}

}  // namespace

std::vector<Introduction> introductionsOf(const Subjects& subjects) {
    std::vector<Introduction> all;
    for (std::size_t at = 0; at < subjects.size(); ++at)
        if (auto summary = algebra::summarize(subjects.experiment(at)))
            all.push_back({subjects.name(at), std::move(*summary)});
    return all;
}

std::string introductionsHtml(const std::vector<Introduction>& introductions) {
    if (introductions.empty()) return {};
    std::string text;
    for (const auto& [name, summary] : introductions) {
        text += "<div><p><b>" + escaped(name) + "</b>: " + escaped(beginOf(summary)) + "</p>\n";
        for (const Problem& problem : summary.problems) text += cardHtml(summary, problem);
        for (const std::string& remark : remarksOf(summary))
            text += "<p><small>" + escaped(remark) + "</small></p>\n";
        text += "</div>\n";
    }
    return text;
}

std::string introductionsMarkdown(const std::vector<Introduction>& introductions) {
    if (introductions.empty()) return {};
    std::string text = "\n## Summary\n";
    for (const auto& [name, summary] : introductions) {
        text += "\n**" + escapedMarkdown(name) + "**: " + escapedMarkdown(beginOf(summary)) + "\n";
        std::size_t number = 0;
        for (const Problem& problem : summary.problems) {
            text += fmt::format("\n{}. **{}** ({})\n", ++number, escapedMarkdown(problem.what),
                                algebra::costText(summary, problem));
            for (const auto& [word, said] : linesOf(summary, problem))
                text += fmt::format("   - {}: {}\n", word, escapedMarkdown(said));
        }
        for (const std::string& remark : remarksOf(summary)) text += "\n" + escapedMarkdown(remark) + "\n";
    }
    return text;
}

}  // namespace holos::report
