#include "batch/intake/roster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "base/text/utf8.h"
#include "batch/archives.h"
#include "compile/source/sources.h"
#include "grading/temporary_folder.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class Intake : public testing::Test {
 protected:
  Result<Roster> Read(const std::string& source) const {
    return ReadRoster(folder_.path() / source, folder_.path() / "scratch");
  }
  Roster Expect(const std::string& source = "class") const {
    auto roster = Read(source);
    EXPECT_TRUE(roster) << roster.error().Text();
    return roster.value_or(Roster());
  }
  // Returns "id|name|submitted|late|first part of the first kernel" for each entry.
  static std::vector<std::string> Lines(const Roster& roster) {
    std::vector<std::string> lines;
    for (const Entry& entry : roster.entries) {
      compile::Request request;
      request.submission = entry.submission;
      const auto sources = compile::ReadSources(request);
      EXPECT_TRUE(sources) << sources.error().Text();
      std::string files;
      for (const auto& file : sources.value_or(compile::Sources()).files) {
        files += " " + file.name + "=" + file.bytes;
      }
      lines.push_back(entry.id + "|" + entry.name + "|" + entry.submitted +
                      (entry.late ? "|late|" : "||") + files);
    }
    return lines;
  }
  static std::vector<std::string> Lines(const std::vector<Excluded>& excluded) {
    std::vector<std::string> lines;
    for (const Excluded& one : excluded) lines.push_back(one.what + ": " + one.reason);
    return lines;
  }

  TemporaryFolder folder_;
};

TEST_F(Intake, TakesAFolderAFileOrAnArchiveAStudent) {
  folder_.Write("class/anna.cu", "a");
  folder_.Write("class/berta/src/transpose.cu", "b");
  folder_.Write("class/berta/src/tile.cuh", "h");
  folder_.Write("class/berta/report.pdf", "pdf");
  folder_.Write("class/berta/.vscode/settings.json", "{}");
  folder_.Write("class/berta/old.zip", "not looked into");
  folder_.Write("class/notes.txt", "");
  folder_.Write("class/.DS_Store", "");
  ArchiveMaker(folder_.path() / "class/carl.zip").File("carl/TRANSPOSE.CU", "c").Path();
  ArchiveMaker(folder_.path() / "class/dora.tar.gz", Format::kTarGz).File("t.cu", "d").Path();
  const Roster roster = Expect();
  EXPECT_THAT(Lines(roster), ElementsAre("anna|anna||| anna.cu=a",
                                         "berta|berta||| src/tile.cuh=h src/transpose.cu=b",
                                         "carl|carl||| TRANSPOSE.cu=c", "dora|dora||| t.cu=d"));
  EXPECT_THAT(roster.superseded, IsEmpty());
  EXPECT_THAT(roster.refused, IsEmpty());
  EXPECT_TRUE(fs::is_regular_file(roster.entries[0].submission));
  EXPECT_TRUE(fs::is_directory(roster.entries[1].submission));
}

TEST_F(Intake, GivesTheSameRosterAgain) {
  folder_.Write("class/anna.cu", "a");
  ArchiveMaker(folder_.path() / "class/berta.zip").File("b.cu", "b").Path();
  const Roster first = Expect();
  const Roster second = Expect();
  EXPECT_EQ(Lines(first), Lines(second));
  EXPECT_EQ(first.entries[1].submission, second.entries[1].submission);
}

TEST_F(Intake, LooksThroughTheFolderThatAnArchiveHolds) {
  ArchiveMaker maker(folder_.path() / "class.zip");
  maker.File("class/anna/t.cu", "a").File("class/berta/t.cu", "b").File("__MACOSX/class/._x", "");
  maker.Path();
  EXPECT_THAT(Lines(Expect("class.zip")),
              ElementsAre("anna|anna||| t.cu=a", "berta|berta||| t.cu=b"));
  // If a class has only one student, the folder's name is the student's.
  ArchiveMaker(folder_.path() / "one.zip").File("anna/src/t.cu", "a").Path();
  EXPECT_THAT(Lines(Expect("one.zip")), ElementsAre("anna|anna||| t.cu=a"));
}

TEST_F(Intake, RefusesByNameAndGoesOn) {
  folder_.Write("class/anna/t.cu", "a");
  folder_.Write("class/empty/report.pdf", "pdf");
  folder_.Write("class/large/t.cu", std::string(1'000'001, ' '));
  folder_.Write("class/rar.rar", "Rar!");
  folder_.Write("class/link/t.cu", "x");
  fs::create_symlink("/etc/passwd", folder_.path() / "class/link/h.h");
  fs::create_symlink("anna", folder_.path() / "class/twin");
  ArchiveMaker(folder_.path() / "class/out.zip").File("../../t.cu", "x").Path();
  ArchiveMaker(folder_.path() / "class/two/a.zip").File("t.cu", "x").Path();
  ArchiveMaker(folder_.path() / "class/two/b.zip").File("t.cu", "x").Path();
  folder_.Write("class/broken.zip", "PK\x03\x04 and no more");
  std::string inner = ArchiveMaker(folder_.path() / "n/0.zip").File("t.cu", "x").Bytes();
  for (int i = 1; i < 4; ++i) {
    inner = ArchiveMaker(folder_.path() / "n" / (std::to_string(i) + ".zip"))
                .File("in.zip", inner)
                .Bytes();
  }
  folder_.Write("class/nested.zip", "");
  ASSERT_TRUE(WriteFile(folder_.path() / "class/nested.zip", inner));
  const Roster roster = Expect();
  EXPECT_THAT(Lines(roster), ElementsAre("anna|anna||| t.cu=a"));
  EXPECT_THAT(
      Lines(roster.refused),
      UnorderedElementsAre(
          "rar.rar: cannot be unpacked: make it a .zip or .tar.gz file",
          HasSubstr("broken.zip: broken.zip is damaged or incomplete, or is not an archive"),
          "empty: has no .cu file: it holds report.pdf", "large: t.cu is larger than 1000000 bytes",
          "link: h.h is a symbolic link: put the file itself there",
          "twin: twin is a symbolic link: put the file itself there",
          "nested.zip: in.zip lies in more than 3 archives inside each other",
          "out.zip: out.zip holds ../../t.cu: its path leads out of the archive",
          "two: has 2 archives and no .cu file: leave only one"));
  EXPECT_FALSE(fs::exists(folder_.path() / "t.cu"));
}

TEST_F(Intake, UnpacksArchivesInArchives) {
  const std::string student =
      ArchiveMaker(folder_.path() / "n/anna.zip").File("anna/t.cu", "a").Bytes();
  ArchiveMaker maker(folder_.path() / "class.zip");
  maker.File("Anna Berg_7_assignsubmission_file_/anna.zip", student).Path();
  EXPECT_THAT(Lines(Expect("class.zip")), ElementsAre("Anna_Berg_7|Anna Berg||| t.cu=a"));
}

TEST_F(Intake, RefusesNamesThatAreAlike) {
  folder_.Write("class/anna/t.cu", "1");
  folder_.Write("class/Anna/t.cu", "2");
  folder_.Write("class/jos\xc3\xa9/t.cu", "3");   // NFC
  folder_.Write("class/jose\xcc\x81/t.cu", "4");  // NFD
  folder_.Write("class/zoe b/t.cu", "5");
  folder_.Write("class/zoe,b/t.cu", "6");
  folder_.Write("class/dora/t.cu", "7");
  folder_.Write("class/dora.cu", "8");
  folder_.Write("class/eve/t.cu", "9");
  folder_.Write("class/m\xfcller/t.cu", "10");
  const Roster roster = Expect();
  EXPECT_THAT(Lines(roster), ElementsAre("eve|eve||| t.cu=9"));
  EXPECT_THAT(Lines(roster.refused),
              UnorderedElementsAre(
                  "m\\xfcller: its name is not UTF-8: rename it",
                  "anna: its name and \"Anna\" differ only in case or Unicode form: rename one",
                  "Anna: its name and \"anna\" differ only in case or Unicode form: rename one",
                  HasSubstr("differ only in case or Unicode form"),
                  HasSubstr("differ only in case or Unicode form"),
                  "zoe b: its name and \"zoe,b\" give the same file name: rename one",
                  "zoe,b: its name and \"zoe b\" give the same file name: rename one",
                  "dora: 2 submissions are called \"dora\", and it is not known which one counts: "
                  "keep one of them, or rename them",
                  "dora.cu: 2 submissions are called \"dora\", and it is not known which one "
                  "counts: keep one of them, or rename them"));
}

// The scripts of the names are Latin, Chinese, Cyrillic, Greek, Arabic, Hebrew, Devanagari and
// Hangul.
TEST_F(Intake, KeepsTheLettersOfEveryScript) {
  const std::vector<std::string> names = {
      "Zo\u00eb Nu\u00f1ez",
      "\u738b\u4f1f",
      "\u0418\u0432\u0430\u043d \u041f\u0435\u0442\u0440\u043e\u0432",
      "\u03a3\u03bf\u03c6\u03af\u03b1",
      "\u0641\u0627\u0637\u0645\u0629",
      "\u05e0\u05d5\u05e2\u05d4",
      "\u092a\u094d\u0930\u093f\u092f\u093e",
      "\uae40\ubbfc\uc900"};
  for (const std::string& name : names) folder_.Write("class/" + name + "/t.cu", name);
  const Roster roster = Expect();
  ASSERT_EQ(roster.entries.size(), names.size());
  for (const Entry& entry : roster.entries) {
    std::string expected = entry.name;
    std::ranges::replace(expected, ' ', '_');
    EXPECT_EQ(entry.id, expected);
    EXPECT_THAT(names, testing::Contains(entry.name));
  }
}

// Characters that are not letters of a script are left out, and a hash distinguishes such names.
TEST_F(Intake, MakesNamesSafeForFilesAndShells) {
  folder_.Write("class/a;rm -rf $HOME/t.cu", "1");
  folder_.Write("class/a`rm -rf $HOME/t.cu", "2");
  folder_.Write("class/x\u202eevil\u200b/t.cu", "3");  // changes the direction of writing
  std::string many;
  for (int i = 0; i < 60; ++i) many += "\u738b";
  folder_.Write("class/" + many + "/t.cu", "4");
  std::vector<std::string> ids;
  for (const Entry& entry : Expect().entries) {
    EXPECT_LE(entry.id.size(), 160U);
    EXPECT_TRUE(IsUtf8(entry.id)) << entry.id;
    EXPECT_EQ(entry.id.find_first_of(" ;`$/\xe2"), std::string::npos) << entry.id;
    ids.push_back(entry.id);
  }
  EXPECT_THAT(ids, UnorderedElementsAre(testing::MatchesRegex("arm_-rf_HOME-[0-9a-f]{8}"),
                                        testing::MatchesRegex("arm_-rf_HOME-[0-9a-f]{8}"),
                                        testing::MatchesRegex("xevil-[0-9a-f]{8}"), testing::_));
}

TEST_F(Intake, SaysWhatItExpectsWhereNothingCanBeGraded) {
  folder_.Write("class/notes.txt", "");
  const auto nothing = Read("class");
  ASSERT_FALSE(nothing);
  EXPECT_THAT(nothing.error().message, HasSubstr("class has no submission that can be graded"));
  EXPECT_EQ(nothing.error().hint,
            "expected one of:\n"
            "    Gradescope: submission_<number>/ and submission_metadata.yml\n"
            "    Moodle: <name>_<id>_assignsubmission_file_/*.cu\n"
            "    Canvas: <name>[_LATE]_<user>_<attachment>_<file>\n"
            "    GitHub Classroom: <assignment>-<user>/ with its .git\n"
            "    one folder, .cu file or archive for each student: <student>/*.cu, <student>.cu or "
            "<student>.zip");
  folder_.Write("class/anna/report.pdf", "");
  EXPECT_THAT(Read("class").error().message,
              HasSubstr("can be graded: anna was refused, has no .cu file: it holds report.pdf"));
  EXPECT_THAT(Read("nowhere").error().message, HasSubstr("there is no "));
  EXPECT_THAT(Read("class/notes.txt").error().message,
              HasSubstr("neither a folder nor an archive"));
  folder_.Write("bad.zip", "PK");
  EXPECT_THAT(Read("bad.zip").error().message, HasSubstr("bad.zip is damaged"));
}

TEST_F(Intake, AHostileExportLosesOnlyItsHostileEntries) {
  ArchiveMaker maker(folder_.path() / "class.zip");
  maker.File("../evil.cu", "x").File("anna/t.cu", "a").File("berta/t.cu", "b");
  maker.Link("berta/link.h", "/etc/passwd").Path();
  const Roster roster = Expect("class.zip");
  EXPECT_THAT(Lines(roster), ElementsAre("anna|anna||| t.cu=a"));
  EXPECT_THAT(Lines(roster.refused),
              ElementsAre("../evil.cu: its path leads out of the archive",
                          "berta: link.h is a link: put the file itself there"));
}

}  // namespace
}  // namespace warpcheck::batch
