// SPDX-License-Identifier: BSD-3-Clause
#include "cli/watch/watch_screen.h"

#include <fmt/format.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/watch/curses_terminal.h"
#include "tracing/recordings/launch/waiting.h"
#include "tracing/recordings/watch/picture.h"

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

namespace {

/// While it exists, threads begin without signals: those are for the thread that waits for keys.
class SignalsBlocked {
  public:
    SignalsBlocked() {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  private:
    sigset_t before_;
};

}  // namespace

WatchingThread::WatchingThread(WatchedRun& watched, std::chrono::milliseconds interval)
    : watched_(watched), interval_(interval), news_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!news_) throw Error(std::strerror(errno));
    const SignalsBlocked blocked;
    thread_ = std::thread([this] { run(); });
}

WatchingThread::~WatchingThread() {
    {
        const std::lock_guard lock(mutex_);
        isEnding_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void WatchingThread::run() try {
    for (;;) {
        watched_.run.look([this] { return goesOn(); });
        if (!goesOn()) return;
        give(std::make_shared<const ScreenPicture>(screenPictureOf(watched_)), nullptr);
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, interval_, [this] { return isEnding_; });
        changed_.wait(lock, [this] { return isEnding_ || !isPaused_; });
        if (isEnding_) return;
    }
} catch (...) {
    give(nullptr, std::current_exception());
}

bool WatchingThread::goesOn() {
    const std::lock_guard lock(mutex_);
    return !isEnding_;
}

void WatchingThread::give(std::shared_ptr<const ScreenPicture> picture, std::exception_ptr failure) {
    {
        const std::lock_guard lock(mutex_);
        newest_ = std::move(picture);
        failure_ = std::move(failure);
    }
    constexpr std::uint64_t kOne = 1;
    [[maybe_unused]] const ssize_t written = ::write(news_.number(), &kOne, sizeof kOne);
}

std::shared_ptr<const ScreenPicture> WatchingThread::take() {
    std::uint64_t number = 0;
    [[maybe_unused]] const ssize_t got = ::read(news_.number(), &number, sizeof number);
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    return std::exchange(newest_, nullptr);
}

void WatchingThread::setPaused(bool isPaused) {
    {
        const std::lock_guard lock(mutex_);
        isPaused_ = isPaused;
    }
    changed_.notify_all();
}

namespace {

using Clock = std::chrono::steady_clock;
using Look = CursesTerminal::Look;
using watch::Level;
using watch::Order;
using watch::Picture;
using watch::Row;

enum class Page { Table, Waits, Help };

/// What the user has chosen.
struct Choice {
    Level level = Level::Processes;
    Order order = Order::Metric;
    std::size_t metric = watch::kMetricLost;
    std::string filter;
    bool isTyping = false;  ///< of the filter
    bool showsTotal = false;
    bool isPaused = false;
    Page page = Page::Table;
    std::size_t selected = 0;
    std::size_t top = 0;  ///< the first row that is shown
};

constexpr const char* kHelp[] = {
    "Rows",
    "  up, down, page up, page down, home, end    choose a row; its calls and its wait stand below",
    "  l    nodes, processes or threads",
    "  /    show only rows whose name, node or program contains a text (empty: all)",
    "  s    sort by name, or by the metric: largest first",
    "Columns",
    "  m, M    next and previous metric: shares, time in the same place, rates, counters",
    "  a    shares of the last interval, or of all since the start",
    "Pictures",
    "  space    pause, and go on",
    "  w    who waits for whom",
    "  h    this help",
    "  q    quit; the program goes on",
    "",
    "comp, MPI, OMP, wait: shares of computation, MPI, OpenMP's runtime, and calls that sleep (locks and",
    "ends of threads, the C library's). The plot has the metric of the last pictures, the newest at the "
    "right."};

/// In lines of at most so many columns.
std::vector<std::string> inLines(const std::string& text, std::size_t columns) {
    std::vector<std::string> lines(1);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        if (!lines.back().empty() && columnsOf(lines.back()) + 1 + columnsOf(word) > columns)
            lines.emplace_back("  ");
        else if (at != 0)
            lines.back() += ' ';
        lines.back() += word;
        at = end + 1;
    }
    return lines;
}

class Screen {
  public:
    Screen(WatchedRun& watched, std::chrono::milliseconds interval)
        : folder_(watched.folder.string()),
          interval_(std::max(interval, std::chrono::milliseconds(1))),
          watching_(watched, interval_) {}

    void run() {
        while (goesOn_) {
            draw();
            if (answer(interval_)) continue;
            auto next = watching_.take();
            if (next && !choice_.isPaused) show(std::move(next));
        }
    }

  private:
    const Picture& picture() const { return shown_->picture; }

    void show(std::shared_ptr<const ScreenPicture> next) {
        shown_ = std::move(next);
        hasLooked_ = true;
        shownSince_ = Clock::now();
        metrics_ = watch::metricsOf(picture());
        history_.add(watch::rowsOf(picture(), choice_.level));
        chooseRows();
    }
    void chooseRows() {
        choice_.metric = std::min(choice_.metric, metrics_.size() - 1);
        rows_ = watch::filtered(watch::rowsOf(picture(), choice_.level), picture(), choice_.filter);
        watch::sort(rows_, choice_.order, choice_.metric);
        choice_.selected = std::min(choice_.selected, rows_.empty() ? 0 : rows_.size() - 1);
    }

    // --- keys ---------------------------------------------------------------------------------------

    /// Takes the next key, when one comes in that time and before the next picture; false where none did, or
    /// it ended watching.
    bool answer(std::chrono::milliseconds time) {
        const int key = terminal_.key(time, watching_.descriptor());
        goesOn_ = interruption_.sleep(std::chrono::milliseconds(0)) && take(key);
        return goesOn_ && key != CursesTerminal::None;
    }
    /// False when the user has seen enough.
    bool take(int key) {
        if (choice_.isTyping) {
            type(key);
            return true;
        }
        if (key == 'q') return false;
        if (choice_.page != Page::Table && key == CursesTerminal::Escape) choice_.page = Page::Table;
        changePage(key);
        changeColumns(key);
        moveSelection(key);
        if (key == ' ') watching_.setPaused(choice_.isPaused = !choice_.isPaused);
        if (key == '/') choice_.isTyping = true;
        return true;
    }
    void type(int key) {
        if (key == CursesTerminal::Enter || key == CursesTerminal::Escape) choice_.isTyping = false;
        if (key == CursesTerminal::Escape) choice_.filter.clear();
        if (key == CursesTerminal::Backspace && !choice_.filter.empty()) choice_.filter.pop_back();
        if (key >= ' ' && key < 127) choice_.filter += static_cast<char>(key);
        chooseRows();
    }
    void changePage(int key) {
        const auto toggle = [this](Page page) { choice_.page = choice_.page == page ? Page::Table : page; };
        if (key == 'w') toggle(Page::Waits);
        if (key == 'h' || key == '?') toggle(Page::Help);
        if (key != 'l') return;
        choice_.level = static_cast<Level>((static_cast<int>(choice_.level) + 1) % 3);
        choice_.selected = choice_.top = 0;
        history_.clear();
        history_.add(watch::rowsOf(picture(), choice_.level));
        chooseRows();
    }
    void changeColumns(int key) {
        if (key == 'm') choice_.metric = (choice_.metric + 1) % metrics_.size();
        if (key == 'M') choice_.metric = (choice_.metric + metrics_.size() - 1) % metrics_.size();
        if (key == 's') choice_.order = choice_.order == Order::Name ? Order::Metric : Order::Name;
        if (key == 'a') choice_.showsTotal = !choice_.showsTotal;
        if (key == 'm' || key == 'M' || key == 's') chooseRows();
    }
    void moveSelection(int key) {
        const std::size_t last = rows_.empty() ? 0 : rows_.size() - 1;
        const std::size_t page = std::max<std::size_t>(room(), 2) - 1;
        std::size_t& at = choice_.selected;
        if (key == CursesTerminal::Up && at > 0) --at;
        if (key == CursesTerminal::Down) at = std::min(at + 1, last);
        if (key == CursesTerminal::PageUp) at -= std::min(at, page);
        if (key == CursesTerminal::PageDown) at = std::min(at + page, last);
        if (key == CursesTerminal::Home) at = 0;
        if (key == CursesTerminal::End) at = last;
    }

    // --- the picture --------------------------------------------------------------------------------

    static constexpr int kAbove = 3;  ///< rows of the terminal before those of the table
    static constexpr int kBelow = 6;  ///< and behind: the fold, the selected row's calls and wait, keys

    /// For rows of the table.
    std::size_t room() const {
        return static_cast<std::size_t>(std::max(terminal_.rows() - kAbove - kBelow, 1));
    }

    void draw() {
        terminal_.clear();
        terminal_.put(0, 0,
                      hasLooked_ ? ageText() + shown_->summary : folder_ + ": reading what has been recorded",
                      Look::Strong);
        if (choice_.page == Page::Help) drawHelp();
        if (choice_.page == Page::Waits && hasLooked_) drawWaits();
        if (choice_.page == Page::Table && hasLooked_) drawTable();
        terminal_.put(terminal_.rows() - 1, 0,
                      choice_.isTyping
                          ? "filter: " + choice_.filter + "_"
                          : "q quit  m metric  s sort  l level  / filter  a total  w waits  h help",
                      choice_.isTyping ? Look::Strong : Look::Faint);
        terminal_.show();
    }
    /// Of a picture that should have had a next one.
    std::string ageText() const {
        constexpr int kLate = 3;  // intervals
        const auto age = Clock::now() - shownSince_;
        if (choice_.isPaused || picture().isFinished || age < kLate * interval_) return "";
        return durationText({std::chrono::duration<double>(age).count(), false}) + " old: ";
    }
    void drawHelp() {
        int line = 2;
        for (const char* text : kHelp) terminal_.put(line++, 0, text);
    }
    void drawWaits() {
        int line = 2;
        const auto columns = static_cast<std::size_t>(terminal_.columns());
        const auto add = [&](const std::string& text, Look look) {
            for (const auto& one : inLines(text, columns)) {
                if (line >= terminal_.rows() - 1) return;
                terminal_.put(line++, 0, one, look);
            }
        };
        add(shown_->waits.empty() ? "Nobody is known to wait for anybody." : "Who waits for whom",
            Look::Strong);
        for (const auto& one : shown_->waits)
            add("- " + one, one.starts_with("a cycle") ? Look::Alert : Look::Plain);
        for (const auto& one : shown_->notes) add("note: " + one, Look::Faint);
    }

    void drawTable() {
        constexpr const char* kLevels[] = {"node", "process", "thread"};
        const watch::Metric& metric = metrics_[choice_.metric];
        std::string line = fmt::format("{}, by {}; shares {}",
                                       counted(rows_.size(), kLevels[static_cast<int>(choice_.level)]),
                                       choice_.order == Order::Name ? "name" : metric.name,
                                       choice_.showsTotal ? "since the start" : "of the last interval");
        if (!choice_.filter.empty()) line += "; filter: " + choice_.filter;
        if (choice_.isPaused) line += "; PAUSED";
        if (picture().isFinished) line += "; ENDED";
        terminal_.put(1, 0, line, choice_.isPaused ? Look::Alert : Look::Plain);
        layOut();
        terminal_.put(
            2, 0,
            fmt::format("{:<{}}{:>5}{:>5}{:>5}{:>5} {:>9} {:<{}} {:>9}  {}", "", name_, "comp", "MPI", "OMP",
                        "wait", keepBegin(metric.name, 9), metric.unit, plot_, "for", "where"),
            Look::Faint);
        const std::size_t shown = room();
        if (choice_.selected < choice_.top) choice_.top = choice_.selected;
        if (choice_.selected >= choice_.top + shown) choice_.top = choice_.selected - shown + 1;
        choice_.top = std::min(choice_.top, rows_.size() > shown ? rows_.size() - shown : 0);
        double most = 0;
        for (const Row& row : rows_) most = std::max(most, row.values[choice_.metric]);
        for (std::size_t i = 0; i < shown && choice_.top + i < rows_.size(); ++i)
            drawRow(kAbove + static_cast<int>(i), choice_.top + i, most);
        drawFold(shown);
        drawSelected();
    }
    /// The widths of what grows with the terminal.
    void layOut() {
        const int columns = terminal_.columns();
        name_ = columns >= 120 ? 22 : 13;
        plot_ = std::clamp((columns - 60) / 2, 8, 60);
    }
    void drawRow(int line, std::size_t number, double most) {
        const Row& row = rows_[number];
        const watch::SeenProcess& process = picture().processes[row.process];
        const watch::Shares& shares = choice_.showsTotal ? row.total : row.interval;
        const bool hasThread = row.thread < process.threads.size();
        const bool isOver = process.life == watch::Life::Ended || process.life == watch::Life::Crashed;
        std::string text =
            fmt::format("{:<{}}", keepEnd(row.name, static_cast<std::size_t>(name_) - 1), name_);
        for (std::size_t i = 0; i + 1 < shares.size(); ++i) text += fmt::format("{:>5.0f}", 100 * shares[i]);
        text += fmt::format(" {:>9} ", amountText(row.values[choice_.metric]));
        const auto values = history_.of(row.name, choice_.metric, static_cast<std::size_t>(plot_));
        const std::string plot = watch::sparkline(values, most, terminal_.showsUnicode());
        text += std::string(static_cast<std::size_t>(plot_) - values.size(), ' ') + plot;
        text += fmt::format(" {:>9}  ",
                            hasThread && !isOver ? durationText(process.threads[row.thread].since) : "");
        text += isOver || !hasThread ? stateText(process) : shown_->threads[row.process][row.thread].place;
        if (process.life == watch::Life::Unknown) text += " (no sign of life)";
        terminal_.put(line, 0, text,
                      number == choice_.selected             ? Look::Selected
                      : process.life == watch::Life::Crashed ? Look::Alert
                                                             : Look::Plain);
    }
    void drawFold(std::size_t shown) {
        if (rows_.size() <= shown) return;
        std::vector<double> hidden;
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (i < choice_.top || i >= choice_.top + shown)
                hidden.push_back(rows_[i].values[choice_.metric]);
        std::sort(hidden.begin(), hidden.end());
        const watch::Metric& metric = metrics_[choice_.metric];
        terminal_.put(terminal_.rows() - kBelow, 0,
                      fmt::format("{} more rows: {} from {} to {} {}, median {}", hidden.size(), metric.name,
                                  amountText(hidden.front()), amountText(hidden.back()), metric.unit,
                                  amountText(hidden[hidden.size() / 2])),
                      Look::Faint);
    }
    /// Where the selected row is, and what it waits for.
    void drawSelected() {
        if (rows_.empty()) return;
        const Row& row = rows_[choice_.selected];
        if (row.thread >= picture().processes[row.process].threads.size()) return;
        const watch::ThreadAt at{row.process, row.thread};
        const auto columns = static_cast<std::size_t>(terminal_.columns());
        int line = terminal_.rows() - kBelow + 1;
        const auto add = [&](const std::string& text, std::size_t most) {
            const auto lines = inLines(text, columns);
            for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) terminal_.put(line++, 0, lines[i]);
        };
        constexpr std::size_t kLines = 2;  // of the calls; the innermost ones where these are more
        const ScreenPicture::Thread& thread = shown_->threads[at.process][at.thread];
        add(keepEnd(threadName(picture(), at) + ": " + thread.path,
                    kLines * (columns - std::min<std::size_t>(columns, 8))),
            kLines);
        if (!thread.waits.empty()) add("waits for " + thread.waits, 2);
    }

    std::string folder_;
    std::chrono::milliseconds interval_;
    WatchingThread watching_;  ///< may be in a file that does not answer when the terminal is left
    const launch::Interruption interruption_;  ///< until then: afterwards signals end the command at once
    CursesTerminal terminal_;
    Choice choice_;
    bool goesOn_ = true;
    bool hasLooked_ = false;
    std::shared_ptr<const ScreenPicture> shown_ = std::make_shared<const ScreenPicture>();
    Clock::time_point shownSince_;
    std::vector<watch::Metric> metrics_ = watch::metricsOf({});
    watch::History history_;
    std::vector<Row> rows_;
    int name_ = 13;
    int plot_ = 8;
};

}  // namespace

void watchOnScreen(WatchedRun& watched, std::chrono::milliseconds interval) {
    Screen(watched, interval).run();
}

}  // namespace holos::cli
