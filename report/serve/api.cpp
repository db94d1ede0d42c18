// SPDX-License-Identifier: BSD-3-Clause
#include "report/serve/api.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "algebra/model/source_lines.h"
#include "base/error.h"
#include "base/json.h"
#include "base/number.h"

namespace holos::serve {

using namespace algebra;

namespace {

/// No picture has room for more; what is left out is counted.
constexpr std::size_t kMostBoxes = 1000;

std::vector<double> sizesOf(const CallTree& tree, const std::vector<double>& own) {
    std::vector<double> sizes(tree.size());
    for (std::size_t at = tree.size(); at-- > 0;) {
        if (std::isfinite(own[at])) sizes[at] += std::fabs(own[at]);
        if (const auto up = tree.parent(CallPathId(at))) sizes[up->index()] += sizes[at];
    }
    return sizes;
}

}  // namespace

Flame flameOf(const CallTree& tree, const std::vector<double>& own, std::optional<CallPathId> top,
              std::size_t pixels) {
    const std::vector<double> sizes = sizesOf(tree, own);
    const std::vector<CallPathId> first = top ? std::vector{*top} : tree.roots();
    Flame flame;
    for (const CallPathId path : first) flame.whole += sizes[path.index()];
    if (!(flame.whole > 0.0)) return flame;
    std::size_t row = 0;
    if (top) {
        std::vector<CallPathId> above;
        for (auto up = tree.parent(*top); up; up = tree.parent(*up)) above.push_back(*up);
        std::ranges::reverse(above);
        for (const CallPathId path : above)
            flame.boxes.push_back({path, row++, 0.0, 1.0, sizes[path.index()]});
    }
    const double narrowest = 1.0 / static_cast<double>(pixels);
    // Row by row, so that where there are too many boxes, the deepest are missing.
    std::vector<FlameBox> open;
    const auto addAll = [&](const std::vector<CallPathId>& siblings, double start, std::size_t at) {
        for (const CallPathId path : siblings) {
            const double size = sizes[path.index()];
            const double width = size / flame.whole;
            if (width >= narrowest)
                open.push_back({path, at, start, width, size});
            else if (size > 0.0)
                ++flame.narrow;
            start += width;
        }
    };
    addAll(first, 0.0, row);
    for (std::size_t next = 0; next < open.size(); ++next) {
        if (flame.boxes.size() >= kMostBoxes) {
            flame.narrow += open.size() - next;
            break;
        }
        const FlameBox box = open[next];
        flame.boxes.push_back(box);
        addAll(tree.children(box.path), box.start, box.row + 1);
    }
    return flame;
}

namespace {

constexpr std::size_t kMostRows = 500;
constexpr std::size_t kMostNodes = 200;
constexpr std::size_t kMostFound = 200;
constexpr std::size_t kMostPixels = 4000;
/// How long is waited for totals of metrics of which all values have to be read.
constexpr auto kPatience = std::chrono::milliseconds(300);

/// A query that asks for what there is not.
class WrongQuery : public Error {
  public:
    using Error::Error;
};

/// NaN and what is infinite are null.
nlohmann::ordered_json numberOrNull(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

/// A place in a picture, which has no more pixels than this has digits.
double rounded(double place) {
    constexpr double kDigits = 1e6;
    return std::round(place * kDigits) / kDigits;
}

template <class Number>
Number numberIn(std::string_view text, const std::string& name) {
    if (const auto number = asNumber<Number>(text)) return *number;
    throw WrongQuery(name + ": expected a number, not '" + std::string(text) + "'");
}

Extent extentOf(bool alone) {
    return alone ? Extent::Exclusive : Extent::Inclusive;
}

std::string lower(std::string text) {
    for (char& each : text)
        if (each >= 'A' && each <= 'Z') each = static_cast<char>(each - 'A' + 'a');
    return text;
}

}  // namespace

/// What a query asks for, each part checked.
class Api::Parameters {
  public:
    explicit Parameters(const Query& query) : query_(query) {}

    std::string text(const std::string& name) const {
        const auto found = query_.parameters.find(name);
        return found == query_.parameters.end() ? std::string() : found->second;
    }
    bool has(const std::string& name) const { return query_.parameters.contains(name); }
    std::size_t number(const std::string& name, std::size_t usual) const {
        return has(name) ? numberIn<std::size_t>(text(name), name) : usual;
    }
    double real(const std::string& name, double usual) const {
        if (!has(name)) return usual;
        const double value = numberIn<double>(text(name), name);
        if (!std::isfinite(value)) throw WrongQuery(name + ": expected a finite number");
        return value;
    }
    bool flag(const std::string& name) const { return text(name) == "1"; }
    std::size_t below(const std::string& name, std::size_t count) const {
        const std::size_t value = number(name, 0);
        if (value >= count) throw WrongQuery(name + ": there is no " + std::to_string(value));
        return value;
    }
    Tree tree() const {
        for (const auto& [word, tree] : wordsOf(Tree{}))
            if (text("tree") == word) return tree;
        throw WrongQuery("tree: expected metrics, calls or system");
    }
    Chosen chosen(const Experiment& experiment) const {
        Chosen chosen{
            .metric = {MetricId(below("metric", experiment.metrics.size())), extentOf(flag("metricAlone"))},
            .path = {}};
        if (has("path"))
            chosen.path = {CallPathId(below("path", experiment.callTree.size())),
                           extentOf(flag("pathAlone"))};
        return chosen;
    }
    /// The numbers of `node=1,2,3`; `roots` is nothing.
    std::vector<std::optional<std::size_t>> nodes(std::size_t count) const {
        std::vector<std::optional<std::size_t>> found;
        const std::string all = text("node");
        for (std::string_view rest = all; found.size() <= kMostNodes;) {
            const std::size_t end = std::min(rest.find(','), rest.size());
            const std::string_view one = rest.substr(0, end);
            found.push_back(one == "roots" ? std::nullopt
                                           : std::optional(numberIn<std::size_t>(one, "node")));
            if (found.back() && *found.back() >= count)
                throw WrongQuery("node: there is no " + std::to_string(*found.back()));
            if (end == rest.size()) return found;
            rest.remove_prefix(end + 1);
        }
        throw WrongQuery("node: at most " + std::to_string(kMostNodes) + " at once");
    }

  private:
    const Query& query_;
};

Api::Api(const std::vector<Subject>& subjects, Summarize summarize)
    : summarize_(std::move(summarize)), views_(subjects) {
    for (const Subject& subject : subjects) {
        names_.push_back(subject.name);
        beside_.push_back(besideOf(subject));
    }
}

Api::Beside Api::besideOf(const Subject& subject) {
    if (subject.trace.empty()) return {.timeline = {}, .tables = {}, .live = subject.live};
    return {.timeline = std::make_shared<Timeline>(subject.trace),
            .tables = std::make_shared<EventTables>(subject.trace),
            .live = subject.live};
}

Api::Beside Api::beside(std::size_t number) {
    const std::lock_guard lock(mutex_);
    return beside_[number];
}

void Api::renew(std::size_t number, const Subject& subject) {
    Beside beside = besideOf(subject);
    views_.renew(number, subject.experiment, subject.trace);
    const std::lock_guard lock(mutex_);
    std::swap(beside_[number], beside);
}

Answer Api::answer(const Query& query) {
    using Handler = Json (Api::*)(const Parameters&);
    constexpr std::array<std::pair<std::string_view, Handler>, 10> kHandlers{{
        {"/api/experiments", &Api::experiments},
        {"/api/rows", &Api::rows},
        {"/api/place", &Api::place},
        {"/api/metric", &Api::metric},
        {"/api/search", &Api::search},
        {"/api/flame", &Api::flame},
        {"/api/summary", &Api::summary},
        {"/api/timeline", &Api::timeline},
        {"/api/tables", &Api::tables},
        {"/api/table", &Api::table},
    }};
    for (const auto& [path, handler] : kHandlers) {
        if (path != query.path) continue;
        try {
            return {.body = jsonText((this->*handler)(Parameters(query)))};
        } catch (const WrongQuery& error) {
            return {.status = 400, .body = jsonText(Json{{"error", error.message()}})};
        } catch (const NotYet& made) {
            return {.status = 202, .body = jsonText(Json{{"pending", true}, {"part", rounded(made.part)}})};
        }
    }
    return {.status = 404, .body = R"({"error":"there is no such page"})"};
}

nlohmann::ordered_json Api::experiments(const Parameters&) {
    Json list = Json::array();
    for (std::size_t at = 0; at < names_.size(); ++at) {
        const auto shown = views_.whole(at);
        const Beside beside = this->beside(at);
        const Experiment& experiment = shown->experiment();
        list.push_back({{"name", names_[at]},
                        {"metrics", experiment.metrics.size()},
                        {"callPaths", experiment.callTree.size()},
                        {"processes", numberOfProcesses(experiment.system)},
                        {"threads", numberOfThreads(experiment.system)},
                        {"timeline", beside.timeline != nullptr},
                        {"live", beside.live.empty() ? Json() : Json(beside.live)}});
    }
    return list;
}

/// Errors tell what cannot be shown.
std::shared_ptr<ShownExperiment> Api::shown(const Parameters& asked) {
    try {
        const View view = viewFrom(asked.text("experiment"), asked.text("part"), views_.size());
        return views_.shown(view, std::chrono::steady_clock::now() + kPatience);
    } catch (const Error& error) {
        throw WrongQuery(error.message());
    }
}

/// The rows below some nodes, a part of them each.
nlohmann::ordered_json Api::rows(const Parameters& asked) {
    const auto shown = this->shown(asked);
    const Tree tree = asked.tree();
    const Chosen chosen = asked.chosen(shown->experiment());
    const std::size_t from = asked.number("from", 0);
    const std::size_t count = std::min(asked.number("count", 100), kMostRows);
    Json groups = Json::array();
    std::size_t left = kMostRows;
    const Moment until = std::chrono::steady_clock::now() + kPatience;
    for (const auto node : asked.nodes(shown->nodes(tree))) {
        const auto& all = node ? shown->childrenOf(tree, *node) : shown->roots(tree);
        Json list = Json::array();
        bool isPending = false;
        for (std::size_t at = from; at < all.size() && at - from < count && left > 0; ++at, --left) {
            const Row row = shown->row(tree, all[at], chosen, until);
            list.push_back({{"node", row.node},
                            {"name", row.name},
                            {"children", row.children},
                            {"inclusive", numberOrNull(row.inclusive)},
                            {"exclusive", row.exclusive ? numberOrNull(*row.exclusive) : Json()}});
            isPending = isPending || row.isPending;
            if (tree == Tree::Metrics) {
                const Metric& metric = shown->experiment().metrics[MetricId(row.node)];
                list.back()["uniqueName"] = metric.uniqueName;
                list.back()["unit"] = metric.unit;
            } else {
                list.back()["unit"] = shown->experiment().metrics[chosen.metric.metric].unit;
            }
        }
        groups.push_back({{"node", node ? Json(*node) : Json()},
                          {"total", all.size()},
                          {"pending", isPending},
                          {"rows", std::move(list)}});
    }
    return groups;
}

/// Where a node is, and what it could be chosen by.
nlohmann::ordered_json Api::place(const Parameters& asked) {
    const auto shown = this->shown(asked);
    const Tree tree = asked.tree();
    std::size_t node = 0;
    if (asked.has("key")) {
        const auto found = shown->withKey(tree, asked.text("key"));
        if (!found) throw WrongQuery("this part of the run has no " + asked.text("key"));
        node = *found;
    } else {
        node = asked.below("node", shown->nodes(tree));
    }
    Json above = Json::array();
    for (auto up = shown->parentOf(tree, node); up; up = shown->parentOf(tree, *up))
        above.insert(above.begin(), *up);
    Json place{{"node", node},
               {"above", std::move(above)},
               {"key", shown->keyOf(tree, node)},
               {"name", shown->nameOf(tree, node)}};
    if (tree == Tree::Calls) {
        const Region& region = shown->experiment().regionOf(CallPathId(node));
        place["region"] = region.name;
        place["kind"] = belongingOf(region);
    }
    return place;
}

nlohmann::ordered_json Api::metric(const Parameters& asked) {
    const auto shown = this->shown(asked);
    const MetricId id = asked.chosen(shown->experiment()).metric.metric;
    const Metric& metric = shown->experiment().metrics[id];
    const double value = shown->total({id});
    Json object{{"uniqueName", metric.uniqueName},
                {"displayName", metric.displayName},
                {"unit", metric.unit},
                {"incomplete", metric.incomplete},
                {"description", metric.description},
                {"value", numberOrNull(value)}};
    if (std::isnan(value) && !metric.hasValues())
        if (const auto why = whyNotEvaluated(shown->experiment(), id)) object["notEvaluated"] = *why;
    return object;
}

/// Nodes with a text in their names, each with those above it.
nlohmann::ordered_json Api::search(const Parameters& asked) {
    const auto shown = this->shown(asked);
    const Tree tree = asked.tree();
    const std::string text = lower(asked.text("text"));
    Json list = Json::array();
    std::size_t count = 0;
    if (!text.empty())
        for (std::size_t node = 0; node < shown->nodes(tree); ++node) {
            if (tree == Tree::Metrics && shown->experiment().metrics[MetricId(node)].ghost) continue;
            if (lower(shown->nameOf(tree, node)).find(text) == std::string::npos) continue;
            if (++count > kMostFound) continue;
            Json above = Json::array();
            for (auto up = shown->parentOf(tree, node); up; up = shown->parentOf(tree, *up))
                above.insert(above.begin(), *up);
            list.push_back({{"node", node}, {"above", std::move(above)}});
        }
    return {{"count", count}, {"found", std::move(list)}};
}

nlohmann::ordered_json Api::flame(const Parameters& asked) {
    const auto shown = this->shown(asked);
    const Chosen chosen = asked.chosen(shown->experiment());
    const std::size_t pixels = std::clamp<std::size_t>(asked.number("pixels", 1200), 1, kMostPixels);
    const auto top = chosen.path ? std::optional(chosen.path->path) : std::nullopt;
    const Flame flame = flameOf(shown->experiment().callTree,
                                *shown->callPaths(chosen.metric, Extent::Exclusive), top, pixels);
    Json boxes = Json::array();
    for (const FlameBox& box : flame.boxes)
        boxes.push_back({{"node", box.path.index()},
                         {"name", shown->nameOf(Tree::Calls, box.path.index())},
                         {"row", box.row},
                         {"start", rounded(box.start)},
                         {"width", rounded(box.width)},
                         {"value", numberOrNull(box.value)}});
    return {{"unit", shown->experiment().metrics[chosen.metric.metric].unit},
            {"whole", flame.whole},
            {"narrow", flame.narrow},
            {"boxes", std::move(boxes)}};
}

nlohmann::ordered_json Api::summary(const Parameters& asked) {
    const auto shown = this->shown(asked);
    const std::lock_guard lock(summariesMutex_);
    std::erase_if(summaries_, [](const auto& known) { return known.first.expired(); });
    const auto known = summaries_.find(shown);
    return known != summaries_.end() ? known->second : summaries_[shown] = summarize_(shown->experiment());
}

nlohmann::ordered_json Api::timeline(const Parameters& asked) {
    const auto timeline = beside(asked.below("experiment", names_.size())).timeline;
    if (!timeline) throw WrongQuery("timeline: no trace lies beside this experiment");
    const double end = timeline->seconds();
    TileRequest request{.from = asked.real("from", 0.0),
                        .to = asked.real("to", end),
                        .pixels = std::clamp<std::size_t>(asked.number("pixels", 1000), 1, kMostPixels),
                        .firstLocation = asked.number("first", 0),
                        .locations = asked.number("locations", ~std::size_t{0}),
                        .rows = std::max<std::size_t>(asked.number("rows", 40), 1)};
    return timeline->tile(request);
}

nlohmann::ordered_json Api::tables(const Parameters& asked) {
    const auto tables = beside(asked.below("experiment", names_.size())).tables;
    return tables ? tables->tables() : Json::array();
}

/// Rows of a table, sorted, which are in the part of the run that is shown.
nlohmann::ordered_json Api::table(const Parameters& asked) {
    const auto tables = beside(asked.below("experiment", names_.size())).tables;
    if (!tables) throw WrongQuery("table: no trace lies beside this experiment");
    const EventQuestion question{.table = asked.text("table"),
                                 .filter = asked.text("filter"),
                                 .order = asked.text("order"),
                                 .leastFirst = asked.flag("leastFirst"),
                                 .part = asked.text("part")};
    const std::size_t count = std::min(asked.number("count", 100), kMostRows);
    try {
        return tables->rows(question, *shown(asked), asked.number("from", 0), count,
                            std::chrono::steady_clock::now() + kPatience);
    } catch (const WrongQuery&) {
        throw;
    } catch (const Error& error) {
        throw WrongQuery(error.message());
    }
}

}  // namespace holos::serve
