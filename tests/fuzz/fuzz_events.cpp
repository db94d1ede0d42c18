// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <otf2/otf2.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
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

void require(bool works) {
    if (!works) std::abort();
}

/// An archive of one location, whose events change. OTF2's reader opens it once, and the file of events stays
/// where it is: with `TMPDIR` in memory (/dev/shm) that allows hundreds of times as many inputs.
class KeptArchive {
  public:
    KeptArchive() {
        testing::TraceBuilder trace(1);
        trace.on(0).enter(0, "main").leave(1);
        anchor_ = trace.write(folder_);
        file_ = testing::eventFile(anchor_, 0);
        events_ = open(file_.c_str(), O_RDWR | O_CLOEXEC);
        reader_ = OTF2_Reader_Open(anchor_.c_str());
        require(events_ >= 0 && reader_ != nullptr);
        OTF2_Reader_SetSerialCollectiveCallbacks(reader_);
        OTF2_Reader_SelectLocation(reader_, 0);
        require(OTF2_Reader_OpenEvtFiles(reader_) == OTF2_SUCCESS);
    }
    ~KeptArchive() {
        OTF2_Reader_CloseEvtFiles(reader_);
        OTF2_Reader_Close(reader_);
        close(events_);
        fs::remove_all(folder_);
    }
    KeptArchive(const KeptArchive&) = delete;
    KeptArchive& operator=(const KeptArchive&) = delete;

    void write(const std::uint8_t* data, std::size_t size) const {
        require(ftruncate(events_, static_cast<off_t>(size)) == 0);
        require(pwrite(events_, data, size, 0) == static_cast<ssize_t>(size));
    }

    std::uint64_t decode(Numbers& numbers) const {
        constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;
        static const analyzer::trace::EventHandlers kHandlers = testing::notingHandlers();
        analyzer::trace::EventDecoder decoder(file_, kChunk, 0, {});
        while (decoder.state() == analyzer::trace::EventDecoder::State::GoesOn)
            decoder.read(100, kHandlers, &numbers);
        return decoder.events();
    }

    void readByLibrary(std::uint64_t events, Numbers& numbers) const {
        OTF2_EvtReader* const local = OTF2_Reader_GetEvtReader(reader_, 0);
        if (local == nullptr) return;
        analyzer::trace::LibraryEvents listening;
        listening.registerAt(reader_, local, testing::notingHandlers(), &numbers);
        std::uint64_t read = 0;
        OTF2_Reader_ReadLocalEvents(reader_, local, events, &read);
        OTF2_Reader_CloseEvtReader(reader_, local);
    }

  private:
    fs::path folder_ = fs::temp_directory_path() / ("holos-fuzz-" + std::to_string(getpid()) + ".events");
    fs::path anchor_;
    fs::path file_;
    int events_ = -1;
    OTF2_Reader* reader_ = nullptr;
};

/// The bytes with others in the place of those that mean events of OTF2 3.2, which an older library leaves
/// out: they are kinds that nobody knows.
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
    static Numbers decoded;
    static Numbers expected;
    const analyzer::trace::ErrorCapture quiet;
    decoded.clear();
    expected.clear();
    kArchive.write(data, size);
    std::uint64_t events = kArchive.decode(decoded);
    const std::vector<std::uint8_t> known = withoutNewEvents(data, size);
    if (!std::equal(known.begin(), known.end(), data)) {
        decoded.clear();
        kArchive.write(known.data(), known.size());
        events = kArchive.decode(decoded);
    }
    if (events == 0) return 0;
    kArchive.readByLibrary(events, expected);
    if (decoded != expected) std::abort();
    return 0;
}
