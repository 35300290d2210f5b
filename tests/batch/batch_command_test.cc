// Tests `warpcheck batch` as a person uses it: killed, stopped and resumed. In all tests except
// one, a stub grades.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <tuple>

#include "base/files.h"
#include "batch/command_rig.h"
#include "batch/course/csv.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

struct End {
  int status = -1;  // the exit status, or the negative number of a signal
  std::string output;
};

class BatchCommandTest : public BatchProgramTest {
 protected:
  End WaitFor(pid_t pid) {
    const int status = StatusOf(pid);
    return {.status = status, .output = Output("log")};
  }

  End Run(const std::string& out, const std::vector<std::string>& more = {},
          rlim_t file_bytes = 0) {
    return WaitFor(Start(out, more, file_bytes));
  }

  End Note(const std::string& out, const std::string& student,
           const std::vector<std::string>& more) {
    std::vector<std::string> words = {"note", student, "--out", (folder_.path() / out).string(),
                                      "--by", "ann"};
    words.insert(words.end(), more.begin(), more.end());
    return WaitFor(StartCommand(std::move(words)));
  }

  std::size_t Verdicts(const std::string& out) const {
    const std::string journal = Output(out + "/journal");
    std::size_t verdicts = 0;
    for (std::size_t at = 0;
         (at = journal.find("\"event\":\"graded\"", at)) != std::string::npos;) {
      at = journal.find('\n', at);
      if (at == std::string::npos) break;
      ++verdicts;
    }
    return verdicts;
  }

  // Returns how many verdicts the journal has for each student.
  std::map<std::string, int> VerdictsById(const std::string& out) const {
    std::map<std::string, int> verdicts;
    std::istringstream lines(Output(out + "/journal"));
    for (std::string line; std::getline(lines, line);) {
      if (line.find("\"event\":\"graded\"") == std::string::npos) continue;
      ++verdicts[nlohmann::json::parse(line.substr(17)).at("id").get<std::string>()];
    }
    return verdicts;
  }

  // Sends a signal as soon as the journal has at least this many verdicts.
  End SignalAt(pid_t pid, std::size_t verdicts, const std::string& out, int signal) {
    while (Verdicts(out) < verdicts) {
      siginfo_t info = {};
      ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
      if (info.si_pid == pid) break;
      ::usleep(500);
    }
    ::kill(pid, signal);
    return WaitFor(pid);
  }
};

TEST_F(BatchCommandTest, LosesNothingAndGradesNothingTwiceWhenKilled) {
  constexpr int kStudents = 120;
  HandInClass(kStudents, "slow ");
  HandIn("twin", "slow 7");
  HandIn("deadly", "die");
  HandIn("unlucky", "die once");
  const std::vector<std::string> settings = {"--jobs", "3", "--seed", "5"};
  EXPECT_EQ(Run("whole", settings).status, 3) << "one has a harness fault";
  fs::remove(folder_.path() / "died-unlucky");

  std::mt19937 random(20261121);
  std::vector<std::string> resume = settings;
  resume.emplace_back("--resume");
  std::size_t graded = 0;
  int killed = 0;
  for (int round = 0; round < 20; ++round) {
    // Notes are in the journal too, and some are written between two kills.
    if (round % 5 == 1) {
      EXPECT_EQ(Note("killed", "s1", {"--points", std::to_string(round)}).status, 0);
    }
    const pid_t pid = Start("killed", resume, 0);
    const std::size_t at = graded + random() % 6;
    ::usleep(static_cast<useconds_t>(random() % 2000));
    const End end = SignalAt(pid, at, "killed", SIGKILL);
    killed += end.status == -SIGKILL ? 1 : 0;
    const std::size_t now = Verdicts("killed");
    EXPECT_GE(now, graded) << "round " << round;
    graded = now;
  }
  EXPECT_GE(killed, 15);
  EXPECT_EQ(Run("killed", resume).status, 3);
  const auto verdicts = VerdictsById("killed");
  EXPECT_EQ(verdicts.size(), kStudents + 3U);
  for (const auto& [id, count] : verdicts) EXPECT_EQ(count, 1) << id;
  EXPECT_THAT(Output("killed/grades.csv"), HasSubstr("\ns1,s1,16,100,16,"));
  for (const int round : {1, 6, 11, 16}) {
    EXPECT_EQ(Note("whole", "s1", {"--points", std::to_string(round)}).status, 0);
  }
  EXPECT_EQ(Output("killed/grades.csv"), Output("whole/grades.csv"));
  EXPECT_EQ(Output("killed/excluded.txt"), Output("whole/excluded.txt"));
  for (const char* const file : {"feedback/s5.txt", "class/s5.html", "progress.html"}) {
    EXPECT_EQ(Output(std::string("killed/") + file), Output(std::string("whole/") + file)) << file;
  }
}

TEST_F(BatchCommandTest, StopsForAPersonAndGoesOn) {
  HandInClass(40, "slow ");
  HandIn("zz", "hang");
  for (const auto& [signal, status] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
    const std::string out = "out" + std::to_string(signal);
    const End end = SignalAt(Start(out, {"--jobs", "2"}, 0), 5, out, signal);
    EXPECT_EQ(end.status, status);
    EXPECT_THAT(end.output, HasSubstr("continue with the same command and --resume"));
    EXPECT_FALSE(fs::exists(folder_.path() / out / "scratch"));
    EXPECT_THAT(Output(out + "/grades.csv"), HasSubstr("\nzz,zz,,100,,not_graded,"));
  }
  HandIn("zz", "fine");
  EXPECT_EQ(Run("out2", {"--resume"}).status, 0);
  EXPECT_EQ(Verdicts("out2"), 41U);
  for (const auto& [id, count] : VerdictsById("out2")) EXPECT_EQ(count, 1) << id;
}

TEST_F(BatchCommandTest, StopsForAMachineFaultAndFailsNobody) {
  HandInClass(5, "");
  HandIn("zz", "fault");
  const End end = Run("out", {"--jobs", "1"});
  EXPECT_EQ(end.status, 3);
  EXPECT_THAT(end.output, HasSubstr("this machine cannot grade: the stub's disk is full"));
  EXPECT_THAT(end.output, HasSubstr("graded 5 of 6 submissions"));
  EXPECT_THAT(Output("out/grades.csv"), HasSubstr("\nzz,zz,,100,,not_graded,"));
  HandIn("zz", "the disk is empty");
  EXPECT_EQ(Run("out", {"--resume"}).status, 0);
}

TEST_F(BatchCommandTest, GradesAgainWhomAPersonNames) {
  HandInClass(3, "");
  HandIn("bob", "die");
  HandIn("twin", "die");  // one of the students with the same files
  EXPECT_EQ(Run("out", {"--regrade", "*"}).status, 2) << "of which batch?";
  EXPECT_EQ(Run("out").status, 3);
  EXPECT_THAT(Output("out/grades.csv"), HasSubstr("\nbob,bob,,100,,harness_fault,"));
  EXPECT_EQ(Run("out", {"--resume"}).status, 3) << "not by itself";
  EXPECT_EQ(VerdictsById("out")["bob"], 1);
  EXPECT_EQ(Output("notes"), "") << "nobody was graded anew";

  // This removes the cause of the worker's death.
  ::setenv("STUB_IMMORTAL", "1", 1);
  End end = Run("out", {"--resume", "--regrade", "b*"});
  ::unsetenv("STUB_IMMORTAL");
  EXPECT_THAT(end.output, HasSubstr("made again: 2 grades"));
  EXPECT_EQ(end.status, 0);
  EXPECT_THAT(Output("out/grades.csv"), Not(HasSubstr("harness_fault")));
  for (const auto& [id, count] : VerdictsById("out")) {
    EXPECT_EQ(count, id == "bob" || id == "twin" ? 2 : 1) << id;
  }
  EXPECT_EQ(Output("notes"), "anew bob\n");

  // These students are graded again, whatever their score was.
  end = Run("out", {"--resume", "--regrade", "s1"});
  EXPECT_THAT(end.output, HasSubstr("made again: 1 grade\n"));
  EXPECT_EQ(end.status, 0);
  EXPECT_EQ(VerdictsById("out")["s1"], 2);
  EXPECT_EQ(Output("notes"), "anew bob\nanew s1\n");
}

TEST_F(BatchCommandTest, GradesWhomTheMachineHeldUpLater) {
  HandInClass(3, "");
  HandIn("ann", "killed once");
  HandIn("bob", "held up once");
  EXPECT_EQ(Run("out").status, 0);
  HandIn("carl", "killed");
  const End end = Run("out", {"--resume"});
  EXPECT_EQ(end.status, 3);
  EXPECT_THAT(end.output,
              HasSubstr("carl is not graded: the grader was killed by signal 9 (killed)"));
  EXPECT_THAT(Output("out/grades.csv"), HasSubstr("\ncarl,carl,,100,,not_graded,"));
  HandIn("carl", "fine");
  EXPECT_EQ(Run("out", {"--resume"}).status, 0);
  EXPECT_EQ(VerdictsById("out").size(), 6U);
}

TEST_F(BatchCommandTest, LetsOneThatDiesAgainDieTwiceMore) {
  HandIn("bob", "die");
  EXPECT_EQ(Run("out").status, 3);
  EXPECT_EQ(Run("out", {"--resume", "--regrade", "*"}).status, 3);
  EXPECT_EQ(VerdictsById("out")["bob"], 2);
  EXPECT_THAT(Output("out/grades.csv"), HasSubstr("its grader ended 2 times without a grade"));
}

// A limit on the size of files has the effect of a full disk.
TEST_F(BatchCommandTest, StopsWhereItsJournalCannotBeWritten) {
  HandInClass(60, "");
  const End end = Run("out", {"--jobs", "1"}, 20'000);
  EXPECT_EQ(end.status, 3);
  EXPECT_THAT(end.output, HasSubstr("cannot write"));
  EXPECT_THAT(end.output, HasSubstr("--resume"));
  const std::size_t graded = Verdicts("out");
  EXPECT_GT(graded, 0U);
  EXPECT_LT(graded, 60U);
  EXPECT_EQ(Run("out", {"--resume"}).status, 0);
  for (const auto& [id, count] : VerdictsById("out")) EXPECT_EQ(count, 1) << id;
  EXPECT_EQ(Verdicts("out"), 60U);
}

TEST_F(BatchCommandTest, RefusesToMixBatches) {
  HandInClass(2, "");
  ASSERT_EQ(Run("out", {"--seed", "5"}).status, 0);
  End end = Run("out", {"--seed", "5"});
  EXPECT_EQ(end.status, 2);
  EXPECT_THAT(end.output, HasSubstr("there is already a batch in"));
  end = Run("out", {"--resume", "--seed", "6"});
  EXPECT_EQ(end.status, 2);
  EXPECT_THAT(end.output, HasSubstr("it was begun with seed 5, not 6"));
  end = Run("out", {"--resume", "--no-sandbox"});
  EXPECT_EQ(end.status, 2);
  EXPECT_THAT(end.output, HasSubstr("it was begun with sandboxed on, not off"));
  EXPECT_EQ(Run("out", {"--resume"}).status, 0) << "the seed is the journal's";
}

// The stub counts nothing, so nobody has a place.
TEST_F(BatchCommandTest, WritesALeaderboard) {
  HandInClass(3, "");
  const std::string page = (folder_.path() / "out/leaderboard.html").string();
  ASSERT_EQ(Run("out", {"--seed", "5", "--leaderboard", page}).status, 0);
  EXPECT_THAT(Output("out/leaderboard.html"), HasSubstr("3 more submissions have no place"));
  EXPECT_EQ(Output("out/leaderboard.csv"), "place,name,speed,global_sectors,warp_instructions\n");
  EXPECT_THAT(Output("out/pseudonyms.csv"), HasSubstr("\ns0,s0,"));

  // It may come later, for grades that are there, and elsewhere.
  const std::string elsewhere = (folder_.path() / "board.html").string();
  ASSERT_EQ(Run("out", {"--resume", "--leaderboard", elsewhere}).status, 0);
  EXPECT_EQ(Output("board.html"), Output("out/leaderboard.html"));

  for (const auto& [name, why] :
       {std::pair{"board.csv", "does not end in .html"}, std::pair{"no/board.html", "no folder"},
        std::pair{"out/index.html", "is another file of the batch"}}) {
    const End end = Run("out", {"--resume", "--leaderboard", (folder_.path() / name).string()});
    EXPECT_EQ(end.status, 2) << name;
    EXPECT_THAT(end.output, HasSubstr(why));
  }
}

TEST_F(BatchCommandTest, TakesNoFolderThatIsNotItsOwn) {
  HandInClass(2, "");
  folder_.Write("mine/scratch/thesis.tex", "text");
  End end = Run("mine");
  EXPECT_EQ(end.status, 2);
  EXPECT_THAT(end.output, HasSubstr("is not empty, and is not the folder of a batch"));
  EXPECT_EQ(Output("mine/scratch/thesis.tex"), "text");
  end = Run("class/grades");
  EXPECT_EQ(end.status, 2);
  EXPECT_THAT(end.output, HasSubstr("is inside the folder of the submissions"));
  EXPECT_FALSE(fs::exists(folder_.path() / "class/grades"));
}

TEST_F(BatchCommandTest, KeepsAnotherBatchOut) {
  HandIn("a", "hang");
  HandIn("b", "fine");
  const pid_t first = Start("out", {"--jobs", "2"}, 0);
  while (Verdicts("out") == 0) ::usleep(500);
  const std::string log = Output("log");
  const End second = Run("out", {"--resume"});
  EXPECT_EQ(second.status, 2);
  EXPECT_THAT(second.output, HasSubstr("another batch is running in"));
  ::kill(first, SIGKILL);
  WaitFor(first);
  HandIn("a", "fine too");
  EXPECT_EQ(Run("out", {"--resume"}).status, 0) << "a lock does not outlive its batch";
}

TEST_F(BatchCommandTest, NamesTheDamagedLineOfAJournal) {
  HandInClass(3, "");
  ASSERT_EQ(Run("out").status, 0);
  std::string journal = Output("out/journal");
  journal[journal.find('\n') + 30] ^= 1;
  ASSERT_TRUE(WriteFile(folder_.path() / "out/journal", journal));
  const End end = Run("out", {"--resume"});
  EXPECT_EQ(end.status, 3);
  EXPECT_THAT(end.output, HasSubstr("journal:2: error: this line of the journal is damaged"));
}

TEST_F(BatchCommandTest, LeavesNoProcessBehind) {
  HandIn("a", "hang");
  HandIn("b", "fine");
  const pid_t pid = Start("out", {"--jobs", "2"}, 0);
  SignalAt(pid, 1, "out", SIGKILL);
  // One worker hangs. The kernel kills it when its parent ends.
  const std::string mark = (folder_.path() / "out/scratch/worker-").string();
  for (int tries = 0; tries < 2000; ++tries) {
    bool found = false;
    for (const auto& process : fs::directory_iterator("/proc")) {
      std::string environment = ReadFile(process.path() / "environ").value_or("");
      found = found || environment.find(mark) != std::string::npos;
    }
    if (!found) return;
    ::usleep(5000);
  }
  ADD_FAILURE() << "a worker outlived its batch";
}

// No student is graded again because of this: the journal has one verdict for each.
TEST_F(BatchCommandTest, MarksFollowTheRulesAndNotesOfACourse) {
  HandIn("ann", "right 1");
  HandIn("bob", "wrong 22");
  HandIn("Bob", "right 333");
  folder_.Write("roster.csv", "id,name,section\nann,Ann Berg,A\nbob,,B\nBob,,B\ncy,Cy Dahl,B\n");
  folder_.Write("gradebook.csv",
                "Student,ID,Transpose (7),Other\n    Points Possible,,100,5\n"
                "\"Berg, Ann\",ann,,1\n\"Dahl, Cy\",cy,,2\nEve,eve,3,4\n");
  const std::string rules =
      "roster = \"roster.csv\"\n[export]\nfile = \"gradebook.csv\"\nstudent = \"ID\"\n"
      "score = \"Transpose (7)\"\n";
  const std::string file = folder_.Write("class.toml", rules).string();
  const std::vector<std::string> options = {"--seed", "5", "--class", file};
  EXPECT_EQ(Run("out", options).status, 0) << Output("log");
  const std::string first = Output("out/grades.csv");
  EXPECT_THAT(first, HasSubstr("\ncy,Cy Dahl,0,100,0,missing,"));
  EXPECT_THAT(first, HasSubstr("\nBob,"));  // the roster distinguishes these two names
  EXPECT_THAT(first, HasSubstr("\nbob,"));
  EXPECT_THAT(first, HasSubstr(",A,,\n"));
  const auto verdicts = VerdictsById("out");

  // Changing the weights takes only seconds, and names the scores that change.
  folder_.Write("class.toml", rules + "[weights]\nbank_conflicts = 120\n");
  std::vector<std::string> resume = options;
  resume.emplace_back("--resume");
  const End reweighted = Run("out", resume);
  EXPECT_EQ(reweighted.status, 0);
  EXPECT_THAT(reweighted.output, HasSubstr(" changed:\n"));
  EXPECT_THAT(Output("out/grades.csv"), HasSubstr(",200,"));
  EXPECT_EQ(VerdictsById("out"), verdicts);

  // A note is stored and shown, and it stays.
  const End set = Note("out", "ann", {"--points", "42.5", "--comment", "=we spoke"});
  EXPECT_EQ(set.status, 0) << set.output;
  EXPECT_THAT(set.output, HasSubstr("ann: 42.5, was "));
  const End told = Note("out", "bob", {"--comment", "see <b>me</b>"});
  EXPECT_EQ(told.status, 0) << told.output;
  const std::string noted = Output("out/grades.csv");
  EXPECT_THAT(noted, HasSubstr("\nann,ann,42.5,200,21.25,"));
  EXPECT_THAT(noted, HasSubstr("set to 42.5 by ann, "));
  EXPECT_THAT(Output("out/students/bob.html"), HasSubstr("see &lt;b&gt;me&lt;/b&gt;"));
  EXPECT_THAT(Output("out/feedback/ann.txt"), HasSubstr("Mark 42.5 / 200"));
  EXPECT_THAT(Output("out/junit.xml"), HasSubstr("name=\"score\" value=\"42.5\""));
  EXPECT_EQ(Output("out/export.csv"),
            "Student,ID,Transpose (7),Other\n    Points Possible,,100,5\n"
            "\"Berg, Ann\",ann,42.5,1\n\"Dahl, Cy\",cy,0,2\nEve,eve,3,4\n");
  EXPECT_EQ(Run("out", resume).status, 0);
  EXPECT_EQ(Output("out/grades.csv"), noted);
  EXPECT_EQ(VerdictsById("out"), verdicts);

  for (const auto& [student, more, says] :
       std::vector<std::tuple<std::string, std::vector<std::string>, std::string>>{
           {"nobody", {"--points", "3"}, "no student in the batch has the id"},
           {"ann", {}, "--points or --comment"},
           {"ann", {"--points", "-3"}, "is not a decimal number"},
           {"ann", {"--points", "many"}, "--points"}}) {
    const End refused = Note("out", student, more);
    EXPECT_EQ(refused.status, 2) << says;
    EXPECT_THAT(refused.output, HasSubstr(says));
  }
  EXPECT_EQ(Note("class", "ann", {"--points", "3"}).status, 2);
  folder_.Write("class.toml", "due = 3\n");
  EXPECT_EQ(Run("out", resume).status, 2);
  folder_.Write("class.toml", rules + "comment = \"none\"\n");
  EXPECT_THAT(Run("out", resume).output, HasSubstr("there is no column \"none\""));
}

// No submission is graded twice, whatever the order of the rules.
TEST_F(BatchCommandTest, GradesWhatMayCountByTheCoursesRule) {
  std::string list;
  const auto hand_in = [&](int number, const char* who, const char* day) {
    folder_.Write(fmt::format("class/submission_{}/t.cu", number), fmt::format("text {}", number));
    list += fmt::format(
        "submission_{}:\n  :submitters:\n  - :name: {}\n    :sid: '{}'\n  :created_at: 2026-11-{} "
        "10:00:00 Z\n",
        number, who, who, day);
  };
  hand_in(11, "anna", "18");
  hand_in(12, "anna", "19");
  hand_in(13, "anna", "22");
  hand_in(14, "bo", "19");
  folder_.Write("class/submission_metadata.yml", list);
  folder_.Write("gradebook.csv", "ID,Score,Remarks\nanna,,\nbo,,\n");
  const std::string file = (folder_.path() / "class.toml").string();
  const auto run = [&](const std::string& counts, std::vector<std::string> more = {"--resume"}) {
    folder_.Write("class.toml",
                  "counts = \"" + counts +
                      "\"\ndue = 2026-11-20T00:00:00Z\n[late]\npercent = 10\n[export]\n"
                      "file = \"gradebook.csv\"\nstudent = \"ID\"\nscore = \"Score\"\n"
                      "comment = \"Remarks\"\n");
    more.insert(more.end(), {"--seed", "5", "--class", file});
    const End end = Run("out", more);
    EXPECT_EQ(end.status, 0) << end.output;
  };
  const auto started = [&] {
    const std::string journal = Output("out/journal");
    int count = 0;
    for (std::size_t at = 0; (at = journal.find("\"event\":\"started\"", at)) != std::string::npos;
         ++at)
      ++count;
    return count;
  };
  const auto score = [&] {
    const auto table = ParseCsv(Output("out/grades.csv"), "grades.csv");
    EXPECT_EQ(table->rows.size(), 2U) << "a line a student";
    return std::stod(table->rows.at(0).at(2));
  };
  run("newest", {});
  const std::string newest = Output("out/grades.csv");
  const double late = score();
  EXPECT_EQ(started(), 2);
  run("first");
  const double first = score();
  EXPECT_EQ(started(), 3);
  run("newest_on_time");
  const double on_time = score();
  EXPECT_EQ(started(), 4);
  EXPECT_NE(first, late);
  run("best");
  EXPECT_EQ(started(), 4) << "all of them are known";
  const double best = std::max({first, on_time, late});
  EXPECT_NE(best, late);
  EXPECT_EQ(score(), best);
  const std::string which = best == on_time ? "12" : "11";
  const std::string remark = "the best of 3 submissions counts: submission_" + which;
  EXPECT_THAT(Output("out/grades.csv"), HasSubstr(remark));
  EXPECT_THAT(Output("out/export.csv"), HasSubstr(fmt::format("\nanna,{},", best)));
  EXPECT_THAT(Output("out/students/anna_anna.html"), HasSubstr("text " + which));
  EXPECT_THAT(Output("out/feedback/anna_anna.txt"), HasSubstr(remark));
  EXPECT_THAT(Output("out/junit.xml"), Not(HasSubstr("~")));
  EXPECT_THAT(Output("out/excluded.txt"),
              HasSubstr(fmt::format(
                  "anna (submission_13, of 2026-11-22T10:00:00): {} of 100 points", late)));
  EXPECT_THAT(Output("out/index.html"), HasSubstr("Submissions that do not count"));
  run("newest");
  EXPECT_EQ(started(), 4);
  EXPECT_EQ(Output("out/grades.csv"), newest);

  // If a batch begins with this rule, it grades all submissions, and gives the same marks. The note
  // belongs to the student.
  folder_.Write("class.toml",
                "counts = \"best\"\ndue = 2026-11-20T00:00:00Z\n[late]\npercent = 10\n");
  EXPECT_EQ(Run("fresh", {"--seed", "5", "--class", file, "--only", "anna_anna"}).status, 0);
  EXPECT_EQ(Run("fresh", {"--resume", "--regrade", "anna_anna"}).status, 0);
  EXPECT_EQ(VerdictsById("fresh")["anna_anna~002"], 2);
  EXPECT_EQ(VerdictsById("fresh")["bo_bo"], 1);
  EXPECT_THAT(Output("fresh/grades.csv"), HasSubstr(fmt::format("\nanna_anna,anna,{},", best)));
  EXPECT_EQ(Note("fresh", "anna_anna", {"--points", "1"}).status, 0);
  EXPECT_THAT(Output("fresh/grades.csv"), HasSubstr("\nanna_anna,anna,1,"));
  EXPECT_EQ(Note("fresh", "anna_anna~001", {"--points", "1"}).status, 2);
}

// Checks the files while the batch runs and after its end. At the end, an interrupted batch leaves
// the same files as any other.
TEST_F(BatchCommandTest, SaysHowFarItIs) {
  HandInClass(40, "slow ");
  HandIn("zz", "hang");
  const pid_t pid = Start("out", {"--jobs", "2", "--seed", "5"}, 0);
  const auto progress = [&](const std::string& out) {
    return nlohmann::json::parse(Output(out + "/progress.json"), nullptr, false);
  };
  while (Verdicts("out") < 40) ::usleep(500);
  while (progress("out").value("graded", 0) < 40) ::usleep(5'000);
  const auto running = progress("out");
  EXPECT_EQ(running.at("state"), "running");
  EXPECT_EQ(running.at("to_grade"), 1);
  EXPECT_EQ(running.at("running"), 1);
  EXPECT_GT(running.at("per_minute"), 0);
  EXPECT_TRUE(running.contains("most_seconds_left"));
  EXPECT_THAT(Output("out/progress.html"), HasSubstr("http-equiv=\"refresh\""));
  EXPECT_THAT(Output("out/progress.html"), HasSubstr(">Graded: 40 of 41<"));
  ::kill(pid, SIGTERM);
  EXPECT_EQ(WaitFor(pid).status, 143);
  EXPECT_EQ(progress("out").at("state"), "stopped");
  EXPECT_THAT(Output("out/progress.html"), HasSubstr("--resume"));
  EXPECT_THAT(Output("out/progress.html"), Not(HasSubstr("refresh")));
  HandIn("zz", "fine");
  EXPECT_EQ(Run("out", {"--resume"}).status, 0);
  EXPECT_EQ(Output("out/progress.json"),
            "{\"state\":\"done\",\"title\":\"Matrix transpose\",\"total\":41,\"graded\":41,"
            "\"not_final\":0,\"held_up\":0}\n");
  EXPECT_THAT(Output("out/progress.html"), HasSubstr("Done: <a href=\"index.html\">"));
  EXPECT_EQ(Run("whole", {"--seed", "5"}).status, 0);
  for (const char* file : {"progress.json", "progress.html"}) {
    EXPECT_EQ(Output(std::string("out/") + file), Output(std::string("whole/") + file));
  }
}

TEST_F(BatchCommandTest, GradesRealSubmissions) {
  ::unsetenv("WARPCHECK_GRADE_WORKER");
  const auto take = [this](const char* id, const char* path) {
    const auto text =
        ReadFile(std::string(WARPCHECK_SOURCE_DIR "/tests/submissions/transpose/") + path);
    ASSERT_TRUE(text);
    HandIn(id, *text);
  };
  take("anna_platform_1234", "passed/padded_tile.cu");
  take("bob", "failed/naive.cu");
  take("carl", "error/does_not_compile.cu");
  take("copy of anna", "passed/padded_tile.cu");
  const End end = Run("out", {"--seed", "5"});
  EXPECT_EQ(end.status, 0) << end.output;
  const std::string grades = Output("out/grades.csv");
  EXPECT_THAT(grades, HasSubstr("\nanna_platform_1234,anna_platform_1234,100,100,100,passed,"));
  EXPECT_THAT(grades, HasSubstr("\nbob,bob,60,100,60,failed,40,20,0,0,"));
  EXPECT_THAT(grades, HasSubstr("\ncarl,carl,0,100,0,error,"));
  EXPECT_THAT(grades, HasSubstr("transpose.cu:7: "));
  EXPECT_THAT(Output("out/feedback/bob.txt"), HasSubstr("transpose.cu:"));
  EXPECT_THAT(Output("out/feedback/bob.txt"), Not(HasSubstr("bob.cu")));
  EXPECT_THAT(Output("out/junit/bob.xml"), HasSubstr("<failure"));
  EXPECT_THAT(Output("out/junit.xml"), HasSubstr("<testsuite name=\"carl\""));
}

}  // namespace
}  // namespace warpcheck::batch
