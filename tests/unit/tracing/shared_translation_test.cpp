// SPDX-License-Identifier: BSD-3-Clause
// Traces that several processes make together. Here they are one, which plays each of them in turn.
#include <gmock/gmock.h>
#include <sys/inotify.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>

#include "base/descriptor.h"
#include "base/error.h"
#include "tests/unit/tracing/conversion_fixture.h"
#include "tracing/recorder/stacks/walk/path_tree.h"
#include "tracing/recordings/archive/helpers.h"

namespace holos::archive {
namespace {

using holos::testing::TemporaryDirectory;
using ::testing::IsEmpty;
using tracing::stacks::kFirstPath;
using tracing::stacks::kNoPath;

constexpr std::uint32_t kProcesses = 5;
constexpr std::uint32_t kPaths = 4;

/// What a helper does with an order.
enum class Conduct {
    Obeys,
    Fails,      ///< and says so
    Vanishes,   ///< before it did anything
    Garbles,    ///< half of its answer gets lost
    LosesFiles  ///< of those that it wrote
};

/// What becomes of packed files before anybody reads them.
enum class Packed { Whole, CutOff, Damaged, Missing };

class HelpersHere final : public Helpers {
  public:
    HelpersHere(const fs::path& directory, std::size_t count, Conduct conduct = Conduct::Obeys)
        : directory_(directory), conduct_(conduct), answers_(count) {
        for (std::size_t i = 0; i < count; ++i) helpers_.push_back(std::make_unique<Helper>(directory));
    }
    std::size_t count() const override { return helpers_.size(); }
    void send(std::size_t helper, const std::string& order) override {
        if (conduct_ == Conduct::Vanishes) return;
        const std::string asked = conduct_ == Conduct::Fails ? order.substr(0, order.size() / 2) : order;
        if (isOf(Order::Kind::Read, order)) spoilPacked();
        const auto answer = helpers_[helper]->obey(asked);
        if (answer) answers_[helper] = *answer;
        if (answer && isOf(Order::Kind::Translate, order)) ++translated_;
        if (conduct_ == Conduct::LosesFiles)
            for (const auto& entry : fs::recursive_directory_iterator(directory_))
                if (entry.path().string().find("/part-") != std::string::npos &&
                    entry.path().filename() == "1.evt")
                    fs::remove(entry.path());
    }
    std::optional<std::string> receive(std::size_t helper) override {
        if (conduct_ == Conduct::Vanishes) return std::nullopt;
        const std::string& answer = answers_[helper];
        return conduct_ == Conduct::Garbles ? answer.substr(0, answer.size() / 2) : answer;
    }
    std::optional<std::size_t> chosenFor(const std::string&) const override { return std::nullopt; }
    std::size_t translated() const { return translated_; }
    void spoil(Packed how) { packed_ = how; }

  private:
    static bool isOf(Order::Kind kind, const std::string& order) { return orderIn(order).kind == kind; }

    void spoilPacked() const {
        if (packed_ == Packed::Whole) return;
        for (const auto& entry : fs::directory_iterator(recordingOf(directory_) / "packed")) {
            const auto bytes = entry.file_size();
            if (packed_ == Packed::Missing)
                fs::remove(entry.path());
            else if (packed_ == Packed::CutOff)
                fs::resize_file(entry.path(), bytes / 2);
            else
                std::fstream(entry.path()).seekp(static_cast<std::streamoff>(bytes / 2)).write("damage", 6);
        }
    }

    fs::path directory_;
    Conduct conduct_;
    std::vector<std::unique_ptr<Helper>> helpers_;
    std::vector<std::string> answers_;
    std::size_t translated_ = 0;
    Packed packed_ = Packed::Whole;
};

/// Counts how often files of recorded processes are opened, by whoever does so.
class CountedOpens {
  public:
    explicit CountedOpens(const fs::path& recording) : notes_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
        for (const auto& entry : fs::directory_iterator(recording))
            if (entry.is_directory()) ::inotify_add_watch(notes_.number(), entry.path().c_str(), IN_OPEN);
    }
    /// By the name of the file, in all processes together.
    std::map<std::string, std::size_t> byName() const {
        std::map<std::string, std::size_t> opens;
        alignas(inotify_event) std::array<char, 1 << 16> buffer{};
        for (ssize_t bytes = 0; (bytes = ::read(notes_.number(), buffer.data(), buffer.size())) > 0;)
            for (ssize_t at = 0; at < bytes;) {
                inotify_event event;
                std::memcpy(&event, buffer.data() + at, sizeof event);
                const bool isFile = event.len != 0 && (event.mask & IN_ISDIR) == 0;
                if (isFile) ++opens[buffer.data() + at + sizeof event];
                at += static_cast<ssize_t>(sizeof event + event.len);
            }
        return opens;
    }

  private:
    Descriptor notes_;
};

std::string bytesOf(const fs::path& file) {
    constexpr std::size_t kOfNumber = 8;
    constexpr std::size_t kToEnd = 19;
    std::ifstream in(file, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    // A random number tells each archive from others.
    if (file.filename() == "traces.otf2") text.replace(text.size() - kToEnd, kOfNumber, kOfNumber, ' ');
    return text;
}

/// By their names.
std::map<std::string, std::string> filesIn(const fs::path& directory) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(directory))
        if (entry.is_regular_file())
            files[entry.path().lexically_relative(directory)] = bytesOf(entry.path());
    return files;
}

/// Names of files that are not the same, or missing.
std::vector<std::string> differences(const std::map<std::string, std::string>& a,
                                     const std::map<std::string, std::string>& b) {
    std::vector<std::string> names;
    for (const auto& [name, bytes] : a)
        if (!b.contains(name) || b.at(name) != bytes) names.push_back(name);
    for (const auto& [name, bytes] : b)
        if (!a.contains(name)) names.push_back(name);
    return names;
}

class SharedTranslationTest : public ConversionTest {
  protected:
    SharedTranslationTest() {
        std::ofstream(recording() / "run") << R"({"id": "0123456789abcdef0123456789abcdef", "job": "", )"
                                           << R"("origins": {}})";
        for (std::uint32_t rank = 0; rank < kProcesses; ++rank) writeRank(rank);
    }

    /// The files of a trace of the recording that is made in a copy of the folder.
    std::map<std::string, std::string> traceBy(std::size_t helpers, Conduct conduct = Conduct::Obeys,
                                               std::size_t* translated = nullptr,
                                               Packed packed = Packed::Whole) const {
        const TemporaryDirectory copy;
        fs::copy(recording(), recordingOf(copy.path()), fs::copy_options::recursive);
        HelpersHere others(copy.path(), helpers, conduct);
        others.spoil(packed);
        finish(copy.path(), Check::Everybody, {}, {}, &others);
        if (translated != nullptr) *translated = others.translated();
        return filesIn(copy.path());
    }

  private:
    /// Two threads that meet the same call paths as other ranks, in another order, and more of them.
    void writeRank(std::uint32_t rank) const {
        auto log = program();
        location(log, 1, tracing::LocationKind::Place, 1, 1);
        log.region(1, "work").region(2, "wait").world(rank, kProcesses).sync(3'000, 1'500);
        log.begin(DefinitionKind::LoadedFile)
            .add(std::uint64_t{0x1000})
            .add(std::uint64_t{0x2000})
            .text("/lib/libwork.so")
            .text("");
        for (std::uint32_t path = 0; path < kPaths; ++path)
            log.begin(DefinitionKind::CallPath)
                .add(kFirstPath + path)
                .add(path == 0 ? kNoPath : kFirstPath)
                .add(std::uint64_t{0x1010 + 0x20 * path});
        const auto folder = writeProcess(recording(), "host." + std::to_string(rank + 1) + ".0", log);
        for (const std::uint32_t thread : {0U, 1U}) {
            RawEvents events;
            std::uint64_t ticks = 1'100;
            for (std::uint32_t i = 0; i < 20 * (rank + 1); ++i) {
                const std::uint32_t path = kFirstPath + (rank + thread + i) % kPaths;
                events.add(RecordKind::Enter, ticks += 3, {pair(1 + i % 2, path)});
                events.add(RecordKind::Leave, ticks += 3, {1 + i % 2});
            }
            events.write(folder, thread);
        }
    }
};

TEST_F(SharedTranslationTest, anyNumberOfHelpers_sameFiles) {
    const auto alone = traceBy(0);
    EXPECT_GT(alone.size(), 2 * 2 * kProcesses);
    for (const std::size_t helpers : {1U, 2U, 7U}) {
        std::size_t translated = 0;
        EXPECT_THAT(differences(traceBy(helpers, Conduct::Obeys, &translated), alone), IsEmpty()) << helpers;
        EXPECT_EQ(translated, std::min<std::size_t>(helpers, kProcesses - 1));
    }
}

TEST_F(SharedTranslationTest, whereHelpersFail_sameFilesAllTheSame) {
    const auto alone = traceBy(0);
    for (const Conduct conduct : {Conduct::Fails, Conduct::Vanishes, Conduct::Garbles, Conduct::LosesFiles})
        EXPECT_THAT(differences(traceBy(2, conduct), alone), IsEmpty()) << static_cast<int>(conduct);
}

TEST_F(SharedTranslationTest, whereThingsArePackedWrongly_sameFilesAllTheSame) {
    const auto alone = traceBy(0);
    for (const Packed packed : {Packed::CutOff, Packed::Damaged, Packed::Missing})
        EXPECT_THAT(differences(traceBy(2, Conduct::Obeys, nullptr, packed), alone), IsEmpty())
            << static_cast<int>(packed);
}

/// On a file server each of them waits for an answer: with K processes that open everything, K times as long.
/// Events are read by whoever translates them.
TEST_F(SharedTranslationTest, anyNumberOfHelpers_opensFilesOfProcessesNoMoreOftenThanOneAlone) {
    const auto opensBy = [&](std::size_t helpers) {
        const TemporaryDirectory copy;
        fs::copy(recording(), recordingOf(copy.path()), fs::copy_options::recursive);
        HelpersHere others(copy.path(), helpers);
        const CountedOpens opens(recordingOf(copy.path()));
        finish(copy.path(), Check::Everybody, {}, {}, &others);
        return opens.byName();
    };
    const auto alone = opensBy(0);
    if (!alone.contains("definitions")) GTEST_SKIP() << "this system does not tell that files are opened";
    EXPECT_EQ(alone.at("definitions"), kProcesses);
    for (const std::size_t helpers : {1U, 2U, 7U})
        for (const auto& [name, opens] : opensBy(helpers)) {
            if (name == "events") continue;
            EXPECT_LE(opens, alone.at(name)) << name << " by " << helpers;
        }
}

/// What a process that was killed left in the place of the packed files.
TEST_F(SharedTranslationTest, leftoverOfPackedFiles_isOfNoUse) {
    const auto alone = traceBy(0);
    fs::create_directories(recording() / "packed" / "1" / "in the way");
    EXPECT_THAT(differences(traceBy(2), alone), IsEmpty());
}

/// Another machine may see what is missing here, so that everybody looks for himself.
TEST_F(SharedTranslationTest, damagedProcess_sameFilesAsByOneAlone) {
    fs::remove(recording() / "host.2.0" / "status");
    fs::resize_file(recording() / "host.4.0" / "definitions", 100);
    const auto alone = traceBy(0);
    EXPECT_THAT(differences(traceBy(2), alone), IsEmpty());
}

TEST_F(SharedTranslationTest, anyNumberOfThreads_sameFiles) {
    std::map<std::string, std::string> byOne;
    {
        const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
        byOne = traceBy(0);
    }
    for (int i = 0; i < 5; ++i) EXPECT_THAT(differences(traceBy(0), byOne), IsEmpty());
}

/// Such as one that sees an older state of the folder.
TEST_F(SharedTranslationTest, helperThatReadsSomethingElse_isNotHeard) {
    const auto alone = traceBy(0);
    const TemporaryDirectory copy;
    const TemporaryDirectory other;
    for (const auto& place : {copy.path(), other.path()})
        fs::copy(recording(), recordingOf(place), fs::copy_options::recursive);
    fs::resize_file(recordingOf(other.path()) / "host.3.0" / "events", 0);
    HelpersHere others(other.path(), 1);
    finish(copy.path(), Check::Everybody, {}, {}, &others);
    EXPECT_EQ(others.translated(), 1U);  // its answer says that it did not
    EXPECT_THAT(differences(filesIn(copy.path()), alone), IsEmpty());
}

/// Nobody waits for an answer that comes after the trace was given up.
TEST_F(SharedTranslationTest, folderThatIsNotFree_recordingStaysAndHelpersGoOn) {
    std::ofstream(directory_.path() / "traces.def") << "mine";
    HelpersHere others(directory_.path(), 2);
    EXPECT_THROW(finish(directory_.path(), Check::Everybody, {}, {}, &others), Error);
    EXPECT_TRUE(needsFinish(directory_.path()));
    fs::remove(directory_.path() / "traces.def");
    EXPECT_EQ(finish(directory_.path(), Check::Everybody, {}, {}, &others).processes, kProcesses);
}

}  // namespace
}  // namespace holos::archive
