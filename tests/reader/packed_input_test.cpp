// Packed recordings: what is read, and what is refused. The archives are made by hand, by the tables of POSIX.1-1988.

#include "reader/packed_input.h"

#include <cstdio>
#include <string>

#include <gmock/gmock.h>

#include "base/error.h"
#include "reader/input_file.h"
#include "reader/packed/manifest.h"
#include "reader/packed/tar_header.h"
#include "tests/support/temporary.h"

namespace perfsift::reader::packing {  // a unity build compiles other tests in the same file
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A header as tar writes it, field by field.
std::string header(std::string name, std::size_t size, char type = '0') {
  std::string block(512, '\0');
  const auto put = [&](std::size_t at, const std::string& text) { block.replace(at, text.size(), text); };
  char digits[16];
  put(0, name);
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  std::snprintf(digits, sizeof digits, "%011zo", size);
  put(124, digits);
  put(136, "00000000000");
  put(148, "        ");
  block[156] = type;
  put(257, std::string("ustar\00000", 8));
  unsigned sum = 0;
  for (const unsigned char c : block) sum += c;
  std::snprintf(digits, sizeof digits, "%06o", sum);
  put(148, std::string(digits, 6) + '\0' + ' ');
  return block;
}

std::string member(const std::string& name, const std::string& contents, char type = '0') {
  return header(name, contents.size(), type) + contents + std::string((512 - contents.size() % 512) % 512, '\0');
}

std::string entry(const std::string& name, const std::string& contents, const std::string& more) {
  return R"({"member":")" + name + R"(","size":)" + std::to_string(contents.size()) + R"(,"crc32":")" +
         crc32_of(std::as_bytes(std::span(contents))) + "\"," + more + "}";
}

const std::string recorded = "PERFILE2, as far as this test is concerned";
const std::string library =
    "\x7f"
    "ELF, as far as this test is concerned";

std::string manifest_of(const std::string& files, const std::string& version = "1") {
  return R"({"perfsift-pack":)" + version + R"(,"recording":[)" +
         entry("recording/perf.data", recorded, R"("modified":1700000000)") + R"(],"files":[)" + files +
         R"(],"missing":[{"path":"/gone","for":"any-file elf /gone","why":"the file is not on this machine"}]})";
}

const std::string library_entry =
    entry("files/lib/a.so", library, R"("path":"/lib/a%20b.so","build_id":"ab01","for":["runtime a","symbols a"])");

std::string archive(const std::string& manifest, const std::string& members) {
  return member("perfsift-pack.json", manifest) + members + std::string(1024, '\0');
}
std::string usual_members() { return member("recording/perf.data", recorded) + member("files/lib/a.so", library); }
std::string usual() { return archive(manifest_of(library_entry), usual_members()); }

InputFile open(const std::string& bytes) {
  const test::TemporaryDirectory folder;
  return open_input(folder.write("packed", bytes));
}
std::string why_refused(const std::string& bytes) {
  const test::TemporaryDirectory folder;
  const std::string path = folder.write("packed", bytes);
  try {
    open_input(path);
  } catch (const InputError& error) {
    const std::string text = error.what();
    return text.starts_with(path + ": ") ? text.substr(path.size() + 2) : "without the name: " + text;
  }
  return "";
}
std::string text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

TEST(PackedInput, IsARecordingWithItsFiles) {
  const InputFile input = open(usual());
  EXPECT_EQ(text_of(input.mapped.bytes()), recorded);
  EXPECT_EQ(input.modified_seconds, 1'700'000'000);
  ASSERT_NE(input.packed, nullptr);
  for (const char* const purpose : {"runtime a", "symbols a"}) {
    const PackedFile* const file = input.packed->find(purpose);
    ASSERT_NE(file, nullptr) << purpose;
    EXPECT_EQ(text_of(file->bytes), library);
    EXPECT_EQ(file->path, "/lib/a b.so");
  }
  EXPECT_EQ(input.packed->find("runtime b"), nullptr);
  EXPECT_EQ(input.packed->why_missing("any-file elf /gone"), "the file is not on this machine");
  EXPECT_THAT(input.packed->why_missing("any-file elf /other"), IsEmpty());
}

TEST(PackedInput, OtherInputsAreNotPacked) {
  EXPECT_EQ(open("perfsift-pack.json is the beginning of this text").packed, nullptr);
  EXPECT_EQ(open(member("README", "of another archive")).packed, nullptr);
  EXPECT_EQ(open("").packed, nullptr);
}

TEST(PackedInput, MembersThatTheManifestDoesNotHaveAreRefused) {
  const std::string manifest = manifest_of(library_entry);
  EXPECT_THAT(why_refused(archive(manifest, usual_members() + member("files/more", "x"))), HasSubstr("more follows"));
  EXPECT_THAT(
      why_refused(archive(manifest, member("files/lib/a.so", library) + member("recording/perf.data", recorded))),
      HasSubstr("'files/lib/a.so' is where its manifest has 'recording/perf.data'"));
  EXPECT_THAT(why_refused(archive(manifest, member("recording/perf.data", recorded))), HasSubstr("damaged"));
}

TEST(PackedInput, NamesThatLeadOutOfTheArchiveAreRefused) {
  for (const std::string name :
       {"../../etc/passwd", "/etc/passwd", "files/../../x", "files//x", "files/./x", "files/", "..", ".", ""}) {
    const std::string files = entry(name, library, R"("path":"/lib/a.so","for":["runtime a"])");
    EXPECT_THAT(
        why_refused(archive(manifest_of(files), member("recording/perf.data", recorded) + member(name, library))),
        HasSubstr("outside of the archive's folder"))
        << name;
  }
}

TEST(PackedInput, LinksDevicesAndFoldersAreRefused) {
  const std::string manifest = manifest_of(library_entry);
  const auto with = [&](char type) {
    return why_refused(
        archive(manifest, member("recording/perf.data", recorded) + member("files/lib/a.so", library, type)));
  };
  EXPECT_THAT(with('1'), HasSubstr("'files/lib/a.so' in it is a link"));
  EXPECT_THAT(with('2'), HasSubstr("is a link"));
  EXPECT_THAT(with('3'), HasSubstr("is a device"));
  EXPECT_THAT(with('4'), HasSubstr("is a device"));
  EXPECT_THAT(with('5'), HasSubstr("is a folder"));
  EXPECT_THAT(with('6'), HasSubstr("is a pipe"));
  EXPECT_THAT(with('x'), HasSubstr("is something else than a file"));
  EXPECT_THAT(with('L'), HasSubstr("is something else than a file"));
}

TEST(PackedInput, MembersThatComeTwiceAreRefused) {
  EXPECT_THAT(why_refused(archive(manifest_of(library_entry + "," + library_entry), usual_members())),
              HasSubstr("'files/lib/a.so' is in it twice"));
}

TEST(PackedInput, SizesAndContentsThatDifferFromTheManifestAreRefused) {
  const std::string manifest = manifest_of(library_entry);
  EXPECT_THAT(why_refused(archive(manifest, member("recording/perf.data", recorded + "!"))),
              HasSubstr("'recording/perf.data' has another size than its manifest says"));
  std::string changed = recorded;
  changed.back() = '!';
  EXPECT_THAT(why_refused(archive(manifest, member("recording/perf.data", changed))),
              HasSubstr("'recording/perf.data' has other contents than its manifest says"));
}

// A few bytes must not become a full disk.
TEST(PackedInput, SizesBeyondTheLimitAreRefused) {
  std::string files;
  for (const char* const name : {"files/a", "files/b", "files/c"})
    files += (files.empty() ? "" : ",") + (R"({"member":")" + std::string(name)) +
             R"(","size":7516192768,"crc32":"","path":"/a","for":[]})";
  EXPECT_THAT(why_refused(archive(manifest_of(files), usual_members())), HasSubstr("larger than 16 GiB"));
  const std::string huge = R"({"member":"files/a","size":99999999999,"crc32":"","path":"/a","for":[]})";
  EXPECT_THAT(why_refused(archive(manifest_of(huge), usual_members())), HasSubstr("'files/a' is too large"));
  EXPECT_THAT(why_refused(header("perfsift-pack.json", std::size_t{1} << 32)), HasSubstr("manifest is damaged"));
}

TEST(PackedInput, LaterVersionsAndOtherJsonAreRefused) {
  EXPECT_THAT(why_refused(archive(manifest_of("", "2"), "")), HasSubstr("packed by a later perfsift"));
  for (const char* const text :
       {"", "{}", "[]", "{\"perfsift-pack\":\"1\"}", "{\"perfsift-pack\":1}", "\xff\xfe", "[[[["})
    EXPECT_THAT(why_refused(archive(text, "")), HasSubstr("the manifest perfsift-pack.json is damaged")) << text;
  EXPECT_THAT(why_refused(archive(R"({"perfsift-pack":1,"recording":[],"files":[],"missing":[]})", "")),
              HasSubstr("has no recording in it"));
}

// Every cut is noticed: a packed recording that is not whole never looks whole.
TEST(PackedInput, CutArchivesAreRefused) {
  const std::string whole = usual();
  for (std::size_t size = 512; size + 1024 < whole.size(); size += 97)
    EXPECT_THAT(why_refused(whole.substr(0, size)), HasSubstr("cut off")) << size;
}

TEST(TarHeader, LongNamesAreSplitAtASlash) {
  const std::string folder(120, 'f'), file(90, 'n');
  const auto encoded = encode_tar_header({.name = folder + '/' + file, .size = 7});
  ASSERT_TRUE(encoded);
  const ReadTarHeader read = parse_tar_header(*encoded);
  ASSERT_TRUE(read.member) << read.why;
  EXPECT_EQ(read.member->name, folder + '/' + file);
  EXPECT_EQ(read.member->size, 7);
  EXPECT_FALSE(encode_tar_header({.name = std::string(101, 'n')}));
  EXPECT_FALSE(encode_tar_header({.name = "n", .size = largest_tar_member + 1}));
}

TEST(TarHeader, IsTheHeaderOfTheStandard) {
  const auto encoded = encode_tar_header({.name = "files/lib/a.so", .size = library.size()});
  ASSERT_TRUE(encoded);
  EXPECT_EQ(text_of(*encoded), header("files/lib/a.so", library.size()));
}

}  // namespace
}  // namespace perfsift::reader::packing
