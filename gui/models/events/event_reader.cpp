// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/events/event_reader.h"

#include <mutex>

#include "base/error.h"
#include "base/stopped.h"
#include "gui/models/background.h"

namespace holos::gui {

/// The run, and who may stop what is asked of it.
struct EventReader::Opened {
    std::vector<std::filesystem::path> files;
    std::unique_ptr<query::Run> run;
    std::unique_ptr<query::Database> database;
    std::vector<std::string> damage;
    std::mutex mutex;
    bool isStopped = false;  ///< guarded by the mutex, as what follows
    bool isAsking = false;

    void open();
    void ask(const std::string& statement, const query::Limits& limits, query::Answer& answer);
    void stop();
    /// Of what stopped: what comes next is wanted.
    void goOn();
};

std::unique_ptr<query::Run> openRun(const std::vector<std::filesystem::path>& files,
                                    const query::RunOptions& options) {
    std::unique_ptr<query::Run> run;
    std::exception_ptr failure;
    for (const auto& file : files) {
        try {
            auto found = std::make_unique<query::Run>(file, options);
            const bool isBetter = !run || (!run->hasTrace() && found->hasTrace());
            if (isBetter) run = std::move(found);
        } catch (const Error&) {
            if (!failure) failure = std::current_exception();
        }
        if (run && run->hasTrace()) break;
    }
    if (!run && failure) std::rethrow_exception(failure);
    if (!run) throw Error("no file of this experiment is known");
    return run;
}

void EventReader::Opened::open() {
    if (database) return;
    run = openRun(files, {});
    database = std::make_unique<query::Database>(*run);
}

void EventReader::Opened::ask(const std::string& statement, const query::Limits& limits,
                              query::Answer& answer) {
    open();
    {
        const std::lock_guard lock(mutex);
        if (isStopped) throw Stopped();
        isAsking = true;
    }
    std::exception_ptr failure;
    try {
        database->ask(statement, limits, answer);
    } catch (...) {
        failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    isAsking = false;
    if (isStopped) throw Stopped();
    damage = run->damage();
    if (failure) std::rethrow_exception(failure);
}

void EventReader::Opened::stop() {
    const std::lock_guard lock(mutex);
    isStopped = true;
    if (isAsking) run->stopped() = true;
}

void EventReader::Opened::goOn() {
    const std::lock_guard lock(mutex);
    isStopped = false;
}

namespace {

/// Questions of all experiments that are open.
QThreadPool& threads() {
    static QThreadPool pool;
    return pool;
}

class KeptRows final : public query::Answer {
  public:
    explicit KeptRows(EventRows& kept) : kept_(kept) {}
    void begin(const std::vector<query::AnswerColumn>& columns) override {
        for (const query::AnswerColumn& column : columns)
            kept_.columns << QString::fromStdString(column.name);
    }
    void row(const std::vector<query::Cell>& cells) override { kept_.rows.push_back(cells); }
    void end() override {}

  private:
    EventRows& kept_;
};

/// Adds up the first column.
template <class Sum>
class Measured final : public query::Answer {
  public:
    explicit Measured(Sum& spread) : spread_(spread) {}
    void begin(const std::vector<query::AnswerColumn>&) override {}
    void row(const std::vector<query::Cell>& cells) override {
        if (const auto* whole = std::get_if<std::int64_t>(&cells.front()))
            spread_.add(static_cast<double>(*whole));
        else if (const auto* number = std::get_if<double>(&cells.front()))
            spread_.add(*number);
        else if (const auto* text = std::get_if<std::string>(&cells.front()))
            addText(*text);
        else
            spread_.addNothing();
    }
    void end() override {}

  private:
    void addText(const std::string& text) {
        if constexpr (requires { spread_.add(text); })
            spread_.add(text);
        else
            spread_.addNothing();
    }

    Sum& spread_;
};

/// Of numbers.
struct SpreadAndIndex {
    EventSpread& spread;
    EventIndex& index;

    void add(double value) {
        spread.add(value);
        index.add(value);
    }
    void add(const std::string& text) {
        spread.addNothing();
        index.add(text);
    }
    void addNothing() {
        spread.addNothing();
        index.addNothing();
    }
};

}  // namespace

EventReader::EventReader(std::vector<std::filesystem::path> files, QObject* parent)
    : QObject(parent), opened_(std::make_shared<Opened>()) {
    opened_->files = std::move(files);
}

EventReader::~EventReader() {
    opened_->stop();
}

void EventReader::add(Job job) {
    jobs_.push_back(std::move(job));
    if (!isRunning_) next();
}

/// The run is touched by one job at a time.
void EventReader::next() {
    if (jobs_.empty()) return Q_EMIT busyChanged();
    isRunning_ = true;
    opened_->goOn();
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    Q_EMIT busyChanged();
    inBackground(
        threads(), this,
        [opened = opened_, work = std::move(job.work)] {
            try {
                work(*opened);
                return QString();
            } catch (const Stopped&) {
                return u"stopped"_qs;
            } catch (const std::exception& error) {
                return QString::fromUtf8(error.what());
            }
        },
        [this, generation = generation_, then = std::move(job.then)](const QString& problem) {
            isRunning_ = false;
            damage_.clear();
            for (const std::string& line : opened_->damage) damage_ << QString::fromStdString(line);
            if (generation == generation_) then(problem);
            if (!isRunning_) next();
        });
}

void EventReader::forget() {
    ++generation_;
    jobs_.clear();
    if (isRunning_) opened_->stop();
}

void EventReader::readTables(
    std::function<void(const std::vector<EventTable>& tables, const QString& problem)> then) {
    auto tables = std::make_shared<std::vector<EventTable>>();
    add({[tables](Opened& opened) {
             opened.open();
             *tables = eventTables(opened.database->tables());
         },
         [tables, then = std::move(then)](const QString& problem) { then(*tables, problem); }});
}

void EventReader::readRows(const QString& statement, std::uint64_t first, std::uint64_t count,
                           std::function<void(const EventRows&)> then) {
    auto rows = std::make_shared<EventRows>();
    const std::string text = (statement + u"\nLIMIT %1 OFFSET %2"_qs.arg(count).arg(first)).toStdString();
    add({[rows, text, limits = limits_](Opened& opened) {
             KeptRows kept(*rows);
             opened.ask(text, limits, kept);
         },
         [rows, then = std::move(then)](const QString& problem) {
             rows->problem = problem;
             then(*rows);
         }});
}

void EventReader::readSpread(const QString& statement, bool isLogarithmic,
                             std::function<void(const EventSpread&, const QString& problem)> then) {
    auto spread = std::make_shared<EventSpread>(isLogarithmic);
    add({[spread, text = statement.toStdString(), limits = limits_](Opened& opened) {
             Measured measured(*spread);
             opened.ask(text, limits, measured);
         },
         [spread, then = std::move(then)](const QString& problem) { then(*spread, problem); }});
}

void EventReader::readSpreadAndIndex(
    const QString& statement, bool isLogarithmic, EventIndex index,
    std::function<void(const EventSpread&, const std::shared_ptr<const EventIndex>&, const QString& problem)>
        then) {
    auto spread = std::make_shared<EventSpread>(isLogarithmic);
    auto made = std::make_shared<EventIndex>(std::move(index));
    add({[spread, made, text = statement.toStdString(), limits = limits_](Opened& opened) {
             SpreadAndIndex both{*spread, *made};
             Measured measured(both);
             opened.ask(text, limits, measured);
             made->finish();
         },
         [spread, made, then = std::move(then)](const QString& problem) { then(*spread, made, problem); }});
}

void EventReader::readIndex(
    const QString& statement, EventIndex index,
    std::function<void(const std::shared_ptr<const EventIndex>&, const QString& problem)> then) {
    auto made = std::make_shared<EventIndex>(std::move(index));
    add({[made, text = statement.toStdString(), limits = limits_](Opened& opened) {
             Measured measured(*made);
             opened.ask(text, limits, measured);
             made->finish();
             if (made->isTooLarge()) throw Error("there are too many different texts");
         },
         [made, then = std::move(then)](const QString& problem) { then(made, problem); }});
}

void EventReader::countRows(const QString& statement,
                            std::function<void(std::uint64_t rows, const QString& problem)> then) {
    readSpread(u"SELECT count(*) FROM (\n"_qs + statement + u"\n)"_qs, true,
               [then = std::move(then)](const EventSpread& spread, const QString& problem) {
                   then(static_cast<std::uint64_t>(spread.sum()), problem);
               });
}

}  // namespace holos::gui
