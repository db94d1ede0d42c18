// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/otf2_names.h"
#include "tracing/recordings/archive/record_translations.h"

namespace holos::archive {

using tracing::highHalf;
using tracing::lowHalf;
using tracing::RecordKind;

void translateMessage(LocationWriter& out, const TraceProcess& process, const Record& record) {
    const std::uint64_t* words = record.words;
    switch (record.kind) {
        case RecordKind::MpiIsendComplete:
            return out.write(OTF2_EvtWriter_MpiIsendComplete, words[0]);
        case RecordKind::MpiIrecvRequest:
            return out.write(OTF2_EvtWriter_MpiIrecvRequest, words[0]);
        case RecordKind::MpiRequestTest:
            return out.write(OTF2_EvtWriter_MpiRequestTest, words[0]);
        case RecordKind::MpiRequestCancelled:
            return out.write(OTF2_EvtWriter_MpiRequestCancelled, words[0]);
        case RecordKind::MpiCollectiveRequest:
            return out.write(OTF2_EvtWriter_NonBlockingCollectiveRequest, words[0]);
        case RecordKind::MpiCollectiveBegin:
            return out.write(OTF2_EvtWriter_MpiCollectiveBegin);
        default:
            break;
    }
    const auto comm = process.comms.find(highHalf(words[0]));
    if (!comm) return out.drop();
    const std::uint32_t peer = lowHalf(words[0]);
    const auto message = [&](auto writer, auto... request) {
        out.write(writer, peer, *comm, lowHalf(words[1]), words[2], request...);
    };
    switch (record.kind) {
        case RecordKind::MpiSend:
            return message(OTF2_EvtWriter_MpiSend);
        case RecordKind::MpiRecv:
            return message(OTF2_EvtWriter_MpiRecv);
        case RecordKind::MpiIsend:
            return message(OTF2_EvtWriter_MpiIsend, words[3]);
        case RecordKind::MpiIrecv:
            return message(OTF2_EvtWriter_MpiIrecv, words[3]);
        case RecordKind::MpiCollectiveEnd:
            return out.write(OTF2_EvtWriter_MpiCollectiveEnd,
                             otf2Operation(static_cast<tracing::Collective>(peer)), *comm, lowHalf(words[1]),
                             words[2], words[3]);
        case RecordKind::MpiCollectiveComplete:
            return out.write(OTF2_EvtWriter_NonBlockingCollectiveComplete,
                             otf2Operation(static_cast<tracing::Collective>(peer)), *comm, lowHalf(words[1]),
                             words[2], words[3], words[4]);
        default:
            return out.drop();
    }
}

}  // namespace holos::archive
