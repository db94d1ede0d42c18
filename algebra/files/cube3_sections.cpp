// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/cube3_sections.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "algebra/files/stored_values.h"

namespace holos::algebra {
namespace {

constexpr std::size_t kLongestTag = 4096;
constexpr std::size_t kShownText = 20;

}  // namespace

std::optional<std::string> readNumbers(std::string_view text, std::span<double> into) {
    std::size_t count = 0;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (true) {
        at = std::find_if(at, end, [](char c) { return c != ' ' && c != '\n' && c != '\t' && c != '\r'; });
        if (at == end) return std::nullopt;
        double value = 0.0;
        const auto [behind, problem] = std::from_chars(*at == '+' ? at + 1 : at, end, value);
        if (problem != std::errc() || (behind != end && static_cast<unsigned char>(*behind) > ' '))
            return "a number was expected, not \"" +
                   std::string(at, std::min<std::size_t>(kShownText, static_cast<std::size_t>(end - at))) +
                   "\"";
        if (count == into.size()) return "the row has more than " + std::to_string(into.size()) + " values";
        into[count++] = value;
        at = behind;
    }
}

void RowPlaces::scan(std::string_view piece) {
    std::size_t at = 0;
    while (at < piece.size() && !isLost_) {
        if (!isInTag_) {
            at = piece.find('<', at);
            if (at == std::string_view::npos) break;
            tagOffset_ = at_ + at;
            tag_.clear();
            isInTag_ = true;
            ++at;
            continue;
        }
        const std::size_t end = std::min(piece.find('>', at), piece.size());
        tag_ += piece.substr(at, end - at);
        isLost_ = tag_.size() > kLongestTag;
        at = end;
        if (at == piece.size()) break;
        ++at;
        endTag(at_ + at);
    }
    at_ += piece.size();
}

void RowPlaces::endTag(std::uint64_t behind) {
    isInTag_ = false;
    isLost_ = isLost_ || tag_.empty() || tag_[0] == '!' || tag_[0] == '?';
    const std::string_view name = std::string_view(tag_).substr(0, tag_.find_first_of(" \t\r\n/", 1));
    if (name == "row" && tag_.back() == '/')
        found_.push_back({behind, 0});
    else if (name == "row")
        rowOffset_ = behind;
    else if (name == "/row")
        found_.push_back({rowOffset_, tagOffset_ - rowOffset_});
}

std::optional<TextPlace> RowPlaces::next(std::string_view text) {
    if (isLost_ || found_.empty() || found_.front().length != text.size()) {
        isLost_ = true;
        return std::nullopt;
    }
    const TextPlace place = found_.front();
    found_.pop_front();
    return place;
}

Cube3Rows::Cube3Rows(std::shared_ptr<const FileReader> file, std::vector<TextPlace> places,
                     std::size_t locations, double missing)
    : Rows(places.size(), locations, missing), file_(std::move(file)), places_(std::move(places)) {}

std::span<const double> Cube3Rows::row(CallPathId path, std::span<double> scratch) const {
    if (!hasRow(path)) return {};
    const TextPlace& place = places_[path.index()];
    const std::string text = file_->read(place.offset, place.length);
    const auto values = scratch.first(locations());
    std::ranges::fill(values, missing());
    if (const auto problem = readNumbers(text, values)) file_->fail(*problem, place.offset);
    return values;
}

void Cube3Severity::begin(const XmlElement& element) {
    if (element.name == "matrix") {
        beginMatrix(element);
    } else if (element.name == "row" && !metric_) {
        fail(element, "<row> belongs into a <matrix>");
    }
}

void Cube3Severity::beginMatrix(const XmlElement& element) {
    if (metrics_.empty()) {
        for (std::size_t at = 0; at < anchor_.metricIds.size(); ++at)
            metrics_.emplace(anchor_.metricIds[at], MetricId(at));
        for (const CallPathId path : experiment_.callTree.ids())
            paths_.emplace(experiment_.callTree[path].fileNumber.value_or(0), path);
    }
    const auto metric = metrics_.find(index(element, "metricId"));
    if (metric == metrics_.end()) fail(element, "no metric has the id " + element.get("metricId"));
    if (experiment_.severities.has(metric->second))
        fail(element, "the matrix of metric " + element.get("metricId") + " is there twice");
    metric_ = metric->second;
    const double missing = missingValue(experiment_.metrics[*metric_].valueType);
    table_ = SeverityTable(experiment_.callTree.size(), experiment_.system.locations.size(), missing);
    rowSeen_.assign(experiment_.callTree.size(), false);
    if (places_) rows_.assign(experiment_.callTree.size(), {});
}

void Cube3Severity::end(const XmlElement& element, std::string&& text) {
    if (element.name == "row") {
        endRow(element, text);
    } else if (element.name == "matrix" && metric_) {
        if (!hasNoValue(*metric_)) keepMatrix();
        metric_.reset();
    }
}

void Cube3Severity::keepMatrix() {
    if (!places_) return experiment_.severities.set(*metric_, std::move(table_));
    const auto rows =
        std::make_shared<Cube3Rows>(inFile_, std::move(rows_), table_.locations(), table_.missing());
    experiment_.severities.setRows(*metric_, [rows] { return rows; });
}

void Cube3Severity::endRow(const XmlElement& element, const std::string& text) {
    const auto path = paths_.find(index(element, "cnodeId"));
    if (path == paths_.end()) fail(element, "no call path has the id " + element.get("cnodeId"));
    if (rowSeen_[path->second.index()])
        fail(element, "the row of call path " + element.get("cnodeId") + " is there twice");
    rowSeen_[path->second.index()] = true;

    row_.assign(table_.locations(), table_.missing());
    if (const auto problem = readNumbers(text, row_)) fail(element, *problem);
    const bool hasValues =
        std::ranges::any_of(row_, [this](double value) { return value != table_.missing(); });
    if (!places_) {
        if (hasValues) std::ranges::copy(row_, table_.editRow(path->second).begin());
        return;
    }
    const auto place = places_->next(text);
    if (!place) throw UnknownPlaces();
    if (hasValues) rows_[path->second.index()] = *place;
}

/// As for CUBE: what is VOID and what is below it.
bool Cube3Severity::hasNoValue(MetricId metric) const {
    for (std::optional<MetricId> up = metric; up; up = experiment_.metrics.parent(*up))
        if (experiment_.metrics[*up].isVoid) return true;
    return experiment_.metrics[metric].valueType == ValueType::Compound;
}

namespace {

struct ElementWord {
    std::string_view cube3;
    std::string_view cube4;
};

constexpr std::array kElements{ElementWord{"machine", "systemtreenode"},
                               ElementWord{"node", "systemtreenode"}, ElementWord{"process", "locationgroup"},
                               ElementWord{"thread", "location"}};
constexpr std::array kCoordinates{ElementWord{"thrdId", "locId"}, ElementWord{"procId", "lgId"}};

template <class Words>
std::string_view translation(const Words& words, std::string_view word) {
    for (const auto& [cube3, cube4] : words)
        if (cube3 == word) return cube4;
    return word;
}

}  // namespace

XmlElement Cube3System::translated(const XmlElement& element) const {
    XmlElement found{translation(kElements, element.name), {}, element.line};
    for (const auto& [key, value] : element.attributes) {
        const auto process = processes_.find(value);
        const bool byPosition = element.name == "coord" && key == "procId" && process != processes_.end();
        found.attributes.emplace_back(element.name == "coord" ? translation(kCoordinates, key) : key,
                                      byPosition ? std::to_string(process->second) : value);
    }
    return found;
}

void Cube3System::begin(const XmlElement& element) {
    if (element.name == "process" && !processes_.emplace(element.get("Id"), processes_.size()).second)
        fail(element, "the process id " + element.get("Id") + " is there twice");
    system_.begin(translated(element));
}

void Cube3System::end(const XmlElement& element, std::string&& text) {
    if (element.name == "machine" || element.name == "node") {
        const XmlElement kind{"class", {}, element.line};
        system_.begin(kind);
        system_.end(kind, std::string(element.name));
    }
    system_.end(translated(element), std::move(text));
}

}  // namespace holos::algebra
