// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/foreign/foreign.h"

#include <algorithm>

#include "base/error.h"

namespace holos::algebra {

namespace {

bool isText(std::string_view line) {
    return line.find('\0') == std::string_view::npos;
}

/// The calls of a stack and its count; of one call, this may be something else as well.
bool mayBeFolded(std::string_view line) {
    const std::size_t blank = line.rfind(' ');
    return blank != std::string_view::npos && blank > 0 && asFiniteNumber(line.substr(blank + 1));
}

bool isCallgrind(std::string_view line) {
    for (const char* begin : {"# callgrind format", "version: 1", "creator: callgrind", "events: "})
        if (line.starts_with(begin)) return true;
    return false;
}

bool isTau(std::string_view line) {
    return asNumber<std::int64_t>(takeWord(line)) && line.starts_with("templated_functions");
}

/// A name of a member of a JSON object with its quotation marks, anywhere in the text.
bool hasMember(std::string_view text, std::string_view name) {
    return text.find('"' + std::string(name) + '"') != std::string_view::npos;
}

/// As much of the file as shows what it is.
std::string beginOf(const std::filesystem::path& file) {
    constexpr std::size_t kEnough = std::size_t{1} << 16U;
    TextReader reader(file);
    std::string begin;
    while (begin.size() < kEnough) {
        const std::string_view piece = reader.next();
        if (piece.empty()) break;
        begin += piece;
    }
    return begin;
}

/// Formats that have no lines: known by the first bytes.
ForeignReader readerByBytes(std::string_view begin) {
    if (begin.starts_with(kPackedTau)) return &readPackedTau;
    const std::size_t first = begin.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return nullptr;
    begin.remove_prefix(first);
    if (begin.starts_with("__rec=")) return &refuseCali;
    const bool isList = begin.starts_with('[');
    if (!isList && !begin.starts_with('{')) return nullptr;
    if (hasMember(begin, "traceEvents") || (isList && hasMember(begin, "ph"))) return &readTraceEvents;
    const auto hasAny = [begin](auto... names) { return (hasMember(begin, names) || ...); };
    const bool isCaliper =
        isList ? hasAny("path", "region", "function", "annotation") : hasAny("data", "columns", "records");
    return isCaliper ? &readCaliper : nullptr;
}

ForeignReader readerByLine(std::string_view line) {
    if (isCallgrind(line)) return &readCallgrind;
    if (isTau(line)) return &readTau;
    if (line.starts_with("Flat profile:") ||
        (line.starts_with('\t') && line.find("Call graph") != std::string_view::npos))
        return &readGprof;
    if (line.starts_with("@ mpiP")) return &readMpip;
    return nullptr;
}

}  // namespace

ForeignReader foreignReaderOf(const std::filesystem::path& file) {
    try {
        if (const auto reader = readerByBytes(beginOf(file))) return reader;
        TextLines lines(file);
        while (const auto line = lines.next()) {
            if (!isText(*line)) return nullptr;
            if (const auto reader = readerByLine(*line)) return reader;
            if (line->empty() || line->front() == '#') continue;
            if (isPerfSample(*line)) return &readPerfScript;
            if (!mayBeFolded(*line)) return nullptr;
            if (line->find(';') != std::string_view::npos) return &readFolded;
        }
    } catch (const Error&) {  // no text of lines
    }
    return nullptr;
}

namespace {

CallPath callOf(RegionId region) {
    CallPath call;
    call.region = region;
    return call;
}

}  // namespace

MetricId ImportedTree::metric(const std::string& name, const std::string& unit) {
    const auto [at, isNew] = metrics_.try_emplace(name);
    if (isNew) {
        Metric metric;
        metric.uniqueName = metric.displayName = name;
        metric.unit = unit;
        at->second = experiment_.metrics.add(std::move(metric));
        values_.emplace_back();
    }
    return at->second;
}

CallPathId ImportedTree::call(std::optional<CallPathId> caller, const std::string& name,
                              const std::string& module) {
    const auto [region, isNewRegion] =
        regions_.try_emplace({name, module}, RegionId(experiment_.regions.size()));
    if (isNewRegion) {
        experiment_.regions.emplace_back();
        experiment_.regions.back().name = experiment_.regions.back().mangledName = name;
        experiment_.regions.back().module = module;
        experiment_.regions.back().paradigm = "compiler";
        experiment_.regions.back().role = "function";
    }
    const auto [call, isNew] = calls_.try_emplace({caller ? caller->index() + 1 : 0, region->second.index()});
    if (isNew) call->second = experiment_.callTree.add(callOf(region->second), caller);
    return call->second;
}

SystemNodeId ImportedTree::machine() {
    if (experiment_.system.nodes.empty()) experiment_.system.nodes.add({"machine", "machine", "", {}});
    return experiment_.system.nodes.roots().front();
}

LocationId ImportedTree::thread(std::int64_t process, const std::string& processName, std::int64_t thread,
                                const std::string& name) {
    const auto [location, isNew] =
        threads_.try_emplace({process, thread}, LocationId(experiment_.system.locations.size()));
    if (isNew) {
        const auto [group, isNewProcess] =
            processes_.try_emplace(process, ProcessId(experiment_.system.processes.size()));
        if (isNewProcess)
            experiment_.system.processes.push_back(
                {processName, process, Process::Type::Process, machine(), {}});
        experiment_.system.locations.push_back({name, thread, Location::Type::Thread, group->second, {}});
    }
    return location->second;
}

void ImportedTree::add(MetricId metric, CallPathId path, LocationId location, double value) {
    values_[metric.index()][{path.index(), location.index()}] += value;
}

Experiment ImportedTree::take(const std::string& source) {
    for (const MetricId metric : experiment_.metrics.ids()) {
        SeverityTable table = experiment_.newTable();
        for (const auto& [key, value] : values_[metric.index()])
            table.add(CallPathId(key.path), LocationId(key.location), value);
        experiment_.severities.set(metric, std::move(table));
    }
    experiment_.attributes.emplace_back("Creator", source);
    Experiment made = std::move(experiment_);
    *this = ImportedTree();
    return made;
}

namespace {

constexpr std::size_t kLongestLine = 64U << 20;  // a folded stack may be deep

}  // namespace

TextLines::TextLines(const std::filesystem::path& file) : reader_(file) {}

bool TextLines::fill() {
    held_.erase(0, at_);
    at_ = 0;
    const std::string_view piece = reader_.next();
    held_ += piece;
    return !piece.empty();
}

std::optional<std::string_view> TextLines::next() {
    std::size_t searched = at_;
    std::size_t end = held_.find('\n', searched);
    while (end == std::string::npos) {
        if (held_.size() - at_ > kLongestLine) fail("a line is longer than 64 MB");
        searched = held_.size() - at_;
        if (!fill()) break;
        end = held_.find('\n', searched);
    }
    if (end == std::string::npos && at_ == held_.size()) return std::nullopt;
    ++number_;
    const std::size_t from = at_;
    at_ = end == std::string::npos ? held_.size() : end + 1;
    std::string_view line = std::string_view(held_).substr(from, std::min(end, held_.size()) - from);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

void TextLines::fail(const std::string& message) const {
    throw Error(message,
                {.file = reader_.name(), .line = number_ == 0 ? std::nullopt : std::optional(number_)});
}

void takeBlanks(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
}

std::string_view takeWord(std::string_view& text) {
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    takeBlanks(text);
    return word;
}

}  // namespace holos::algebra
