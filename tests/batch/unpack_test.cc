// Tests Unpack: the files that it takes from archives, and those that it refuses.
#include "batch/intake/unpack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "batch/archives.h"
#include "batch/intake/listing_json.h"
#include "grading/temporary_folder.h"

namespace warpcheck::batch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Unpacking : public testing::TestWithParam<Format> {
 protected:
  std::filesystem::path Name() const {
    return folder_.path() / (GetParam() == Format::kZip ? "x.zip" : "x.tar.gz");
  }
  Result<Listing> Read(ArchiveMaker& maker, const UnpackLimits& limits = kHandInLimits) const {
    return Unpack(maker.Path(), folder_.path() / "out", limits);
  }
  // Checks that only numbered files exist, and only in "out".
  void ExpectContained() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path())) {
      const std::string name = entry.path().lexically_relative(folder_.path()).generic_string();
      EXPECT_THAT(name, testing::MatchesRegex("x\\.(zip|tar\\.gz)|out|out/[0-9]+"));
      EXPECT_FALSE(entry.is_symlink()) << name;
    }
  }

  TemporaryFolder folder_;
};

std::vector<std::string> Lines(const Listing& listing) {
  std::vector<std::string> lines;
  for (const File& file : listing.files) {
    lines.push_back(file.name + (file.contents.empty() ? "" : " kept") +
                    (file.problem.empty() ? "" : " " + file.problem));
  }
  return lines;
}

std::vector<std::string> Lines(const std::vector<Excluded>& excluded) {
  std::vector<std::string> lines;
  for (const Excluded& one : excluded) lines.push_back(one.what + ": " + one.reason);
  return lines;
}

TEST_P(Unpacking, KeepsSourcesAndNamesTheRest) {
  ArchiveMaker maker(Name(), GetParam());
  maker.Folder("anna/").File("anna/t.cu", "// kernel").File("anna/report.pdf", "pdf");
  maker.File("__MACOSX/anna/._t.cu", "x").File("anna/.DS_Store", "x");
  maker.File("anna/.git/config", "x").File("anna/.git/HEAD", "x").File("b.zip", "not looked into");
  const auto listing = Read(maker);
  ASSERT_TRUE(listing) << listing.error().Text();
  EXPECT_THAT(Lines(*listing),
              ElementsAre("anna/", "anna/.git", "anna/report.pdf", "anna/t.cu kept", "b.zip kept"));
  EXPECT_EQ(ReadFile(listing->files[3].contents), "// kernel");
  ExpectContained();
}

TEST(ListingText, ComesBackAsItWas) {
  const TemporaryFolder folder;
  ASSERT_TRUE(WriteFile(folder.path() / "3", "// kernel"));
  const Listing listing{.files = {{.name = "anna/"},
                                  {.name = "anna/t.cu", .contents = folder.path() / "3"},
                                  {.name = "b.zip", .problem = "is a link"}},
                        .rejected = {{"../x", "its path leads out of the archive"}}};
  const auto read = ListingFrom(ListingText(listing), folder.path());
  ASSERT_TRUE(read) << read.error().Text();
  EXPECT_EQ(read->files, listing.files);
  EXPECT_THAT(Lines(read->rejected), ElementsAre("../x: its path leads out of the archive"));
  EXPECT_EQ(ListingFrom(ListingText(Fail("is damaged")), folder.path()).error().message,
            "is damaged");
}

// An archive may have taken control of the confined process. Then an attacker chooses the answer of
// the process.
class MalformedListing : public testing::Test {
 protected:
  std::string ErrorOf(const std::string& text) const {
    const auto listing = ListingFrom(text, Folder());
    return listing ? "believed" : listing.error().message;
  }
  std::string ErrorOf(const std::string& name, const std::filesystem::path& contents) const {
    return ErrorOf(ListingText(Listing{.files = {{.name = name, .contents = contents}}}));
  }
  std::filesystem::path Folder() const { return folder_.path() / "out"; }

  void SetUp() override {
    std::filesystem::create_directories(Folder() / "5");
    ASSERT_TRUE(WriteFile(folder_.path() / "secret", "the solution"));
    ASSERT_TRUE(WriteFile(Folder() / "1", "// kernel"));
    std::filesystem::create_symlink(folder_.path() / "secret", Folder() / "2");
    std::filesystem::create_hard_link(folder_.path() / "secret", Folder() / "3");
    ASSERT_TRUE(WriteFile(Folder() / "4", std::string(MaxBytes("t.cu") + 1, ' ')));
  }

  TemporaryFolder folder_;
};

TEST_F(MalformedListing, ReachesNoOtherFile) {
  ASSERT_EQ(ErrorOf("t.cu", Folder() / "1"), "believed");
  const std::string elsewhere = "is malformed (a file lies outside of the folder)";
  EXPECT_EQ(ErrorOf("t.cu", folder_.path() / "secret"), elsewhere);
  EXPECT_EQ(ErrorOf("t.cu", Folder() / "../secret"), elsewhere);
  EXPECT_EQ(ErrorOf("t.cu", Folder() / "x/../1"), elsewhere);
  EXPECT_EQ(ErrorOf("t.cu", "1"), elsewhere);
  EXPECT_EQ(ErrorOf("t.cu", "/etc/passwd"), elsewhere);
  const std::string no_file = "is malformed (an entry is not a plain file)";
  EXPECT_EQ(ErrorOf("t.cu", Folder() / "2"), no_file);
  EXPECT_EQ(ErrorOf("t.cu", Folder() / "3"), no_file);
  EXPECT_EQ(ErrorOf("t.cu", Folder() / "5"), no_file);
  EXPECT_EQ(ErrorOf("t.cu", Folder() / "6"), no_file);
  EXPECT_EQ(ErrorOf("t.cu", Folder() / "4"), "is malformed (a file is too large)");
  EXPECT_EQ(ErrorOf("report.pdf", Folder() / "1"), "is malformed (a file is too large)");
}

TEST_F(MalformedListing, NamesNothingThatAnArchiveMayNot) {
  for (const std::string& name :
       {std::string("../t.cu"), std::string("/t.cu"), std::string("a/../../t.cu"), std::string(),
        std::string("/"), std::string("a\nb.cu"), std::string(2000, 'x')}) {
    EXPECT_EQ(ErrorOf(name, {}), "is malformed (a path leads out of the archive)") << name;
  }
}

TEST_F(MalformedListing, IsNoListing) {
  for (const char* text :
       {"", "[]", "{", "{\"files\": 1}", "{\"files\": [1], \"rejected\": []}",
        "{\"files\": [], \"rejected\": [{\"what\": 1, \"reason\": \"x\"}]}",
        "{\"files\": [{\"name\": \"a\"}], \"rejected\": []}", "{\"error\": {}}"}) {
    EXPECT_THAT(ErrorOf(text), HasSubstr("is malformed (")) << text;
  }
}

TEST_P(Unpacking, RefusesNamesThatLeadElsewhere) {
  ArchiveMaker maker(Name(), GetParam());
  maker.File("../out.cu", "x").File("/etc/evil.cu", "x").File("a/../../b.cu", "x");
  maker.File("C:/evil.cu", "x").File("..\\w.cu", "x").File("a\nb.cu", "x");
  maker.File(std::string(300, 'n') + ".cu", "x").File("good.cu", "x");
  const auto listing = Read(maker);
  ASSERT_TRUE(listing) << listing.error().Text();
  EXPECT_THAT(Lines(*listing), ElementsAre("good.cu kept"));
  EXPECT_THAT(Lines(listing->rejected),
              ElementsAre("../out.cu: its path leads out of the archive",
                          "/etc/evil.cu: its path is absolute",
                          "a/../../b.cu: its path leads out of the archive",
                          "C:/evil.cu: its path begins with a drive letter",
                          "../w.cu: its path leads out of the archive",
                          "a\nb.cu: its name has a control character",
                          std::string(300, 'n') + ".cu: a name in its path is over 200 bytes"));
  ExpectContained();
}

TEST_P(Unpacking, RefusesNamesThatAreNotUtf8) {
  ArchiveMaker maker(Name(), GetParam());
  maker.File("m\xfcller.cu", "x").File("j\xc3\xb6rg.cu", "x");
  const auto listing = Read(maker);
  ASSERT_TRUE(listing) << listing.error().Text();
  EXPECT_THAT(Lines(*listing), ElementsAre("j\xc3\xb6rg.cu kept"));
  EXPECT_THAT(
      Lines(listing->rejected),
      ElementsAre(
          "m\\xfcller.cu: its name is not UTF-8: pack the archive again, with names in UTF-8"));
}

TEST_P(Unpacking, ObjectsToLinks) {
  ArchiveMaker maker(Name(), GetParam());
  maker.Link("passwd.cu", "/etc/passwd").File("good.cu", "x");
  const auto listing = Read(maker);
  ASSERT_TRUE(listing) << listing.error().Text();
  EXPECT_THAT(Lines(*listing),
              ElementsAre("good.cu kept", "passwd.cu is a link: put the file itself there"));
  ExpectContained();
}

TEST_P(Unpacking, ObjectsToFilesThatAreTooLargeOrThereTwice) {
  ArchiveMaker maker(Name(), GetParam());
  maker.File("large.cu", std::string(1'000'001, ' ')).File("t.cu", "1").File("t.cu", "2");
  const auto listing = Read(maker);
  ASSERT_TRUE(listing) << listing.error().Text();
  EXPECT_THAT(Lines(*listing), ElementsAre("large.cu is larger than 1000000 bytes", "t.cu kept",
                                           "t.cu is in the archive twice"));
}

TEST_P(Unpacking, StopsAtBombs) {
  ArchiveMaker many(Name(), GetParam());
  for (int i = 0; i < 20; ++i) many.File(std::to_string(i) + ".txt", "x");
  EXPECT_EQ(Read(many, {.entries = 10, .bytes = 1000, .ratio = 100}).error().message,
            "has more than 10 files and folders");
  ArchiveMaker large(Name(), GetParam());
  // The file is never read, but its size counts.
  large.File("zeros.bin", std::string(100'000, '\0'));
  EXPECT_EQ(Read(large, {.entries = 10, .bytes = 90'000, .ratio = 100}).error().message,
            "holds more than 90000 bytes");
  ArchiveMaker dense(Name(), GetParam());
  for (int i = 0; i < 3; ++i) dense.File(std::to_string(i) + ".cu", std::string(900'000, ' '));
  EXPECT_EQ(Read(dense, {.entries = 10, .bytes = 10'000'000, .ratio = 100}).error().message,
            "unpacks to more than 100 times its size");
  ExpectContained();
}

// Gigabytes of names and headers belong to no file.
TEST(UnpackTar, CountsNames) {
  TemporaryFolder folder;
  ArchiveMaker maker(folder.path() / "x.tar.gz", Format::kTarGz);
  for (int i = 0; i < 40; ++i) maker.File(std::string(900'000, 'n') + std::to_string(i), "");
  const auto path = maker.Path();
  EXPECT_LT(std::filesystem::file_size(path), 1'000'000U);
  EXPECT_EQ(Unpack(path, folder.path() / "out", {.entries = 100, .bytes = 9'000'000, .ratio = 100})
                .error()
                .message,
            "holds more than 9000000 bytes");
  const auto listing = Unpack(path, folder.path() / "out", kHandInLimits);
  ASSERT_TRUE(listing) << listing.error().Text();
  ASSERT_EQ(listing->rejected.size(), 40U);
  EXPECT_EQ(listing->rejected[0].what, std::string(400, 'n') + "...");
}

TEST_P(Unpacking, NamesNoMoreThanAThousandOfTheNamesThatCannotBeUsed) {
  ArchiveMaker maker(Name(), GetParam());
  for (int i = 0; i <= 1000; ++i) maker.File("../" + std::to_string(i), "");
  EXPECT_EQ(Read(maker).error().message,
            "has more than 1000 names that cannot be used; the last is ../1000: its path leads "
            "out of the archive");
}

TEST_P(Unpacking, RefusesWhatIsDamaged) {
  ArchiveMaker maker(Name(), GetParam());
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * i);
  const std::string bytes = maker.File("a.cu", text).File("b.cu", text).Bytes();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, bytes.size() / 2, bytes.size() - 30}) {
    ASSERT_TRUE(WriteFile(Name(), bytes.substr(0, size)));
    const auto listing = Unpack(Name(), folder_.path() / "out", kHandInLimits);
    ASSERT_FALSE(listing) << size;
    EXPECT_THAT(listing.error().message,
                HasSubstr("is damaged or incomplete, or is not an archive"));
  }
  std::string flipped = bytes;
  flipped[bytes.size() / 2] = static_cast<char>(flipped[bytes.size() / 2] ^ 0x55);
  ASSERT_TRUE(WriteFile(Name(), flipped));
  EXPECT_FALSE(Unpack(Name(), folder_.path() / "out", kHandInLimits));
}

INSTANTIATE_TEST_SUITE_P(Formats, Unpacking, testing::Values(Format::kZip, Format::kTarGz),
                         [](const auto& format) {
                           return format.param == Format::kZip ? "Zip" : "TarGz";
                         });

// The flag says that the name is UTF-8, as Python and most platforms write it.
TEST(UnpackZip, ReadsNamesThatAreMarkedAsUtf8) {
  TemporaryFolder folder;
  ArchiveMaker maker(folder.path() / "x.zip", Format::kZip, nullptr, true);
  maker.File("\xe7\x8e\x8b\xe4\xbc\x9f/t.cu", "1").File("j\xc3\xb6rg.cu", "2");
  const std::string bytes = maker.Bytes();
  constexpr std::size_t kFlags = 6;  // a field of the first local header (APPNOTE 4.3.7)
  ASSERT_EQ(bytes[kFlags + 1] & 0x08, 0x08) << "the names are not marked";
  const auto listing = Unpack(folder.path() / "x.zip", folder.path() / "out", kHandInLimits);
  ASSERT_TRUE(listing) << listing.error().Text();
  EXPECT_THAT(Lines(*listing), ElementsAre("j\xc3\xb6rg.cu kept", "\xe7\x8e\x8b\xe4\xbc\x9f/",
                                           "\xe7\x8e\x8b\xe4\xbc\x9f/t.cu kept"));
  EXPECT_THAT(listing->rejected, IsEmpty());
}

// LZMA may need a dictionary of 4 GiB for an archive of a hundred bytes.
TEST(UnpackZip, ObjectsToUnusualWaysToPack) {
  TemporaryFolder folder;
  ArchiveMaker maker(folder.path() / "x.zip");
  std::string bytes = maker.File("t.cu", "// kernel").Bytes();
  const std::size_t central = bytes.find("PK\x01\x02");
  ASSERT_NE(central, std::string::npos);
  for (const auto& [method, name] :
       {std::pair{12, "bzip"}, {14, "lzma"}, {95, "xz"}, {98, "ppmd"}}) {
    bytes[8] = bytes[central + 10] = static_cast<char>(method);  // see APPNOTE 4.3.7 and 4.3.12
    ASSERT_TRUE(WriteFile(folder.path() / "x.zip", bytes));
    const auto listing = Unpack(folder.path() / "x.zip", folder.path() / "out", kHandInLimits);
    ASSERT_TRUE(listing) << listing.error().Text();
    ASSERT_EQ(listing->files.size(), 1U);
    EXPECT_THAT(listing->files[0].problem, HasSubstr("uses an unusual compression (ZIP")) << name;
    EXPECT_THAT(listing->files[0].problem, HasSubstr(name));
    EXPECT_TRUE(listing->files[0].contents.empty());
  }
}

TEST(UnpackZip, ObjectsToWhatIsEncrypted) {
  TemporaryFolder folder;
  ArchiveMaker maker(folder.path() / "x.zip", Format::kZip, "secret");
  maker.File("t.cu", "// kernel");
  const auto listing = Unpack(maker.Path(), folder.path() / "out", kHandInLimits);
  ASSERT_TRUE(listing) << listing.error().Text();
  EXPECT_THAT(Lines(*listing), ElementsAre("t.cu is encrypted: pack it without a password"));
}

TEST(UnpackTar, ObjectsToSpecialFilesAndHardLinks) {
  TemporaryFolder folder;
  ArchiveMaker maker(folder.path() / "x.tar.gz", Format::kTarGz);
  maker.Pipe("pipe.cu").File("a.cu", "x").HardLink("b.cu", "a.cu");
  const auto listing = Unpack(maker.Path(), folder.path() / "out", kHandInLimits);
  ASSERT_TRUE(listing) << listing.error().Text();
  EXPECT_THAT(Lines(*listing), ElementsAre("a.cu kept", "b.cu is a link: put the file itself there",
                                           "pipe.cu is neither a file nor a folder"));
}

TEST(UnpackTar, CountsTheHolesOfASparseFile) {
  TemporaryFolder folder;
  archive* made = archive_write_new();
  archive_write_set_format_pax(made);
  archive_write_add_filter_gzip(made);
  const auto path = folder.path() / "x.tar.gz";
  archive_write_open_filename(made, path.c_str());
  archive_entry* entry = archive_entry_new();
  archive_entry_set_pathname(entry, "t.cu");
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_size(entry, std::int64_t{1} << 50);
  archive_entry_sparse_add_entry(entry, (std::int64_t{1} << 50) - 1, 1);
  archive_write_header(made, entry);
  archive_write_data(made, "x", 1);
  archive_entry_free(entry);
  archive_write_free(made);
  const auto listing = Unpack(path, folder.path() / "out", kHandInLimits);
  ASSERT_FALSE(listing);
  EXPECT_EQ(listing.error().message, "unpacks to more than 100 times its size");
}

}  // namespace
}  // namespace warpcheck::batch
