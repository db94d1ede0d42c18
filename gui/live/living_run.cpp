// SPDX-License-Identifier: BSD-3-Clause
#include "gui/live/living_run.h"

#include <algorithm>

#include "gui/models/background.h"
#include "gui/models/quantity.h"
#include "tracing/recordings/watch/followed_run.h"

namespace holos::gui {

namespace {

constexpr int kInterval = 1000;  ///< milliseconds

bool isOver(const watch::Picture& picture) {
    const auto hasEnded = [](const watch::SeenProcess& process) {
        return process.life == watch::Life::Ended || process.life == watch::Life::Crashed;
    };
    return picture.isFinished ||
           (!picture.processes.empty() && std::ranges::all_of(picture.processes, hasEnded));
}

QString summaryOf(const watch::Picture& picture) {
    const auto living = std::ranges::count(picture.processes, watch::Life::Living, &watch::SeenProcess::life);
    const auto bytes = [](double amount) {
        return QuantityFormat::absolute(u"bytes"_qs, amount, false, 3).text(amount);
    };
    QString text = u"%1, %2 live, %3 recorded"_qs.arg(
        counted(picture.processes.size(), u"process"_qs, u"processes"_qs), QString::number(living),
        bytes(static_cast<double>(picture.recorded)));
    if (picture.interval > 0) text += u" (+%1/s)"_qs.arg(bytes(picture.growth));
    return text;
}

}  // namespace

LivingRun::LivingRun(const QString& folder, QObject* parent) : QObject(parent), folder_(folder) {
    timer_.setInterval(kInterval);
    connect(&timer_, &QTimer::timeout, this, &LivingRun::look);
}

void LivingRun::start() {
    timer_.start();
    look();
}

void LivingRun::setPaused(bool paused) {
    if (paused)
        timer_.stop();
    else
        start();
}

/// Where one takes longer than the time between two, the next one is left out.
void LivingRun::look() {
    if (isLooking_) return;
    isLooking_ = true;
    struct Seen {
        std::shared_ptr<watch::FollowedRun> run;
        LiveLook look;
        QString trouble;
    };
    inBackground(
        this,
        [run = run_, folder = folder_.toStdString()] {
            Seen seen{run, {}, {}};
            try {
                if (!seen.run) seen.run = std::make_shared<watch::FollowedRun>(folder);
                const watch::Picture& picture = seen.run->look();
                seen.look = {watch::metricsOf(picture), watch::rowsOf(picture, watch::Level::Processes),
                             summaryOf(picture), isOver(picture)};
            } catch (const std::exception& error) {
                seen.trouble = QString::fromUtf8(error.what());
            }
            return seen;
        },
        [this](const Seen& seen) {
            isLooking_ = false;
            run_ = seen.run;
            show(seen.look, seen.trouble);
        });
}

void LivingRun::show(const LiveLook& look, const QString& trouble) {
    if (look.isOver || !trouble.isEmpty()) timer_.stop();
    if (!trouble.isEmpty()) return Q_EMIT failed(trouble);
    Q_EMIT looked(look);
}

}  // namespace holos::gui
