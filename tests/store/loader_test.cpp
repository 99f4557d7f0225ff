#include "store/loader.h"

#include <gmock/gmock.h>

#include "store/engine/row_binary.h"
#include "tests/store/fake_engine.h"
#include "tests/support/temporary.h"

namespace perfsift::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Hash128 first{.low = 1}, second{.low = 2};

// A load with one stack, whose row is the text.
RecordingRows rows(const Hash128& stack, std::string_view text) {
  RecordingRows rows{.samples = "samples " + std::string(text), .recording = "recording " + std::string(text)};
  rows.stacks.bytes = text;
  rows.stacks.rows = {{.id = stack, .end = text.size()}};
  rows.sample_count = 5;
  return rows;
}

std::vector<std::string> inserted(const test::FakeEngine& engine, std::string_view table) {
  std::vector<std::string> found;
  for (const auto& [name, bytes] : engine.inserted) {
    if (name == table && !bytes.empty()) found.push_back(bytes);
  }
  return found;
}

TEST(Loader, NamesTheRecordingsLast) {
  test::FakeEngine engine;
  Loader loader(engine);
  loader.add(rows(first, "a"));
  EXPECT_THAT(engine.tables(), IsEmpty());
  loader.finish();
  EXPECT_THAT(engine.tables(),
              ElementsAre("functions", "stacks", "samples", "waits", "accesses", "events", "quality", "recordings"));
  EXPECT_EQ(loader.recordings(), 1u);
  EXPECT_EQ(loader.samples(), 5u);
}

TEST(Loader, ALoadThatFailsNamesNoRecording) {
  test::FakeEngine engine;
  engine.fails_at = "samples";
  Loader loader(engine);
  loader.add(rows(first, "a"));
  EXPECT_THROW(loader.finish(), InputError);
  EXPECT_THAT(inserted(engine, "recordings"), IsEmpty());
}

TEST(Loader, InsertsAStackOnce) {
  test::FakeEngine engine;
  Loader loader(engine);
  loader.add(rows(first, "a"));
  loader.add(rows(second, "b"));
  loader.add(rows(first, "a"));
  loader.finish();
  loader.add(rows(second, "b"));
  loader.finish();
  EXPECT_THAT(inserted(engine, "stacks"), ElementsAre("ab"));
  EXPECT_THAT(inserted(engine, "samples"), ElementsAre("samples asamples bsamples a", "samples b"));
}

TEST(Loader, ARecordingIsClaimedOnce) {
  test::FakeEngine engine;
  std::string there;
  RowWriter row(there);
  row.id(first);
  row.u64(5);
  engine.answers = {{"FROM recordings FINAL WHERE NOT removed OR rolled_up", there}};
  Loader loader(engine);
  EXPECT_FALSE(loader.claim(first));
  EXPECT_TRUE(loader.claim(second));
  EXPECT_FALSE(loader.claim(second));
}

// Another process added it while this one read it, and a third one has rolled it up. A newer row would count it twice.
TEST(Loader, ARecordingThatWasRolledUpMeanwhileIsNotNamed) {
  const auto row_of = [](const Hash128& id) {
    std::string bytes;
    RowWriter(bytes).id(id);
    return bytes;
  };
  test::FakeEngine engine;
  engine.answers = {{"WHERE rolled_up AND id IN", row_of(first)}};
  Loader loader(engine);
  for (const Hash128& id : {first, second}) {
    RecordingRows of_id = rows(id, "x");
    of_id.recording = row_of(id) + "rest";
    loader.add(std::move(of_id));
  }
  loader.finish();
  EXPECT_THAT(inserted(engine, "recordings"), ElementsAre(row_of(second) + "rest"));
  EXPECT_EQ(loader.recordings(), 1u);
  EXPECT_EQ(loader.samples(), 5u);
}

TEST(Loader, InsertsAFullBatch) {
  test::FakeEngine engine;
  Loader loader(engine);
  RecordingRows large;
  large.samples.resize((std::size_t{32} << 20) + 1);
  large.recording = "large";
  loader.add(std::move(large));
  EXPECT_THAT(inserted(engine, "recordings"), ElementsAre("large"));
}

TEST(RecordingId, DependsOnContentAndLabels) {
  const Hash128 plain = recording_id(first, {});
  EXPECT_EQ(plain, recording_id(first, {}));
  EXPECT_NE(plain, recording_id(second, {}));
  EXPECT_NE(plain, recording_id(first, {{"a", ""}}));
  EXPECT_NE(recording_id(first, {{"a", "bc"}}), recording_id(first, {{"ab", "c"}}));
}

TEST(NewLoad, IsLargerThanAllBefore) {
  std::uint64_t last = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t load = new_load();
    EXPECT_GT(load, last);
    last = load;
  }
}

TEST(ContentHash, IsThatOfTheBytesWithAnyNumberOfThreads) {
  const test::TemporaryDirectory folder;
  std::string long_text(std::size_t{3} << 20, 'x');
  const auto a = folder.write("a", long_text), b = folder.write("b", long_text);
  long_text[std::size_t{2} << 20] = 'y';
  const auto c = folder.write("c", long_text);
  EXPECT_EQ(content_hash(a, 1), content_hash(b, 4));
  EXPECT_NE(content_hash(a, 1), content_hash(c, 1));
  EXPECT_NE(content_hash(folder.write("empty", std::string_view()), 1),
            content_hash(folder.write("zero", std::string_view("\0", 1)), 1));
  EXPECT_THROW(content_hash(folder.path() / "missing", 1), InputError);
  EXPECT_THROW(content_hash("/dev/null", 1), InputError);
}

// A recording of perf record --threads is a folder.
TEST(ContentHash, OfAFolderIsThatOfItsFiles) {
  const test::TemporaryDirectory folder;
  for (const char* const name : {"one/data", "one/data.0", "two/data", "two/data.0", "three/data", "three/data.1"})
    folder.write(name, std::string_view("same"));
  const auto hash = [&](const char* name) { return content_hash(folder.path() / name, 2); };
  EXPECT_EQ(hash("one"), hash("two"));
  EXPECT_NE(hash("one"), hash("three"));
}

}  // namespace
}  // namespace perfsift::store
