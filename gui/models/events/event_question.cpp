// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/events/event_question.h"

#include <fmt/format.h>

#include <QUrl>
#include <algorithm>
#include <array>

#include "algebra/model/call_names.h"
#include "base/error.h"
#include "gui/models/call_model.h"
#include "gui/models/path_set_model.h"

namespace holos::gui {

namespace {

query::Asked askedOf(const EventTable& table) {
    query::Asked asked{table.name.toStdString(), {}};
    for (const EventColumn& one : table.columns) asked.columns.push_back({one.name.toStdString(), one.unit});
    return asked;
}

/// What `make` throws is the problem.
template <class Make>
EventCondition conditionOrProblem(Make make) {
    try {
        return {QString::fromStdString(make()), {}};
    } catch (const Error& error) {
        return {{}, QString::fromStdString(error.message())};
    }
}

/// What one table is read by.
struct UsualColumns {
    const char* table;
    const char* columns;
    const char* order;
    const char* measure;
    const char* places;  ///< that lead to a place
};
constexpr std::array kUsual{
    UsualColumns{"calls", "process thread region call_path start duration own bytes_sent", "duration",
                 "duration", "location start duration call_path"},
    UsualColumns{"messages", "sender receiver bytes send_time receive_time late_sender late_receiver tag",
                 "late_sender", "bytes", "receiver_location send_time receive_time receive_path"},
    UsualColumns{"waits", "process thread name region call_path start duration culprit_process culprit_path",
                 "duration", "duration", "location start duration call_path"},
    UsualColumns{"readings", "process thread time metric value unit call_path", "time", "value",
                 "location time call_path"},
    UsualColumns{"severities", "metric call_path location value inclusive", "value", "value",
                 "location call_path"}};

const UsualColumns* usualOf(const EventTable& table) {
    const auto found = std::ranges::find_if(
        kUsual, [&table](const UsualColumns& one) { return table.name == QLatin1String(one.table); });
    return found == kUsual.end() ? nullptr : &*found;
}

QStringList namesIn(const char* list, const EventTable& table) {
    QStringList names;
    for (const QString& name : QString::fromLatin1(list).split(u' '))
        if (table.find(name) != nullptr) names << name;
    return names;
}

/// Of the call paths that are named, those that the experiment has.
std::vector<std::string> textsOfPaths(const QStringList& keys, const algebra::Experiment& experiment) {
    ValueCache cache(std::shared_ptr<const algebra::Experiment>(std::shared_ptr<void>(), &experiment));
    const CallModel model(cache);
    std::vector<std::string> texts;
    for (const QString& key : keys)
        if (const auto row = model.rows().withKey(key))
            texts.push_back(algebra::callPathText(experiment, algebra::CallPathId(row->index())));
    return texts;
}

std::string conditionOf(const Filter& part, const algebra::Experiment& experiment,
                        const query::Asked& asked) {
    const auto isWanted = [&part](const algebra::Region& region) {
        return (part.regions.isEmpty() || part.regions.contains(QString::fromStdString(region.name))) &&
               (part.kinds.isEmpty() || part.kinds.contains(kindOf(region)));
    };
    std::vector<std::string> all;
    if (part.range) all.push_back(query::timeCondition(part.range->from, part.range->to, asked));
    if (!part.places.isEmpty()) all.push_back(query::placeCondition(experiment.system, asked));
    if (!part.callPaths.isEmpty())
        all.push_back(query::pathCondition(textsOfPaths(part.callPaths, experiment), asked));
    if (!part.regions.isEmpty() || !part.kinds.isEmpty())
        all.push_back(query::regionCondition(experiment, isWanted, asked));
    return query::allOf(all);
}

}  // namespace

const EventColumn* EventTable::find(const QString& wanted) const {
    const auto found = std::ranges::find(columns, wanted, &EventColumn::name);
    return found == columns.end() ? nullptr : &*found;
}

EventUnit unitOfColumn(const QString& name) {
    return query::unitOfColumn(name.toStdString());
}

std::vector<EventTable> eventTables(const query::Tables& tables) {
    std::vector<EventTable> all;
    for (const auto& table : tables) {
        EventTable one{QString::fromUtf8(table->name()), QString::fromUtf8(table->meaning()), {}};
        for (const query::Column& column : table->columns()) {
            const QString name = QString::fromUtf8(column.name);
            one.columns.push_back({name, QString::fromUtf8(column.meaning), query::unitOf(column)});
        }
        all.push_back(std::move(one));
    }
    return all;
}

EventQuestion usualQuestion(const EventTable& table) {
    EventQuestion question{.table = table.name};
    const UsualColumns* usual = usualOf(table);
    if (usual == nullptr) return question;
    question.columns = namesIn(usual->columns, table);
    question.order = QString::fromLatin1(usual->order);
    question.measure = QString::fromLatin1(usual->measure);
    question.largestFirst = question.order != u"time";
    return question;
}

namespace {

/// What of a question a link names.
struct PartOfLink {
    const char* key;
    QString EventQuestion::*text;
    QStringList EventQuestion::*list;
};
constexpr std::array<PartOfLink, 6> kLink{{{"columns", nullptr, &EventQuestion::columns},
                                           {"order", &EventQuestion::order, nullptr},
                                           {"filter", &EventQuestion::filter, nullptr},
                                           {"groups", nullptr, &EventQuestion::groups},
                                           {"measure", &EventQuestion::measure, nullptr},
                                           {"sql", &EventQuestion::sql, nullptr}}};

}  // namespace

QString linkOf(const EventQuestion& question) {
    QStringList parts{question.table};
    for (const PartOfLink& part : kLink) {
        const QString value = part.text != nullptr ? question.*part.text : (question.*part.list).join(u' ');
        if (!value.isEmpty())
            parts << QString::fromLatin1(part.key) + u':' +
                         QString::fromLatin1(QUrl::toPercentEncoding(value));
    }
    if (!question.largestFirst) parts << u"least-first"_qs;
    return parts.join(u';');
}

std::optional<EventQuestion> eventQuestionFrom(const QString& link) {
    const QStringList parts = link.split(u';');
    EventQuestion question{.table = parts.front()};
    for (const QString& part : parts.mid(1)) {
        if (part == u"least-first") {
            question.largestFirst = false;
            continue;
        }
        const auto known = std::ranges::find_if(kLink, [&part](const PartOfLink& one) {
            return part.section(u':', 0, 0) == QLatin1String(one.key);
        });
        if (known == kLink.end()) return std::nullopt;
        const QString value = QUrl::fromPercentEncoding(part.section(u':', 1).toUtf8());
        if (known->text != nullptr)
            question.*known->text = value;
        else
            question.*known->list = value.split(u' ', Qt::SkipEmptyParts);
    }
    return question;
}

QStringList termsOf(const QString& text) {
    QStringList terms;
    for (const std::string& term : query::termsOf(text.toStdString())) terms << QString::fromStdString(term);
    return terms;
}

EventCondition typedCondition(const QString& text, const EventTable& table) {
    return conditionOrProblem([&] { return query::typedCondition(text.toStdString(), askedOf(table)); });
}

EventCondition partCondition(const Filter& part, const algebra::Experiment& experiment,
                             const EventTable& table) {
    return conditionOrProblem([&] { return conditionOf(part, experiment, askedOf(table)); });
}

EventCondition trafficStatement(const Filter& part, const algebra::Experiment& experiment) {
    using query::Unit;
    const query::Asked sender{"messages", {{"sender_location", Unit::Number}, {"send_path", Unit::Text}}};
    const query::Asked receiver{"messages",
                                {{"receiver_location", Unit::Number}, {"receive_path", Unit::Text}}};
    const Filter calls = without(without(part, FilterPart::Range), FilterPart::Places);
    const auto isIn = [&](const std::string& time, const query::Asked& end) {
        std::vector<std::string> all{time + " IS NOT NULL"};
        if (part.range)
            all.push_back(fmt::format("{0} >= {1} AND {0} < {2}", time, part.range->from, part.range->to));
        all.push_back(conditionOf(calls, experiment, end));
        return query::allOf(all);
    };
    return conditionOrProblem([&] {
        const std::string isSent = isIn("send_time", sender), isReceived = isIn("receive_time", receiver);
        std::string places;
        if (!part.places.isEmpty())
            places = " WHERE " + query::allOf({query::placeCondition(experiment.system, sender),
                                               query::placeCondition(experiment.system, receiver)});
        const auto sumOf = [](const char* column, const std::string& condition) {
            return fmt::format("sum(CASE WHEN {} THEN {} ELSE 0 END)", condition, column);
        };
        return fmt::format(
            "SELECT sender, receiver, {}, {}, {}, {} FROM messages{} GROUP BY sender, receiver",
            sumOf("1", isSent), sumOf("bytes", isSent), sumOf("late_sender", isReceived),
            sumOf("late_receiver", isSent), places);
    });
}

EventStatements statementsOf(const EventQuestion& question, const EventTable& table,
                             const QString& conditions) {
    const QString source =
        u" FROM "_qs + table.name + (conditions.isEmpty() ? QString() : u" WHERE "_qs + conditions);
    const auto orderBy = [&question](const QString& by) {
        return by.isEmpty()
                   ? QString()
                   : u" ORDER BY "_qs + columnInSql(by) + (question.largestFirst ? u" DESC"_qs : QString());
    };
    EventStatements statements;
    const bool isMeasured = table.find(question.measure) != nullptr;
    statements.spread = u"SELECT "_qs + (isMeasured ? columnInSql(question.measure) : u"1"_qs) + source;
    if (!question.groups.isEmpty()) {
        QStringList names;
        for (const QString& group : question.groups) names << columnInSql(group);
        const QString keys = names.join(u", "_qs);
        names << u"count(*) AS \"rows\""_qs;
        QStringList answered = question.groups + QStringList{u"rows"_qs};
        if (isMeasured)
            for (const char* of : {"sum", "avg", "min", "max"}) {
                const QString name = u"%1(%2)"_qs.arg(QString::fromLatin1(of), question.measure);
                names << u"%1(%2) AS \"%3\""_qs.arg(QString::fromLatin1(of), columnInSql(question.measure),
                                                    name);
                answered << name;
            }
        const QString usual = isMeasured ? u"sum(%1)"_qs.arg(question.measure) : u"rows"_qs;
        statements.rows = u"SELECT "_qs + names.join(u", "_qs) + source + u" GROUP BY "_qs + keys +
                          orderBy(answered.contains(question.order) ? question.order : usual);
        statements.led = statements.rows;
        return statements;
    }
    QStringList names;
    for (const QString& name : question.columns) names << columnInSql(name);
    const QString order = orderBy(table.find(question.order) != nullptr ? question.order : QString());
    statements.rows = u"SELECT "_qs + (names.isEmpty() ? u"*"_qs : names.join(u", "_qs)) + source + order;
    if (const UsualColumns* usual = usualOf(table); usual != nullptr && !names.isEmpty())
        for (const QString& name : namesIn(usual->places, table))
            if (!question.columns.contains(name)) names << columnInSql(name);
    statements.led = u"SELECT "_qs + (names.isEmpty() ? u"*"_qs : names.join(u", "_qs)) + source + order;
    return statements;
}

QString indexColumnOf(const EventQuestion& question, const EventTable& table) {
    if (!question.sql.isEmpty() || !question.groups.isEmpty()) return {};
    if (const EventColumn* order = table.find(question.order)) return order->name;
    const bool isByThread = table.name == u"calls" || table.name == u"readings";
    return isByThread ? u"location"_qs : QString();
}

QString columnInSql(const QString& name) {
    return QString::fromStdString(query::columnInSql(name.toStdString()));
}

EventStatements statementsOf(const QString& typed, const QString& measure) {
    QString text = typed.trimmed();
    while (text.endsWith(u';')) text = text.chopped(1).trimmed();
    EventStatements statements;
    statements.rows = typed;
    statements.led = u"SELECT * FROM (\n"_qs + text + u"\n)"_qs;
    statements.spread = u"SELECT "_qs + (measure.isEmpty() ? u"1"_qs : columnInSql(measure)) +
                        u" FROM (\n"_qs + text + u"\n)"_qs;
    return statements;
}

EventPlace placeOf(const QStringList& columns, const std::vector<query::Value>& row) {
    const auto valueOf = [&](std::initializer_list<const char*> names) -> query::Value {
        for (const char* name : names)
            if (const auto at = columns.indexOf(QString::fromLatin1(name)); at >= 0)
                if (const query::Value& value = row[static_cast<std::size_t>(at)]; value.index() != 0)
                    return value;
        return {};
    };
    const auto numberOf = [&](std::initializer_list<const char*> names) -> std::optional<double> {
        const query::Value value = valueOf(names);
        if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
        if (const auto* number = std::get_if<double>(&value)) return *number;
        return std::nullopt;
    };
    EventPlace place;
    if (const auto location = numberOf({"location", "receiver_location", "sender_location"});
        location && *location >= 0)
        place.location = static_cast<std::size_t>(*location);
    const query::Value path = valueOf({"call_path", "receive_path", "send_path"});
    if (const auto* text = std::get_if<std::string_view>(&path))
        place.callPath = QString::fromUtf8(text->data(), static_cast<qsizetype>(text->size()));
    const auto from = numberOf({"start", "send_time", "time"});
    if (!from) return place;
    const auto length = numberOf({"duration"});
    const auto end = length ? std::optional(*from + *length) : numberOf({"end", "receive_time"});
    place.time = PartOfTime{*from, std::max(*from, end.value_or(*from))};
    return place;
}

}  // namespace holos::gui
