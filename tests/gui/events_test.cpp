// SPDX-License-Identifier: BSD-3-Clause
// The table of events: what it asks, what it shows, and where its rows lead.
#include <QHeaderView>
#include <QLineEdit>
#include <QTableView>

#include "gui/models/call_model.h"
#include "gui/models/events/event_model.h"
#include "gui/models/events/event_spread.h"
#include "gui/views/events/event_form.h"
#include "gui/views/events/event_histogram.h"
#include "gui/views/events/events_pane.h"
#include "gui/views/trees/tree_pane.h"
#include "gui/views/view_keeper.h"
#include "tests/gui/sample_experiment.h"
#include "tests/gui/timeline_fixture.h"

namespace holos::gui::testing {
namespace {

EventTable callsTable() {
    return {u"calls"_qs,
            u"calls"_qs,
            {{u"location"_qs, {}, EventUnit::Number},
             {u"region"_qs, {}, EventUnit::Text},
             {u"call_path"_qs, {}, EventUnit::Text},
             {u"start"_qs, {}, EventUnit::Moment},
             {u"end"_qs, {}, EventUnit::Moment},
             {u"duration"_qs, {}, EventUnit::Duration},
             {u"bytes_sent"_qs, {}, EventUnit::Bytes}}};
}

QString conditionOf(const char* text) {
    const EventCondition condition = typedCondition(QString::fromUtf8(text), callsTable());
    return condition.problem.isEmpty() ? condition.sql : u"problem: "_qs + condition.problem;
}

TEST(EventQuestions, typed_filter_is_a_condition) {
    EXPECT_EQ(conditionOf("duration > 1 ms"), u"duration > 0.001"_qs);
    EXPECT_EQ(conditionOf("end<=2.5, bytes_sent >= 64k"), u"\"end\" <= 2.5 AND bytes_sent >= 65536"_qs);
    EXPECT_EQ(conditionOf("region = it's"), u"region = 'it''s'"_qs);
    EXPECT_EQ(conditionOf("region ~ 50%_a"), u"region LIKE '%50\\%\\_a%' ESCAPE '\\'"_qs);
    EXPECT_EQ(conditionOf("MPI"),
              u"(region LIKE '%MPI%' ESCAPE '\\' OR call_path LIKE '%MPI%' ESCAPE '\\')"_qs);
    EXPECT_EQ(conditionOf("region = \"f(a, b)\", location = 3"), u"region = 'f(a, b)' AND location = 3"_qs);
    EXPECT_EQ(conditionOf(" , "), QString());
}

TEST(EventQuestions, typed_filter_that_is_none_says_why) {
    EXPECT_EQ(conditionOf("duraton > 1"), u"problem: calls has no column duraton"_qs);
    EXPECT_EQ(conditionOf("duration > long"),
              u"problem: duration is compared with a number, such as 2 ms or 0.5"_qs);
    EXPECT_EQ(conditionOf("bytes_sent > 2 ms"),
              u"problem: bytes_sent is compared with a number, such as 64k or 100"_qs);
}

TEST(EventQuestions, parts_of_a_run_hold_at_once) {
    const Filter part{.range = PartOfTime{0, 1}, .callPaths = {u"main"_qs}};
    EXPECT_EQ(partCondition(part, sampleExperiment(), callsTable()).sql,
              u"start < 1 AND \"end\" > 0 AND (call_path = 'main' OR substr(call_path, 1, length('main/')) = "
              u"'main/')"_qs);
}

TEST(EventQuestions, link_names_all_of_a_question) {
    const EventQuestion question{.table = u"waits"_qs,
                                 .columns = {u"kind"_qs, u"start"_qs},
                                 .order = u"duration"_qs,
                                 .largestFirst = false,
                                 .filter = u"MPI_Recv, duration > 1 ms"_qs,
                                 .groups = {u"kind"_qs},
                                 .measure = u"duration"_qs,
                                 .sql = u"SELECT 'a;b:c,d=%' FROM waits"_qs};
    const auto again = eventQuestionFrom(linkOf(question));
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, question);
    ViewState state;
    state.events = linkOf(question);
    EXPECT_EQ(viewStateFrom(toText(state)).events, state.events);
    EXPECT_FALSE(eventQuestionFrom(u"waits;rows:3"_qs));
}

TEST(EventSpreads, values_of_equal_ratios_have_bars_that_hold_them) {
    EventSpread spread(true);
    for (const double value : {0.0, 1e-6, 1.2e-6, 1e-3, 1.0}) spread.add(value);
    spread.addNothing();
    EXPECT_EQ(spread.rows(), 6U);
    EXPECT_EQ(spread.values(), 5U);
    EXPECT_DOUBLE_EQ(spread.most(), 1.0);
    EXPECT_NEAR(spread.sum(), 1.0010022, 1e-12);
    std::uint64_t all = 0;
    for (const EventSpread::Bar& bar : spread.bars()) {
        std::uint64_t held = 0;
        for (const double value : {0.0, 1e-6, 1.2e-6, 1e-3, 1.0}) held += value >= bar.from && value < bar.to;
        EXPECT_EQ(bar.rows, held) << bar.from;
        all += bar.rows;
    }
    EXPECT_EQ(all, 5U);
}

TEST(EventSpreads, other_values_have_few_bars_of_equal_width) {
    EventSpread spread(false);
    for (int value = 0; value < 10000; ++value) spread.add(7000.0 - value);
    const auto bars = spread.bars();
    ASSERT_GT(bars.size(), 10U);
    EXPECT_LE(bars.size(), 64U);
    std::uint64_t all = 0;
    for (const EventSpread::Bar& bar : bars) {
        EXPECT_DOUBLE_EQ(bar.to - bar.from, bars.front().to - bars.front().from);
        all += bar.rows;
    }
    EXPECT_EQ(all, 10000U);
    EXPECT_LE(bars.front().from, -2999.0);
    EXPECT_GT(bars.back().to, 7000.0);
}

class Events : public ShownTimeline {
  protected:
    void open() {
        browser().toggleDetail(u"events"_qs);
        settle();
    }
    EventsPane& events() { return *browser().details()->events(); }
    /// Cells of a row, between bars.
    QString row(int at) {
        QStringList cells;
        for (int column = 0; column < events().model().columnCount(); ++column)
            cells << events().model().index(at, column).data().toString();
        return cells.join(u'|');
    }
    void filter(const QString& text) {
        events().form()->filterBox()->setText(text);
        QTest::keyClick(events().form()->filterBox(), Qt::Key_Return);
        settle();
    }
    void type(const QString& statement) {
        events().statementBox()->setText(statement);
        QTest::keyClick(events().statementBox(), Qt::Key_Return);
        settle();
    }
};

TEST_F(Events, calls_are_listed_longest_first_with_their_number_and_sum) {
    open();
    EXPECT_EQ(events().model().rowCount(), 7);
    EXPECT_EQ(events().model().total(), 7U);
    EXPECT_TRUE(row(0).startsWith(u"0|0|main|main|0.000000 s|50.000 ms|48.000 ms"_qs))
        << row(0).toStdString();
    EXPECT_TRUE(row(2).startsWith(u"1|0|MPI_Recv|main/MPI_Recv|0.020000 s|7.0000 ms|7.0000 ms"_qs) ||
                row(2).startsWith(u"1|0|f|main/f|0.039000 s|7.0000 ms|2.0000 ms"_qs))
        << row(2).toStdString();
    EXPECT_TRUE(events().message().contains(u"7 rows"_qs)) << events().message().toStdString();
    EXPECT_TRUE(events().message().contains(u"duration: 121.00 ms in all"_qs))
        << events().message().toStdString();
}

TEST_F(Events, column_that_is_clicked_sorts_and_once_more_the_other_way) {
    open();
    const int start = static_cast<int>(events().model().columns().indexOf(u"start"_qs));
    Q_EMIT events().table()->horizontalHeader()->sectionClicked(start);
    settle();
    EXPECT_TRUE(row(0).startsWith(u"0|0|MPI_Send|main/MPI_Send|0.043000 s"_qs)) << row(0).toStdString();
    Q_EMIT events().table()->horizontalHeader()->sectionClicked(start);
    settle();
    EXPECT_TRUE(row(6).startsWith(u"0|0|MPI_Send|main/MPI_Send|0.043000 s"_qs)) << row(6).toStdString();
}

TEST_F(Events, filter_that_is_typed_leaves_other_rows_out) {
    open();
    filter(u"MPI_Recv, duration > 6 ms"_qs);
    ASSERT_EQ(events().model().rowCount(), 1);
    EXPECT_TRUE(row(0).startsWith(u"1|0|MPI_Recv|main/MPI_Recv|0.020000 s|7.0000 ms"_qs))
        << row(0).toStdString();
    filter(u"duration > soon"_qs);
    EXPECT_TRUE(events().message().startsWith(u"duration is compared with a number"_qs));
    filter(QString());
    EXPECT_EQ(events().model().rowCount(), 7);
}

TEST_F(Events, groups_have_sums_and_open_to_their_rows) {
    open();
    EventQuestion question = events().question();
    question.groups = {u"region"_qs};
    events().ask(question);
    settle();
    EXPECT_EQ(events().model().columns().mid(0, 3),
              QStringList({u"region"_qs, u"rows"_qs, u"sum(duration)"_qs}));
    EXPECT_TRUE(row(0).startsWith(u"main|2|100.00 ms|50.000 ms"_qs)) << row(0).toStdString();
    EXPECT_TRUE(row(1).startsWith(u"MPI_Recv|2|12.000 ms|6.0000 ms"_qs)) << row(1).toStdString();
    EXPECT_EQ(events().model().rowCount(), 4);
    Q_EMIT events().table()->activated(events().model().index(1, 0));
    settle();
    EXPECT_EQ(events().question().filter, u"region = MPI_Recv"_qs);
    EXPECT_EQ(events().model().rowCount(), 2);
}

TEST_F(Events, statement_that_is_typed_is_answered_or_says_what_is_wrong) {
    open();
    type(u"SELECT region, count(*) AS n FROM calls GROUP BY 1 ORDER BY 2, 1;"_qs);
    EXPECT_EQ(events().model().columns(), QStringList({u"region"_qs, u"n"_qs}));
    EXPECT_EQ(row(0), u"f|1"_qs);
    EXPECT_EQ(events().model().rowCount(), 4);
    type(u"SELECT regio FROM calls"_qs);
    EXPECT_TRUE(events().message().contains(u"no such column: regio"_qs)) << events().message().toStdString();
    type(u"ATTACH 'x' AS y"_qs);
    EXPECT_EQ(events().model().rowCount(), 0);
    type(QString());
    EXPECT_EQ(events().model().rowCount(), 7);
}

TEST_F(Events, row_leads_to_call_path_thread_and_moment) {
    open();
    events().ask({.table = u"waits"_qs,
                  .columns = {u"kind"_qs, u"culprit_path"_qs, u"duration"_qs},
                  .order = u"duration"_qs});
    settle();
    EXPECT_EQ(row(0), u"mpi_latesender|main|5.0000 ms"_qs);
    events().table()->selectRow(0);
    QApplication::processEvents();
    settle();
    EXPECT_EQ(browser().callPane()->current().data().toString(), u"MPI_Recv"_qs);
    EXPECT_TRUE(browser().views().state().system.contains(u"Rank 1"_qs));
    EXPECT_EQ(browser().details()->opened(), u"events"_qs);
    Q_EMIT events().table()->activated(events().model().index(0, 0));
    QApplication::processEvents();
    settle();
    EXPECT_EQ(browser().details()->opened(), u"timeline"_qs);
    // One length of it before and after.
    EXPECT_NEAR(static_cast<double>(view().from()), 15.0, 1.0);
    EXPECT_NEAR(static_cast<double>(view().to()), 30.0, 1.0);
}

TEST_F(Events, part_that_all_views_show_is_that_of_the_table) {
    open();
    events().setPart({.range = PartOfTime{0.0385, 0.0415}});
    settle();
    EXPECT_EQ(events().model().total(), 4U);  // main, twice; f and its MPI_Recv
    events().setPart({.callPaths = {u"main/f"_qs}});
    settle();
    EXPECT_EQ(events().model().total(), 2U);
    events().setPart({.kinds = {u"MPI"_qs}});
    settle();
    EXPECT_EQ(events().model().total(), 4U);
    events().ask({.table = u"messages"_qs, .measure = u"bytes"_qs});
    settle();
    EXPECT_EQ(events().model().total(), 2U);
    events().setPart({.callPaths = {u"main/f"_qs}});
    settle();
    EXPECT_EQ(events().model().total(), 1U);
}

/// Names of functions may have whatever stands for something in a statement.
TEST_F(Events, part_of_call_paths_holds_with_other_conditions_and_any_names) {
    open();
    filter(u"duration > 6 ms"_qs);
    events().setPart({.callPaths = {u"main/f"_qs}});
    settle();
    EXPECT_EQ(events().model().total(), 1U) << events().statementBox()->text().toStdString();
    const auto changed =
        std::make_shared<algebra::Experiment>(analyzer::analyze(directory.path()).experiment);
    algebra::Experiment& odd = *changed;
    for (algebra::Region& region : odd.regions)
        if (region.name == "f") region.name = "f @a.c:5 %1 'x'";
    const EventTable paths{u"waits"_qs, {}, {{u"call_path"_qs, {}, EventUnit::Text}}};
    const QString name = u"'main/f @a.c:5 %1 ''x''"_qs;
    EXPECT_EQ(partCondition({.regions = {QString::fromStdString("f @a.c:5 %1 'x'")}}, odd, paths).sql,
              u"call_path IN ("_qs + name + u"')"_qs);
    ValueCache cache(changed);
    const CallModel calls(cache);
    for (const algebra::CallPathId path : odd.callTree.ids())
        if (odd.regionOf(path).name.starts_with("f @")) {
            const QString key = calls.rows().keyOf(NodeId(path.index()));
            EXPECT_EQ(
                partCondition({.callPaths = {key}}, odd, paths).sql,
                u"(call_path = %1' OR substr(call_path, 1, length(%1/')) = %1/')"_qs.replace(u"%1"_qs, name));
        }
}

TEST_F(Events, bar_of_the_histogram_shows_its_rows_alone) {
    open();
    const auto& bars = events().histogram()->bars();
    ASSERT_FALSE(bars.empty());
    const std::uint64_t last = bars.back().rows;
    QTest::mouseClick(events().histogram(), Qt::LeftButton, {},
                      events().histogram()->barRect(bars.size() - 1).center().toPoint());
    settle();
    EXPECT_EQ(events().model().total(), last);
    EXPECT_TRUE(row(0).startsWith(u"0|0|main"_qs));
}

TEST_F(Events, saved_view_asks_the_same_again) {
    open();
    filter(u"region = MPI_Recv"_qs);
    const ViewState state = viewStateFrom(toText(browser().views().state()));
    filter(QString());
    EXPECT_EQ(events().model().total(), 7U);
    browser().views().restore(state);
    settle();
    EXPECT_EQ(events().model().total(), 2U);
}

TEST_F(Events, table_as_comma_separated_values_has_all_digits) {
    open();
    type(u"SELECT region, duration FROM calls WHERE duration > 0.04"_qs);
    EXPECT_TRUE(events().asCsv().startsWith(u"region,duration\nmain,0.05"_qs))
        << events().asCsv().toStdString();
    EXPECT_EQ(events().asCsv().count(u'\n'), 3);
}

/// Many rows: a window of them is in memory, and those further down come when they are looked at.
TEST_F(Events, rows_further_down_come_when_they_are_seen) {
    open();
    type(
        u"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1999999) SELECT i FROM n"_qs);
    EXPECT_EQ(events().model().total(), 2000000U);
    EXPECT_EQ(events().model().rowCount(), EventModel::kMostRows);
    EXPECT_TRUE(events().message().contains(u"here rows 1 to 1\u2009000\u2009000"_qs))
        << events().message().toStdString();
    const int far = 700'123;
    EXPECT_EQ(events().model().index(far, 0).data().toString(), u"…"_qs);
    settle();
    EXPECT_EQ(events().model().index(far, 0).data().toString(), u"700\u2009123"_qs);
}

TEST_F(Events, question_that_takes_long_is_stopped) {
    open();
    events().statementBox()->setText(
        u"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"_qs);
    QTest::keyClick(events().statementBox(), Qt::Key_Return);
    QApplication::processEvents();
    ASSERT_TRUE(events().isBusy());
    filter(u"region = f"_qs);  // another question takes its place
    EXPECT_EQ(events().model().total(), 1U);
}

/// The rows that the parts name, of values that stand for themselves.
std::vector<double> rowsOf(const EventIndex& index, const std::vector<double>& values, std::uint64_t first,
                           std::uint64_t count, bool largestFirst) {
    std::vector<double> rows;
    for (const EventIndex::Part& part : index.partsOf(first, count)) {
        const QStringList words = part.condition.split(u' ');
        const double least = words[2].toDouble(), most = words[words[1] == u"=" ? 2 : 4].toDouble();
        std::vector<double> held;
        for (const double value : values)
            if (value >= least && value <= most) held.push_back(value);
        std::ranges::sort(held);
        if (largestFirst) std::ranges::reverse(held);
        EXPECT_TRUE(part.isSorted || held.front() == held.back());
        for (std::uint64_t at = part.skipped; at < part.skipped + part.count; ++at) rows.push_back(held[at]);
    }
    return rows;
}

TEST(EventIndexes, rows_further_down_are_found_by_their_values) {
    std::vector<double> values;
    for (int at = 0; at < 3000; ++at) values.push_back(1e-6 * ((at * 7919) % 1000) - 2e-4);
    for (const bool largestFirst : {true, false}) {
        EventIndex index(u"d"_qs, largestFirst, true);
        for (const double value : values) index.add(value);
        index.finish();
        std::vector<double> sorted = values;
        std::ranges::sort(sorted);
        if (largestFirst) std::ranges::reverse(sorted);
        EXPECT_EQ(index.rows(), 3000U);
        for (const std::uint64_t first : {0U, 1U, 1499U, 2990U}) {
            const auto end = std::min<std::size_t>(first + 40, sorted.size());
            EXPECT_EQ(rowsOf(index, values, first, 40, largestFirst),
                      std::vector<double>(sorted.begin() + static_cast<std::ptrdiff_t>(first),
                                          sorted.begin() + static_cast<std::ptrdiff_t>(end)))
                << first;
        }
        EXPECT_TRUE(index.partsOf(3000, 40).empty());
    }
}

TEST(EventIndexes, many_rows_of_one_value_are_not_sorted_and_those_without_one_are_least) {
    EventIndex index(u"bytes"_qs, true, true);
    index.add(8, 100'000'000);
    index.add(16, 3);
    for (int row = 0; row < 5; ++row) index.addNothing();
    index.finish();
    EXPECT_EQ(index.rows(), 100'000'008U);
    const auto middle = index.partsOf(60'000'000, 100);
    ASSERT_EQ(middle.size(), 1U);
    EXPECT_EQ(middle[0].condition, u"bytes = 8"_qs);
    EXPECT_FALSE(middle[0].isSorted);
    EXPECT_EQ(middle[0].skipped, 59'999'997U);
    const auto last = index.partsOf(100'000'002, 100);
    ASSERT_EQ(last.size(), 2U);
    EXPECT_EQ(last[0].count, 1U);
    EXPECT_EQ(last[1].condition, u"bytes IS NULL"_qs);
    EXPECT_EQ(last[1].count, 5U);
}

TEST(EventIndexes, texts_are_in_order_and_those_of_few_rows_are_sorted_together) {
    EventIndex index(u"region"_qs, false, true);
    for (int row = 0; row < 300'000; ++row) index.add(std::string("m"));
    for (const char* text : {"it's", "z", "it's", "n"}) index.add(std::string(text));
    index.addNothing();
    index.finish();
    EXPECT_EQ(index.rows(), 300'005U);
    const auto parts = index.partsOf(0, 300'005);
    ASSERT_EQ(parts.size(), 4U);
    EXPECT_EQ(parts[0].condition, u"region IS NULL"_qs);
    EXPECT_EQ(parts[1].condition, u"region = 'it''s'"_qs);
    EXPECT_EQ(parts[1].count, 2U);
    EXPECT_EQ(parts[2].condition, u"region = 'm'"_qs);
    EXPECT_FALSE(parts[2].isSorted);
    EXPECT_EQ(parts[3].condition, u"region BETWEEN 'n' AND 'z'"_qs);
    EXPECT_TRUE(parts[3].isSorted);
    EventIndex backwards(u"region"_qs, true, true);
    for (const char* text : {"a", "b", "a"}) backwards.add(std::string(text));
    backwards.finish();
    EXPECT_EQ(backwards.partsOf(0, 3)[0].condition, u"region BETWEEN 'a' AND 'b'"_qs);
    EXPECT_EQ(backwards.partsOf(1, 1)[0].condition, u"region = 'a'"_qs);
}

TEST(EventIndexes, texts_without_end_are_given_up) {
    EventIndex index(u"call_path"_qs, false, true);
    for (int row = 0; row < 40; ++row) index.add(std::string(1 << 20U, static_cast<char>('0' + row)));
    index.finish();
    EXPECT_TRUE(index.isTooLarge());
}

/// 12,000 calls in two threads, of which 5,000 are in sight at a time; each is a tick longer than the one
/// before.
class ManyEvents : public ::testing::Test {
  protected:
    ManyEvents() {
        holos::testing::TraceBuilder trace(2);
        for (std::uint64_t location = 0; location < 2; ++location) {
            std::uint64_t time = 0;
            for (std::uint64_t call = 0; call < 6000; ++call) {
                trace.on(location).enter(time, "f");
                time += 2 * call + location + 1;
                trace.on(location).leave(time);
            }
        }
        trace.write(directory_.path());
        reader_ = std::make_unique<EventReader>(std::vector<std::filesystem::path>{directory_.path()});
        model_ = std::make_unique<EventModel>(*reader_);
        model_->setMostRows(EventModel::kWindow);
    }
    /// As the pane does it.
    void ask(const QString& order, bool largestFirst) {
        const EventQuestion question{.table = u"calls"_qs,
                                     .columns = {u"location"_qs, u"start"_qs, u"duration"_qs},
                                     .order = order,
                                     .largestFirst = largestFirst,
                                     .measure = order.isEmpty() ? u"location"_qs : order};
        const auto statement = [question](const EventIndex::Part& part) {
            EventQuestion one = question;
            if (!part.isSorted) one.order.clear();
            return statementsOf(one, callsTable(), part.condition).led;
        };
        model_->ask(statementsOf(question, callsTable(), {}), 3);
        settle();
        model_->setTotal(12000);
        EXPECT_EQ(indexColumnOf(question, callsTable()), question.measure);
        reader_->readIndex(
            statementsOf(question, callsTable(), {}).spread,
            EventIndex(question.measure, largestFirst && !order.isEmpty(), !order.isEmpty()),
            [this, statement](const std::shared_ptr<const EventIndex>& index, const QString& problem) {
                EXPECT_EQ(problem, QString());
                model_->setIndex(index, statement);
            });
        settle();
    }
    /// Of an order that nobody can tell.
    void askInAnyOrder(const QString& statement) {
        model_->ask(statementsOf(statement, {}), 0);
        settle();
        model_->setTotal(12000);
        model_->setIndex(std::make_shared<const EventIndex>(EventIndex::ofRows(12000)),
                         [led = statementsOf(statement, {}).led](const EventIndex::Part&) { return led; });
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !reader_->isBusy(); }, kPatience));
    }
    QString rowAt(std::uint64_t row) {
        const auto page = static_cast<std::uint64_t>(model_->mostRows());
        model_->setFirst(row / page * page);
        const int at = static_cast<int>(row % page);
        model_->index(at, 0).data();
        settle();
        return model_->index(at, 0).data().toString() + u' ' + model_->index(at, 2).data().toString();
    }

    holos::testing::TemporaryDirectory directory_;
    std::unique_ptr<EventReader> reader_;
    std::unique_ptr<EventModel> model_;
};

TEST_F(ManyEvents, rows_behind_those_in_sight_are_found_in_any_order) {
    ask(u"duration"_qs, true);
    EXPECT_EQ(model_->rowCount(), EventModel::kWindow);
    EXPECT_EQ(rowAt(0), u"1 12.000 s"_qs);
    EXPECT_EQ(rowAt(7000), u"1 5.0000 s"_qs) << "5,000 ticks of 1 ms";
    EXPECT_EQ(rowAt(11'999), u"0 1.0000 ms"_qs);
    EXPECT_EQ(model_->rowCount(), 2000);
    EXPECT_EQ(rowAt(1), u"0 11.999 s"_qs) << "and back";
    ask(u"duration"_qs, false);
    EXPECT_EQ(rowAt(7000), u"0 7.0010 s"_qs);
}

TEST_F(ManyEvents, rows_that_are_not_sorted_come_thread_by_thread) {
    ask({}, true);
    EXPECT_EQ(rowAt(5999), u"0 11.999 s"_qs);
    EXPECT_EQ(rowAt(6000), u"1 2.0000 ms"_qs);
    EXPECT_EQ(rowAt(11'999), u"1 12.000 s"_qs);
}

TEST_F(ManyEvents, rows_sorted_by_a_text_are_found) {
    ask(u"region"_qs, false);
    EXPECT_EQ(rowAt(6001), u"1 4.0000 ms"_qs) << "all are equal, and come thread by thread";
    EXPECT_EQ(rowAt(11'999), u"1 12.000 s"_qs);
}

TEST_F(ManyEvents, rows_of_a_typed_statement_are_all_reached) {
    askInAnyOrder(u"SELECT location, start, duration FROM calls"_qs);
    EXPECT_EQ(rowAt(6000), u"1 2.0000 ms"_qs);
    EXPECT_EQ(rowAt(11'999), u"1 12.000 s"_qs);
    EXPECT_EQ(rowAt(0), u"0 1.0000 ms"_qs) << "and back";
}

}  // namespace
}  // namespace holos::gui::testing
