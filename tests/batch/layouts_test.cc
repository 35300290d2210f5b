// Tests the exports of learning platforms that docs/batch_layouts.md describes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batch/archives.h"
#include "batch/intake/roster.h"
#include "grading/temporary_folder.h"

namespace warpcheck::batch {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

class Layouts : public testing::Test {
 protected:
  Roster Read(const std::string& source = "class", const ClassRules& rules = {}) const {
    auto roster = ReadRoster(folder_.path() / source, folder_.path() / "scratch", rules);
    EXPECT_TRUE(roster) << roster.error().Text();
    return roster.value_or(Roster());
  }
  static std::vector<std::string> Lines(const Roster& roster) {
    std::vector<std::string> lines;
    for (const Entry& entry : roster.entries) {
      lines.push_back(entry.id + "|" + entry.name + "|" + entry.submitted +
                      (entry.late ? "|late|" : "||") + entry.submission.filename().string());
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

TEST_F(Layouts, Canvas) {
  folder_.Write("class/berganna_101_9001_transpose.cu", "");
  folder_.Write("class/dahlbo_LATE_102_9002_transpose-1.cu", "");
  folder_.Write("class/dahlbo_102_9000_transpose.cu", "");
  folder_.Write("class/o_neil_103_9003_7_8_my kernel.cu", "");
  folder_.Write("class/o_neil_103_9004_tile.cuh", "");
  folder_.Write("class/LATE_anon_x8Ab3_9005_transpose.cu", "");
  folder_.Write("class/textonly_104_text.html", "");
  const Roster roster = Read();
  EXPECT_THAT(Lines(roster), ElementsAre("anon_x8Ab3|anon_x8Ab3||late|transpose.cu",
                                         "berganna_101|berganna|||transpose.cu",
                                         "dahlbo_102|dahlbo||late|transpose.cu",
                                         "o_neil_103|o_neil|||o_neil_103"));
  EXPECT_THAT(Lines(roster.superseded),
              ElementsAre("dahlbo (dahlbo_102_9000_transpose.cu): "
                          "dahlbo_LATE_102_9002_transpose-1.cu counts: it is the newest"));
  EXPECT_THAT(
      Lines(roster.refused),
      ElementsAre(
          "textonly_104_text.html: is a text or a link typed into Canvas, not a file: ask for a "
          ".cu file"));
}

TEST_F(Layouts, CanvasZipped) {
  ArchiveMaker maker(folder_.path() / "submissions.zip");
  const std::string student = ArchiveMaker(folder_.path() / "s.zip").File("x/t.cu", "a").Bytes();
  maker.File("berganna_101_9001_hw.zip", student).File("dahlbo_102_9002_t.cu", "b").Path();
  EXPECT_THAT(Lines(Read("submissions.zip")),
              ElementsAre("berganna_101|berganna|||t.cu", "dahlbo_102|dahlbo|||t.cu"));
}

TEST_F(Layouts, MoodleFolders) {
  folder_.Write("class/Anna Berg_101_assignsubmission_file_/transpose.cu", "");
  folder_.Write("class/Anna Berg_101_assignsubmission_onlinetext_/onlinetext.html", "");
  folder_.Write("class/Anna Berg_102_assignsubmission_file/transpose.cu",
                "");  // another student with the same name
  folder_.Write("class/Participant_77_assignsubmission_file_/t.cu", "");
  folder_.Write("class/Default group_assignsubmission_file/t.cu", "");
  folder_.Write("class/Bo_103_assignsubmission_onlinetext_/onlinetext.html", "");
  folder_.Write("class/grades.csv", "");
  const Roster roster = Read();
  EXPECT_THAT(Lines(roster), ElementsAre("Anna_Berg_101|Anna Berg|||transpose.cu",
                                         "Anna_Berg_102|Anna Berg|||transpose.cu",
                                         "Default_group|Default group|||t.cu",
                                         "Participant_77|Participant|||t.cu"));
  EXPECT_THAT(Lines(roster.refused),
              UnorderedElementsAre("grades.csv: its name does not have the form of Moodle: "
                                   "<name>_<id>_assignsubmission_file",
                                   "Bo_103_assignsubmission_onlinetext_: was typed into Moodle "
                                   "(onlinetext), not handed in as a file: ask for a .cu file"));
}

TEST_F(Layouts, MoodleFlatAndZipped) {
  ArchiveMaker maker(folder_.path() / "CUDA-Transpose-42.zip");
  maker.File("Anna Berg_101_assignsubmission_file_transpose_v2.cu", "a");
  maker.File("Anna Berg_101_assignsubmission_file_tile.h", "a").Path();
  const Roster roster = Read("CUDA-Transpose-42.zip");
  EXPECT_THAT(Lines(roster), ElementsAre("Anna_Berg_101|Anna Berg|||Anna_Berg_101"));
  EXPECT_TRUE(std::filesystem::exists(roster.entries[0].submission / "transpose_v2.cu"));
}

constexpr char kMetadata[] = R"(---
submission_11:
  :submitters:
  - :name: Anna Berg
    :sid: '100'
    :email: anna@example.org
  :created_at: 2026-11-20 23:30:00.123456000 -01:00
  :score: 0.0
submission_12:
  :submitters:
  - :name: Bo Dahl
    :sid: '200'
  - :name: "Cy \"<b>\" Eng"
    :email: cy@example.org
  :created_at: 2026-11-20 10:00:00.000000000 Z
submission_13:
  :submitters:
  - :name: Anna Berg
    :sid: '100'
  :created_at: 2026-11-20 08:00:00.000000000 Z
submission_14:
  :submitters: []
submission_15:
  :submitters:
  - :name: Dee
    :sid: '300'
)";

TEST_F(Layouts, Gradescope) {
  folder_.Write("class/assignment_9_export/submission_metadata.yml", kMetadata);
  for (const char* number : {"11", "12", "13", "14", "16"}) {
    folder_.Write(std::string("class/assignment_9_export/submission_") + number + "/t.cu", "");
  }
  const Roster roster = Read();
  EXPECT_THAT(Lines(roster),
              ElementsAre("Anna_Berg_100|Anna Berg|2026-11-21T00:30:00||t.cu",
                          "Bo_Dahl_200_Cy_b_Eng_cy_example.org-4a778afb|Bo Dahl, Cy \"<b>\" Eng|"
                          "2026-11-20T10:00:00||t.cu"));
  EXPECT_THAT(Lines(roster.superseded),
              ElementsAre("Anna Berg (submission_13, of 2026-11-20T08:00:00): submission_11, of "
                          "2026-11-21T00:30:00 counts: it is the newest"));
  EXPECT_THAT(
      Lines(roster.refused),
      UnorderedElementsAre("submission_14: submission_metadata.yml does not name its student",
                           "submission_16: submission_metadata.yml does not name its student",
                           "Dee: the export has no folder submission_15"));
}

TEST_F(Layouts, TheCourseSaysWhichSubmissionCounts) {
  std::string list;
  for (const auto& [number, when] :
       {std::pair(11, "2026-11-19"), {12, "2026-11-21"}, {13, "2026-11-23"}}) {
    folder_.Write(
        "gradescope/submission_" + std::to_string(number) + "/" + std::to_string(number) + ".cu",
        "");
    list += "submission_" + std::to_string(number) +
            ":\n  :submitters:\n  - :name: Anna\n    :sid: '100'\n  :created_at: " + when +
            " 10:00:00 Z\n";
  }
  folder_.Write("gradescope/submission_metadata.yml", list);
  folder_.Write("canvas/berganna_101_9001_t.cu", "");
  folder_.Write("canvas/berganna_101_9002_t-1.cu", "");
  folder_.Write("canvas/berganna_LATE_101_9003_t-2.cu", "");
  // The export does not say which versions of several files belong together, so the newest of each
  // is taken.
  folder_.Write("canvas/dahlbo_102_9001_t.cu", "");
  folder_.Write("canvas/dahlbo_102_9002_tile.cuh", "");
  folder_.Write("canvas/dahlbo_LATE_102_9003_t-1.cu", "");
  ClassRules rules;
  rules.due = 1'795'219'200;  // 2026-11-21T00:00:00Z
  const auto counting = [&](const std::string& source) {
    std::vector<std::string> lines;
    const Roster roster = Read(source, rules);
    EXPECT_THAT(roster.refused, testing::IsEmpty());
    for (const Entry& entry : roster.entries) lines.push_back(entry.id + " " + entry.what);
    return lines;
  };
  const std::string bo = "dahlbo_102 dahlbo_LATE_102_9003_t-1.cu, dahlbo_102_9002_tile.cuh";
  EXPECT_THAT(counting("gradescope"), ElementsAre("Anna_100 submission_13"));
  EXPECT_THAT(counting("canvas"), ElementsAre("berganna_101 berganna_LATE_101_9003_t-2.cu", bo));
  rules.counts = Counts::kFirst;
  EXPECT_THAT(counting("gradescope"), ElementsAre("Anna_100 submission_11"));
  EXPECT_THAT(counting("canvas"), ElementsAre("berganna_101 berganna_101_9001_t.cu", bo));
  rules.counts = Counts::kNewestOnTime;
  EXPECT_THAT(counting("gradescope"), ElementsAre("Anna_100 submission_11"));
  EXPECT_THAT(counting("canvas"), ElementsAre("berganna_101 berganna_101_9002_t-1.cu", bo));
  rules.roster = {{.id = "100", .name = {}, .section = {}, .extension = 86'400}};
  EXPECT_THAT(counting("gradescope"), ElementsAre("Anna_100 submission_12"));
  rules.roster.clear();
  rules.due = 0;
  EXPECT_THAT(counting("gradescope"), ElementsAre("Anna_100 submission_13")) << "none was on time";
  rules.counts = Counts::kBest;
  EXPECT_THAT(counting("gradescope"),
              ElementsAre("Anna_100~001 submission_11", "Anna_100~002 submission_12",
                          "Anna_100~003 submission_13"));
  EXPECT_THAT(Read("gradescope", rules).superseded, testing::IsEmpty());
  rules.counts = Counts::kNewest;
  EXPECT_THAT(Lines(Read("gradescope", rules).superseded),
              ElementsAre("Anna (submission_12, of 2026-11-21T10:00:00): submission_13, of "
                          "2026-11-23T10:00:00 counts: it is the newest",
                          "Anna (submission_11, of 2026-11-19T10:00:00): submission_13, of "
                          "2026-11-23T10:00:00 counts: it is the newest"));
}

// The export does not say which one is the newest. If the best counts, all of them are graded.
TEST_F(Layouts, WithoutAnOrderOnlyTheBestCanCount) {
  folder_.Write("class/dora/t.cu", "1");
  folder_.Write("class/dora.cu", "2");
  folder_.Write("class/eve.cu", "3");
  EXPECT_EQ(Read().refused.size(), 2U);
  ClassRules rules;
  rules.counts = Counts::kBest;
  const Roster roster = Read("class", rules);
  EXPECT_THAT(roster.refused, testing::IsEmpty());
  EXPECT_THAT(Lines(roster),
              ElementsAre("dora~001|dora|||dora.cu", "dora~002|dora|||t.cu", "eve|eve|||eve.cu"));
}

TEST_F(Layouts, GradescopeWithoutAReadableList) {
  folder_.Write("class/submission_11/t.cu", "");
  folder_.Write("class/submission_metadata.yml", "submission_11:\n  :submitters: [\n");
  const auto roster = ReadRoster(folder_.path() / "class", folder_.path() / "scratch");
  ASSERT_FALSE(roster);
  EXPECT_EQ(roster.error().where.file, "submission_metadata.yml");
  EXPECT_EQ(roster.error().where.line, 3);
}

TEST_F(Layouts, GitHubClassroom) {
  folder_.Write("class/transpose-anna-b/.git/config", "");
  folder_.Write("class/transpose-anna-b/transpose.cu", "");
  folder_.Write("class/transpose-bo/.git/config", "");
  folder_.Write("class/transpose-bo/transpose.cu", "");
  folder_.Write("class/transpose-bo/README.md", "");
  EXPECT_THAT(Lines(Read()), ElementsAre("transpose-anna-b|anna-b|||transpose.cu",
                                         "transpose-bo|bo|||transpose.cu"));
  // Gh-classroom makes such an archive, but with .git. The folder's name contains that of the
  // assignment.
  ArchiveMaker maker(folder_.path() / "x.zip");
  maker.File("lab-1-submissions/lab-1-anna/t.cu", "").File("lab-1-submissions/lab-1-bo/t.cu", "");
  maker.Path();
  EXPECT_THAT(Lines(Read("x.zip")), ElementsAre("lab-1-anna|anna|||t.cu", "lab-1-bo|bo|||t.cu"));
}

// Browsers and packers make archives with a folder of the same name. Without this rule, sixty
// repositories would be one student with sixty folders.
TEST_F(Layouts, AWrapperOfTheExportsNameIsLookedThrough) {
  for (const std::string archive :
       {"cuda-hw-submissions.zip", "cuda-hw-submissions (1).zip", "x.zip"}) {
    for (const std::string wrapper :
         {"cuda-hw-submissions/", "cuda-hw-submissions/cuda-hw-submissions/"}) {
      ArchiveMaker maker(folder_.path() / archive);
      maker.File(wrapper + "cuda-hw-anna/t.cu", "").File(wrapper + "cuda-hw-bo/t.cu", "").Path();
      EXPECT_THAT(Lines(Read(archive)),
                  ElementsAre("cuda-hw-anna|anna|||t.cu", "cuda-hw-bo|bo|||t.cu"))
          << archive << ", " << wrapper;
    }
  }
  // If there is only one student, the name of the repository is kept.
  ArchiveMaker(folder_.path() / "one-submissions.zip")
      .File("one-submissions/one-anna/t.cu", "")
      .Path();
  EXPECT_THAT(Lines(Read("one-submissions.zip")), ElementsAre("one-anna|anna|||t.cu"));
  for (const std::string student : {"101_assignsubmission_file_/t.cu", "101_9001_t.cu"}) {
    ArchiveMaker(folder_.path() / "hw.zip").File("hw/hw/anna_" + student, "").Path();
    EXPECT_THAT(Lines(Read("hw.zip")), ElementsAre("anna_101|anna|||t.cu")) << student;
  }
  ArchiveMaker(folder_.path() / "class.zip")
      .File("class/anna.cu", "")
      .File("class/bo.cu", "")
      .Path();
  EXPECT_THAT(Lines(Read("class.zip")), ElementsAre("anna|anna|||anna.cu", "bo|bo|||bo.cu"));
}

// Folders that have such names by chance are students.
TEST_F(Layouts, PlainFoldersAreNoRepositories) {
  folder_.Write("class/max-a/t.cu", "");
  folder_.Write("class/max-b/t.cu", "");
  EXPECT_THAT(Lines(Read()), ElementsAre("max-a|max-a|||t.cu", "max-b|max-b|||t.cu"));
}

}  // namespace
}  // namespace warpcheck::batch
