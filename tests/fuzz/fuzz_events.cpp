// SPDX-License-Identifier: BSD-3-Clause
#include <otf2/otf2.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/trace/error_capture.h"
#include "analyzer/trace/event_decoder.h"
#include "analyzer/trace/event_layouts.h"
#include "tests/support/event_log.h"
#include "tests/support/trace_builder.h"

namespace {

namespace fs = std::filesystem;
using namespace holos;
using Numbers = std::vector<std::uint64_t>;

/// An archive of one location, whose events change.
class KeptArchive {
  public:
    KeptArchive() {
        testing::TraceBuilder trace(1);
        trace.on(0).enter(0, "main").leave(1);
        anchor_ = trace.write(folder_);
    }
    ~KeptArchive() { fs::remove_all(folder_); }
    KeptArchive(const KeptArchive&) = delete;
    KeptArchive& operator=(const KeptArchive&) = delete;

    void write(const std::uint8_t* data, std::size_t size) const {
        std::ofstream out(testing::eventFile(anchor_, 0), std::ios::binary);
        out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    }

    std::uint64_t decode(Numbers& numbers) const {
        constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;
        analyzer::trace::EventDecoder decoder(testing::eventFile(anchor_, 0), kChunk, 0, {});
        const auto handlers = testing::notingHandlers();
        while (decoder.state() == analyzer::trace::EventDecoder::State::GoesOn)
            decoder.read(100, handlers, &numbers);
        return decoder.events();
    }

    void readByLibrary(std::uint64_t events, Numbers& numbers) const {
        const std::unique_ptr<OTF2_Reader, decltype(&OTF2_Reader_Close)> reader(
            OTF2_Reader_Open(anchor_.c_str()), &OTF2_Reader_Close);
        OTF2_Reader_SetSerialCollectiveCallbacks(reader.get());
        OTF2_Reader_SelectLocation(reader.get(), 0);
        OTF2_Reader_OpenEvtFiles(reader.get());
        OTF2_EvtReader* const local = OTF2_Reader_GetEvtReader(reader.get(), 0);
        analyzer::trace::LibraryEvents listening;
        listening.registerAt(reader.get(), local, testing::notingHandlers(), &numbers);
        std::uint64_t read = 0;
        OTF2_Reader_ReadLocalEvents(reader.get(), local, events, &read);
        OTF2_Reader_CloseEvtReader(reader.get(), local);
        OTF2_Reader_CloseEvtFiles(reader.get());
    }

  private:
    fs::path folder_ = fs::temp_directory_path() / ("holos-fuzz-" + std::to_string(getpid()) + ".events");
    fs::path anchor_;
};

/// The same bytes, but for those that mean events of OTF2 3.2, which an older library leaves out: they are
/// kinds that nobody knows.
std::vector<std::uint8_t> withoutNewEvents(const std::uint8_t* data, std::size_t size) {
    constexpr std::uint8_t kNumber = 4;
    std::vector<std::uint8_t> bytes(data, data + size);
    for (std::uint8_t& byte : bytes)
        if (byte >= analyzer::trace::kMpiProbe && byte < analyzer::trace::kMpiProbe + kNumber)
            byte += kNumber;
    return bytes;
}

}  // namespace

/// A file of events, in which any byte may be wrong: what is decoded of it, OTF2's reader says as well. It is
/// asked for no more than that, because it believes what files say of sizes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const KeptArchive kArchive;
    const analyzer::trace::ErrorCapture quiet;
    Numbers decoded;
    kArchive.write(data, size);
    kArchive.decode(decoded);
    decoded.clear();
    const std::vector<std::uint8_t> known = withoutNewEvents(data, size);
    kArchive.write(known.data(), known.size());
    const std::uint64_t events = kArchive.decode(decoded);
    if (events == 0) return 0;
    Numbers expected;
    kArchive.readByLibrary(events, expected);
    if (decoded != expected) std::abort();
    return 0;
}
