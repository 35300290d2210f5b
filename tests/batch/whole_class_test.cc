// Tests a class of sixty in the export of each platform, with names in eight scripts. Some students
// handed in twice, late, nothing, or something that cannot be read. All files that a batch writes
// must agree about all students. A stub grades.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "base/files.h"
#include "batch/command_rig.h"
#include "batch/course/csv.h"
#include "batch/course/student_names.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr int kStudents = 60;
constexpr int kMissing = 3;   // the last students, who hand in nothing
constexpr int kTwice = 7;     // this student handed in twice
constexpr int kLate = 11;     // this student handed in after the deadline
constexpr int kRefused = 13;  // this student handed in something that cannot be read

struct Student {
  int number = 0;  // such as 101, 102, ...
  std::string name;
};

Student StudentOf(int i) {
  // The scripts are Latin, Greek, Cyrillic, Arabic, Hebrew, Devanagari, Han and Hangul.
  static const char* const kNames[] = {
      "Zo\u00eb Nu\u00f1ez",
      "\u03a3\u03bf\u03c6\u03af\u03b1 \u039d\u03af\u03ba\u03bf\u03c5",
      "\u0418\u0432\u0430\u043d \u041f\u0435\u0442\u0440\u043e\u0432",
      "\u0641\u0627\u0637\u0645\u0629 \u0639\u0644\u064a",
      "\u05e0\u05d5\u05e2\u05d4 \u05dc\u05d5\u05d9",
      "\u092a\u094d\u0930\u093f\u092f\u093e \u0930\u093e\u0935",
      "\u738b\u4f1f",
      "\uae40\ubbfc\uc900"};
  return {.number = 101 + i, .name = fmt::format("{} {}", kNames[i % 8], i)};
}

std::string TextOf(int i) {
  return fmt::format("text {}", std::string(static_cast<std::size_t>(i), '+'));
}

struct Class {
  TemporaryFolder& folder;
  std::string under;  // the name of the folder, such as "class/"

  void File(const std::string& name, const std::string& text) const {
    folder.Write(under + name, text);
  }
};

struct Platform {
  const char* name;
  // Writes the files of student `i`. If `twice` is true, also writes an earlier submission. If
  // `refused` is true, writes something that cannot be read instead.
  std::function<void(const Class&, const Student&, int i, bool twice, bool late, bool refused)>
      hand_in;
  std::function<std::string(const Student&)> known_as;  // the student's name in the course's roster
  bool tells_times = false;
  const char* under = "";  // the folder that contains the export
};

std::string Squeezed(std::string name) {  // returns a name as Canvas writes it in file names
  std::erase(name, ' ');
  return name;
}

void OnCanvas(const Class& to, const Student& who, int i, bool twice, bool late, bool refused) {
  const auto file = [&](int attachment, const char* name) {
    return fmt::format("{}{}_{}_{}_{}", Squeezed(who.name), late ? "_LATE" : "", who.number,
                       attachment, name);
  };
  if (twice) to.File(file(9000 + i, "transpose.cu"), "old");
  if (refused) return to.File(file(9100 + i, "transpose.zip"), "no archive");
  to.File(file(9100 + i, twice ? "transpose-1.cu" : "transpose.cu"), TextOf(i));
}

void OnMoodle(const Class& to, const Student& who, int i, bool, bool, bool refused) {
  const std::string folder = fmt::format("{}_{}_assignsubmission_", who.name, who.number);
  if (refused) return to.File(folder + "onlinetext/onlinetext.html", "<p>__global__</p>");
  to.File(folder + "file/transpose.cu", TextOf(i));
}

void OnClassroom(const Class& to, const Student& who, int i, bool, bool, bool refused) {
  const std::string folder = fmt::format("hw-student-{}/", who.number);
  to.File(folder + ".git/config", "");
  to.File(folder + (refused ? "README.md" : "transpose.cu"), TextOf(i));
}

void InFolders(const Class& to, const Student& who, int i, bool, bool, bool refused) {
  to.File(fmt::format("{}/{}", who.name, refused ? "transpose.txt" : "transpose.cu"), TextOf(i));
}

void OnGradescope(const Class& to, const Student& who, int i, bool twice, bool late, bool refused) {
  const fs::path list = to.folder.path() / (to.under + "submission_metadata.yml");
  std::string yaml = ReadFile(list).value_or("---\n");
  const auto submit = [&](int number, const char* day, const std::string& text) {
    to.File(fmt::format("submission_{}/{}", number, refused ? "t.txt" : "transpose.cu"), text);
    yaml += fmt::format(
        "submission_{}:\n  :submitters:\n  - :name: \"{}\"\n    :sid: '{}'\n"
        "  :created_at: 2026-11-{} 10:00:00.000000000 Z\n",
        number, who.name, who.number, day);
  };
  if (twice) submit(1000 + i, "19", "old");
  submit(2000 + i, late ? "22" : "20", TextOf(i));
  to.File("submission_metadata.yml", yaml);
}

class WholeClass : public BatchProgramTest, public testing::WithParamInterface<Platform> {
 protected:
  // Returns the rows of a table by their first cell.
  std::map<std::string, std::vector<std::string>> Rows(const std::string& file,
                                                       std::vector<std::string>* header = nullptr) {
    const auto table = ParseCsv(Output(file), file);
    EXPECT_TRUE(table) << file;
    std::map<std::string, std::vector<std::string>> rows;
    for (const auto& row : table->rows) {
      EXPECT_TRUE(rows.emplace(row.front(), row).second) << "two rows of " << row.front();
    }
    if (header != nullptr) *header = table->header;
    return rows;
  }
};

TEST_P(WholeClass, IsToldOfTheSameWayEverywhere) {
  const Platform& platform = GetParam();
  const Class to{.folder = folder_, .under = fmt::format("class/{}", platform.under)};
  std::string roster = "id,name,section\n", gradebook = "Who,Score,Remarks\n";
  for (int i = 0; i < kStudents; ++i) {
    const Student who = StudentOf(i);
    roster += fmt::format("{},\"{}\",{}\n", platform.known_as(who), who.name, i % 2);
    gradebook += fmt::format("{},,\n", platform.known_as(who));
    if (i < kStudents - kMissing) {
      platform.hand_in(to, who, i, i == kTwice, i == kLate, i == kRefused);
    }
  }
  folder_.Write("roster.csv", roster);
  folder_.Write("gradebook.csv", gradebook + "stranger,3,\n");
  const std::string rules =
      "due = 2026-11-21T00:00:00Z\nroster = \"roster.csv\"\n[late]\npercent = 10\n[export]\n"
      "file = \"gradebook.csv\"\nstudent = \"Who\"\nscore = \"Score\"\ncomment = \"Remarks\"\n";
  const std::string file = folder_.Write("class.toml", rules).string();
  // One submission is refused; a person must look at it.
  ASSERT_EQ(StatusOf(Start("out", {"--seed", "5", "--class", file})), 3) << Output("log");

  std::vector<std::string> header;
  const auto rows = Rows("out/grades.csv", &header);
  ASSERT_EQ(rows.size(), std::size_t{kStudents}) << Output("out/excluded.txt");
  const auto filled = Rows("out/export.csv");
  EXPECT_EQ(filled.at("stranger")[1], "3");
  std::map<std::string, int> verdicts;
  for (const auto& [id, row] : rows) ++verdicts[row[5]];
  EXPECT_EQ(verdicts["missing"], kMissing);
  EXPECT_EQ(verdicts["refused"], 1);
  EXPECT_EQ(verdicts["passed"] + verdicts["failed"], kStudents - kMissing - 1);

  const std::string page = Output("out/index.html");
  std::multiset<std::string> scores, exported;
  for (const auto& [id, row] : rows) {
    scores.insert(row[2]);
    const bool graded = row[5] == "passed" || row[5] == "failed";
    EXPECT_EQ(fs::exists(folder_.path() / ("out/students/" + id + ".html")), graded) << id;
    EXPECT_EQ(page.find("class/" + id + ".html") != std::string::npos, graded) << id;
    if (!graded) continue;
    EXPECT_THAT(Output("out/students/" + id + ".html"), HasSubstr(row[1])) << id;
  }
  for (const auto& [who, row] : filled) {
    if (who != "stranger") exported.insert(row[1]);
  }
  EXPECT_EQ(exported, scores);
  for (int i = kStudents - kMissing; i < kStudents; ++i) {
    EXPECT_EQ(filled.at(platform.known_as(StudentOf(i)))[1], "0");
  }
  const std::vector<std::string>& late = filled.at(platform.known_as(StudentOf(kLate)));
  EXPECT_EQ(late[2],
            platform.tells_times ? "2 days late: a penalty of 20 points"
            : platform.name == std::string("Canvas")
                ? "late according to the platform, which does not say by how much: no penalty"
                : "");
  EXPECT_EQ(filled.at(platform.known_as(StudentOf(kRefused)))[1], "");

  // Other weights grade no student again, and name the students whose score changes.
  const std::string journal = Output("out/journal");
  folder_.Write("class.toml", rules + "[weights]\ncoalesced = 70\n");
  EXPECT_EQ(StatusOf(Start("out", {"--seed", "5", "--class", file, "--resume"})), 3);
  EXPECT_THAT(Output("log"), HasSubstr(" changed:\n"));
  EXPECT_EQ(Output("out/journal").find("\"started\"", journal.size()), std::string::npos);
  EXPECT_NE(Rows("out/grades.csv"), rows);
}

INSTANTIATE_TEST_SUITE_P(
    Platforms, WholeClass,
    testing::Values(
        Platform{"Canvas", OnCanvas, [](const Student& who) { return std::to_string(who.number); }},
        Platform{"Moodle", OnMoodle,
                 [](const Student& who) { return fmt::format("Participant {}", who.number); }},
        Platform{"Gradescope", OnGradescope,
                 [](const Student& who) { return std::to_string(who.number); }, true},
        Platform{"Classroom", OnClassroom,
                 [](const Student& who) { return fmt::format("student-{}", who.number); }, false,
                 "hw-submissions/"},
        Platform{"Folders", InFolders, [](const Student& who) { return who.name; }}),
    [](const auto& platform) { return platform.param.name; });

}  // namespace
}  // namespace warpcheck::batch
