// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/events/event_question.h"

#include <QRegularExpression>
#include <QUrl>
#include <algorithm>
#include <array>
#include <map>

#include "algebra/model/call_names.h"
#include "gui/models/call_model.h"
#include "gui/models/region_model.h"

namespace holos::gui {

namespace {

QString quoted(QString text) {
    return u'\'' + text.replace(u'\'', u"''"_qs) + u'\'';
}

/// `end` is a keyword.
QString column(const QString& name) {
    static const QRegularExpression plain(u"^[a-z_]+$"_qs);
    return name == u"end" || !plain.match(name).hasMatch()
               ? u'"' + QString(name).replace(u'"', u"\"\""_qs) + u'"'
               : name;
}

QString listOf(const QStringList& texts) {
    QStringList all;
    for (const QString& text : texts) all << quoted(text);
    return u'(' + all.join(u", "_qs) + u')';
}

/// The text stands for itself, somewhere in the column's.
QString contains(const QString& name, QString text) {
    for (const QChar special : {u'\\', u'%', u'_'}) text.replace(special, QString(u'\\') + special);
    const QString pattern = quoted(u'%' + text + u'%');
    return column(name) + u" LIKE "_qs + pattern + u" ESCAPE '\\'"_qs;
}

QString joined(const QStringList& conditions, const QString& word) {
    return conditions.size() < 2 ? conditions.join(QString()) : u'(' + conditions.join(word) + u')';
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

/// A number with its unit, in what the column is in.
std::optional<double> measuredIn(const QString& text, EventUnit unit) {
    static const QRegularExpression form(u"^([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)\\s*([a-zµ]*)$"_qs,
                                         QRegularExpression::CaseInsensitiveOption);
    const auto match = form.match(text);
    bool isNumber = false;
    const double number = match.captured(1).toDouble(&isNumber);
    if (!match.hasMatch() || !isNumber) return std::nullopt;
    const QString suffix = match.captured(2).toLower();
    if (suffix.isEmpty()) return number;
    static const std::map<QString, double> seconds{
        {u"ns"_qs, 1e-9}, {u"us"_qs, 1e-6}, {u"µs"_qs, 1e-6}, {u"ms"_qs, 1e-3}, {u"s"_qs, 1.0}};
    static const std::map<QString, double> sizes{
        {u"k"_qs, 1024.0},       {u"kb"_qs, 1024.0},       {u"m"_qs, 1048576.0}, {u"mb"_qs, 1048576.0},
        {u"g"_qs, 1073741824.0}, {u"gb"_qs, 1073741824.0}, {u"b"_qs, 1.0}};
    const bool isTime = unit == EventUnit::Duration || unit == EventUnit::Moment;
    const auto& units = isTime ? seconds : sizes;
    const auto found = units.find(suffix);
    return found == units.end() ? std::nullopt : std::optional(number * found->second);
}

/// With all its digits.
QString sqlOf(double number) {
    return QString::number(number, 'g', 17);
}

EventCondition termOf(const QString& term, const EventTable& table) {
    static const QRegularExpression form(u"^\"?([A-Za-z_]+)\"?\\s*(<=|>=|!=|<>|=|<|>|~)\\s*(.+)$"_qs);
    const auto match = form.match(term);
    const EventColumn* named = match.hasMatch() ? table.find(match.captured(1).toLower()) : nullptr;
    if (named == nullptr) {
        if (match.hasMatch() && match.captured(2) != u"~")
            return {{}, u"%1 has no column %2"_qs.arg(table.name, match.captured(1))};
        QStringList anywhere;
        for (const EventColumn& one : table.columns)
            if (one.unit == EventUnit::Text) anywhere << contains(one.name, term);
        if (anywhere.isEmpty())
            return {{},
                    u"%1 has no texts; name a column, as in %2 = 1"_qs.arg(table.name,
                                                                           table.columns.front().name)};
        return {joined(anywhere, u" OR "_qs), {}};
    }
    const QString relation = match.captured(2);
    QString value = match.captured(3).trimmed();
    if (value.size() > 1 && value.startsWith(u'"') && value.endsWith(u'"'))
        value = value.mid(1, value.size() - 2);
    if (relation == u"~") return {contains(named->name, value), {}};
    if (named->unit == EventUnit::Text)
        return {column(named->name) + u' ' + relation + u' ' + quoted(value), {}};
    const auto number = measuredIn(value, named->unit);
    if (!number) {
        const QString example = named->unit == EventUnit::Bytes ? u"64k or 100"_qs : u"2 ms or 0.5"_qs;
        return {{}, u"%1 is compared with a number, such as %2"_qs.arg(named->name, example)};
    }
    return {column(named->name) + u' ' + relation + u' ' + sqlOf(*number), {}};
}

/// Rows that are there at some time of the part.
QString timeCondition(const PartOfTime& part, const EventTable& table) {
    const auto between = [&part](const QString& from, const QString& to) {
        return from + u" < "_qs + sqlOf(part.to) + u" AND "_qs + to + u" > "_qs + sqlOf(part.from);
    };
    const auto has = [&table](const char* name) { return table.find(QString::fromLatin1(name)) != nullptr; };
    if (has("end")) return between(u"start"_qs, u"\"end\""_qs);
    if (has("start")) return between(u"start"_qs, u"start + duration"_qs);
    if (has("send_time")) return between(u"send_time"_qs, u"receive_time"_qs);
    if (has("time")) return between(u"time"_qs, u"time"_qs);
    return {};
}

/// Of one or of the other.
QString anyOf(const QStringList& columns, const EventTable& table, const QString& condition) {
    QStringList all;
    for (const QString& name : columns)
        if (table.find(name) != nullptr) all << QString(condition).replace(u"@"_qs, column(name));
    return joined(all, u" OR "_qs);
}

QString placeCondition(const algebra::Experiment& experiment, const EventTable& table) {
    QStringList pairs;
    for (const algebra::Location& location : experiment.system.locations)
        pairs << u"(%1, %2)"_qs.arg(experiment.system[location.process].rank).arg(location.rank);
    const QString wanted =
        u"@ IN (SELECT location FROM locations WHERE (process, thread) IN (VALUES %1))"_qs.arg(
            pairs.join(u", "_qs));
    return anyOf({u"location"_qs, u"sender_location"_qs, u"receiver_location"_qs}, table, wanted);
}

/// The call paths that are named with what they call.
QString pathCondition(const QStringList& keys, const algebra::Experiment& experiment,
                      const EventTable& table) {
    ValueCache cache(std::shared_ptr<const algebra::Experiment>(std::shared_ptr<void>(), &experiment));
    const CallModel model(cache);
    QStringList wanted;
    for (const QString& key : keys) {
        const auto row = model.rows().withKey(key);
        if (!row) continue;
        const QString text =
            QString::fromStdString(algebra::callPathText(experiment, algebra::CallPathId(row->index())));
        const QString below = text + u'/';
        wanted
            << u"@ = %1 OR substr(@, 1, %2) = %3"_qs.arg(quoted(text)).arg(below.size()).arg(quoted(below));
    }
    return anyOf({u"call_path"_qs, u"send_path"_qs, u"receive_path"_qs}, table, joined(wanted, u" OR "_qs));
}

QString regionCondition(const Filter& part, const algebra::Experiment& experiment, const EventTable& table) {
    QStringList regions, paths;
    const auto isWanted = [&part](const algebra::Region& region) {
        return (part.regions.isEmpty() || part.regions.contains(QString::fromStdString(region.name))) &&
               (part.kinds.isEmpty() || part.kinds.contains(kindOf(region)));
    };
    for (const algebra::Region& region : experiment.regions)
        if (isWanted(region)) regions << QString::fromStdString(region.name);
    if (table.find(u"region"_qs) != nullptr) return u"region IN "_qs + listOf(regions);
    for (const algebra::CallPathId path : experiment.callTree.ids())
        if (isWanted(experiment.regionOf(path)))
            paths << QString::fromStdString(algebra::callPathText(experiment, path));
    return anyOf({u"call_path"_qs, u"send_path"_qs, u"receive_path"_qs}, table, u"@ IN "_qs + listOf(paths));
}

}  // namespace

const EventColumn* EventTable::find(const QString& wanted) const {
    const auto found = std::ranges::find(columns, wanted, &EventColumn::name);
    return found == columns.end() ? nullptr : &*found;
}

EventUnit unitOfColumn(const QString& name) {
    static const QRegularExpression within(u"^\\w+\\((\\w+)\\)$"_qs);
    const auto match = within.match(name);
    const QString own = match.hasMatch() ? match.captured(1) : name;
    static const std::map<QString, EventUnit> units{{u"start"_qs, EventUnit::Moment},
                                                    {u"end"_qs, EventUnit::Moment},
                                                    {u"time"_qs, EventUnit::Moment},
                                                    {u"send_time"_qs, EventUnit::Moment},
                                                    {u"receive_time"_qs, EventUnit::Moment},
                                                    {u"duration"_qs, EventUnit::Duration},
                                                    {u"own"_qs, EventUnit::Duration},
                                                    {u"late_sender"_qs, EventUnit::Duration},
                                                    {u"late_receiver"_qs, EventUnit::Duration},
                                                    {u"seconds"_qs, EventUnit::Duration},
                                                    {u"culprit_time"_qs, EventUnit::Duration},
                                                    {u"bytes"_qs, EventUnit::Bytes},
                                                    {u"bytes_sent"_qs, EventUnit::Bytes},
                                                    {u"bytes_received"_qs, EventUnit::Bytes}};
    const auto found = units.find(own);
    return found == units.end() ? EventUnit::Number : found->second;
}

std::vector<EventTable> eventTables(const query::Tables& tables) {
    std::vector<EventTable> all;
    for (const auto& table : tables) {
        EventTable one{QString::fromUtf8(table->name()), QString::fromUtf8(table->meaning()), {}};
        for (const query::Column& column : table->columns()) {
            const QString name = QString::fromUtf8(column.name);
            one.columns.push_back({name, QString::fromUtf8(column.meaning),
                                   column.kind == query::Kind::Text ? EventUnit::Text : unitOfColumn(name)});
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
    QStringList terms{QString()};
    bool isQuoted = false;
    for (const QChar letter : text) {
        if (letter == u'"') isQuoted = !isQuoted;
        if (letter == u',' && !isQuoted)
            terms << QString();
        else
            terms.back() += letter;
    }
    for (QString& term : terms) term = term.trimmed();
    terms.removeAll(QString());
    return terms;
}

EventCondition typedCondition(const QString& text, const EventTable& table) {
    QStringList all;
    for (const QString& term : termsOf(text)) {
        const EventCondition condition = termOf(term, table);
        if (!condition.problem.isEmpty()) return condition;
        all << condition.sql;
    }
    return {all.join(u" AND "_qs), {}};
}

QString partCondition(const Filter& part, const algebra::Experiment& experiment, const EventTable& table) {
    QStringList all;
    if (part.range) all << timeCondition(*part.range, table);
    if (!part.places.isEmpty()) all << placeCondition(experiment, table);
    if (!part.callPaths.isEmpty()) all << pathCondition(part.callPaths, experiment, table);
    if (!part.regions.isEmpty() || !part.kinds.isEmpty()) all << regionCondition(part, experiment, table);
    all.removeAll(QString());
    return all.join(u" AND "_qs);
}

EventStatements statementsOf(const EventQuestion& question, const EventTable& table,
                             const QString& conditions) {
    const QString source =
        u" FROM "_qs + table.name + (conditions.isEmpty() ? QString() : u" WHERE "_qs + conditions);
    const auto orderBy = [&question](const QString& by) {
        return by.isEmpty()
                   ? QString()
                   : u" ORDER BY "_qs + column(by) + (question.largestFirst ? u" DESC"_qs : QString());
    };
    EventStatements statements;
    const bool isMeasured = table.find(question.measure) != nullptr;
    statements.spread = u"SELECT "_qs + (isMeasured ? column(question.measure) : u"1"_qs) + source;
    if (!question.groups.isEmpty()) {
        QStringList names;
        for (const QString& group : question.groups) names << column(group);
        const QString keys = names.join(u", "_qs);
        names << u"count(*) AS \"rows\""_qs;
        QStringList answered = question.groups + QStringList{u"rows"_qs};
        if (isMeasured)
            for (const char* of : {"sum", "avg", "min", "max"}) {
                const QString name = u"%1(%2)"_qs.arg(QString::fromLatin1(of), question.measure);
                names << u"%1(%2) AS \"%3\""_qs.arg(QString::fromLatin1(of), column(question.measure), name);
                answered << name;
            }
        const QString usual = isMeasured ? u"sum(%1)"_qs.arg(question.measure) : u"rows"_qs;
        statements.rows = u"SELECT "_qs + names.join(u", "_qs) + source + u" GROUP BY "_qs + keys +
                          orderBy(answered.contains(question.order) ? question.order : usual);
        statements.led = statements.rows;
        return statements;
    }
    QStringList names;
    for (const QString& name : question.columns) names << column(name);
    const QString order = orderBy(table.find(question.order) != nullptr ? question.order : QString());
    statements.rows = u"SELECT "_qs + (names.isEmpty() ? u"*"_qs : names.join(u", "_qs)) + source + order;
    if (const UsualColumns* usual = usualOf(table); usual != nullptr && !names.isEmpty())
        for (const QString& name : namesIn(usual->places, table))
            if (!question.columns.contains(name)) names << column(name);
    statements.led = u"SELECT "_qs + (names.isEmpty() ? u"*"_qs : names.join(u", "_qs)) + source + order;
    return statements;
}

EventStatements statementsOf(const QString& typed, const QString& measure) {
    QString text = typed.trimmed();
    while (text.endsWith(u';')) text = text.chopped(1).trimmed();
    EventStatements statements;
    statements.rows = typed;
    statements.led = u"SELECT * FROM (\n"_qs + text + u"\n)"_qs;
    statements.spread =
        u"SELECT "_qs + (measure.isEmpty() ? u"1"_qs : column(measure)) + u" FROM (\n"_qs + text + u"\n)"_qs;
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
