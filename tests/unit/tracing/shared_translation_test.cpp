// SPDX-License-Identifier: BSD-3-Clause
// Traces that several processes make together. Here they are one, which plays each of them in turn.
#include <gmock/gmock.h>
#include <tbb/global_control.h>

#include <fstream>
#include <iterator>
#include <map>
#include <memory>

#include "base/error.h"
#include "tests/unit/tracing/conversion_fixture.h"
#include "tracing/recorder/stacks/walk/path_tree.h"
#include "tracing/recordings/archive/helpers.h"

namespace holos::archive {
namespace {

using holos::testing::RawDefinitions;
using holos::testing::RawEvents;
using holos::testing::TemporaryDirectory;
using holos::testing::writeProcess;
using ::testing::IsEmpty;
using tracing::DefinitionKind;
using tracing::pair;
using tracing::RecordKind;
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
        const auto answer = helpers_[helper]->obey(asked);
        if (answer) {
            answers_[helper] = *answer;
            ++translated_;
        }
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
    std::optional<std::size_t> chosenFor(const RecordedProcess&) const override { return std::nullopt; }
    std::size_t translated() const { return translated_; }

  private:
    fs::path directory_;
    Conduct conduct_;
    std::vector<std::unique_ptr<Helper>> helpers_;
    std::vector<std::string> answers_;
    std::size_t translated_ = 0;
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
                                               std::size_t* translated = nullptr) const {
        const TemporaryDirectory copy;
        fs::copy(recording(), recordingOf(copy.path()), fs::copy_options::recursive);
        HelpersHere others(copy.path(), helpers, conduct);
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
