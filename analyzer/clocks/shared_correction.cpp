// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/clocks/shared_correction.h"

#include "analyzer/workers/packing.h"

namespace holos::analyzer::clocks {

namespace {

template <class Packing>
void describe(Packing& packing, ClockPoints& points) {
    packing.value(points.begin);
    packing.list(points.list);
}

template <class Packing>
void describe(Packing& packing, Correction& correction) {
    packing.list(correction.jumps);
    correction.shift.pack(packing);
}

/// Rank `from`'s values of what rank `reader` reads come to rank `to`.
template <class Value>
void bring(workers::Ranks& ranks, const workers::Shares& shares, unsigned reader, unsigned from, unsigned to,
           std::vector<Value>& values) {
    if (ranks.self() == from) {
        workers::Packer packer;
        for (const trace::LocationId location : shares.of(reader)) describe(packer, values[location.index()]);
        ranks.send(to, packer.take());
    } else if (ranks.self() == to) {
        workers::Unpacker unpacker(ranks.receive(from));
        for (const trace::LocationId location : shares.of(reader))
            describe(unpacker, values[location.index()]);
    }
}

}  // namespace

void bringToFirst(workers::Ranks& ranks, const workers::Shares& shares, std::vector<ClockPoints>& points) {
    for (unsigned rank = 1; rank < ranks.count(); ++rank) bring(ranks, shares, rank, rank, 0, points);
}

void bringFromFirst(workers::Ranks& ranks, const workers::Shares& shares,
                    std::vector<Correction>& locations) {
    for (unsigned rank = 1; rank < ranks.count(); ++rank) bring(ranks, shares, rank, 0, rank, locations);
}

}  // namespace holos::analyzer::clocks
