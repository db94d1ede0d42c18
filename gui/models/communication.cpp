// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/communication.h"

#include <algorithm>
#include <cmath>

#include "gui/models/csv.h"

namespace holos::gui {

using namespace algebra;

namespace {

double valueOf(const Traffic& traffic, TrafficQuantity quantity) {
    switch (quantity) {
        case TrafficQuantity::Messages:
            return traffic.messages;
        case TrafficQuantity::LateSender:
            return traffic.lateSender;
        case TrafficQuantity::LateReceiver:
            return traffic.lateReceiver;
        default:
            return traffic.bytes;
    }
}

QuantityFormat formatOf(TrafficQuantity quantity, double largest) {
    if (quantity == TrafficQuantity::Bytes) return QuantityFormat::absolute(u"bytes"_qs, largest, true);
    if (quantity == TrafficQuantity::Messages) return QuantityFormat::absolute(u"messages"_qs, largest, true);
    return QuantityFormat::absolute(u"sec"_qs, largest, false);
}

}  // namespace

QString titleOf(TrafficQuantity quantity) {
    switch (quantity) {
        case TrafficQuantity::Messages:
            return u"Messages"_qs;
        case TrafficQuantity::LateSender:
            return u"Receivers wait for senders"_qs;
        case TrafficQuantity::LateReceiver:
            return u"Senders wait for receivers"_qs;
        default:
            return u"Bytes"_qs;
    }
}

CommunicationMatrix::CommunicationMatrix(const Experiment& experiment) : experiment_(experiment) {}

const std::vector<Traffic>& CommunicationMatrix::traffic() const {
    if (!traffic_) traffic_ = communicationOf(experiment_);
    return *traffic_;
}

void CommunicationMatrix::update(TrafficQuantity quantity, int cells) {
    const auto processes = static_cast<int>(isEmpty() ? 0 : experiment_.system.processes.size());
    processesPerCell_ = std::max(1, (processes + std::max(cells, 1) - 1) / std::max(cells, 1));
    size_ = (processes + processesPerCell_ - 1) / processesPerCell_;
    values_.assign(static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_), 0.0);
    total_ = largest_ = 0.0;
    signed_ = false;
    for (const Traffic& pair : traffic()) {
        const double value = valueOf(pair, quantity);
        values_[placeOf(cellOf(pair.sender), cellOf(pair.receiver))] += value;
        total_ += value;
    }
    for (const double value : values_) {
        largest_ = std::max(largest_, std::abs(value));
        signed_ = signed_ || value < 0.0;
    }
    format_ = formatOf(quantity, largest_);
}

double CommunicationMatrix::share(int sender, int receiver) const {
    return largest_ > 0.0 ? at(sender, receiver) / largest_ : 0.0;
}

ProcessId CommunicationMatrix::firstOf(int cell) const {
    return ProcessId(static_cast<std::size_t>(cell) * static_cast<std::size_t>(processesPerCell_));
}

QString CommunicationMatrix::labelOf(int cell) const {
    return QString::number(experiment_.system[firstOf(cell)].rank);
}

QString CommunicationMatrix::namesOf(int cell) const {
    const auto& processes = experiment_.system.processes;
    const std::size_t first = firstOf(cell).index();
    const std::size_t last =
        std::min(first + static_cast<std::size_t>(processesPerCell_), processes.size()) - 1;
    const QString name = QString::fromStdString(processes[first].name);
    return first == last ? name : name + u" … "_qs + QString::fromStdString(processes[last].name);
}

QString CommunicationMatrix::asCsv() const {
    QString text = u"sender,receiver,messages,bytes,late_sender,late_receiver\n"_qs;
    for (const Traffic& pair : traffic()) {
        QStringList fields;
        for (const ProcessId process : {pair.sender, pair.receiver})
            fields << csvText(QString::fromStdString(experiment_.system[process].name));
        for (const double value : {pair.messages, pair.bytes, pair.lateSender, pair.lateReceiver})
            fields << csvNumber(value);
        text += fields.join(u',') + u'\n';
    }
    return text;
}

}  // namespace holos::gui
