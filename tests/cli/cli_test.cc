// Tests the built program in the way that a person uses it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "base/files.h"
#include "base/json/text.h"
#include "base/programs.h"
#include "grading/temporary_folder.h"
#include "process/run_program.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

std::string Source(const std::string& path) { return WARPCHECK_SOURCE_DIR "/" + path; }

std::string Submission(const std::string& path) {
  return Source("tests/submissions/transpose/" + path);
}

class Cli : public testing::Test {
 protected:
  // All tests share one cache, since most of them grade the same file.
  static void SetUpTestSuite() { cache_ = new TemporaryFolder(); }
  static void TearDownTestSuite() {
    delete cache_;
    cache_ = nullptr;
  }
  void SetUp() override {
    fs::create_directory(At("tmp"));
    ::setenv("TMPDIR", At("tmp").c_str(), 1);
    ::setenv("WARPCHECK_CACHE", cache_->path().c_str(), 1);
    ::unsetenv("WARPCHECK_HOME");
  }
  void TearDown() override {
    EXPECT_TRUE(fs::is_empty(At("tmp"))) << "a temporary folder was left behind";
    ::unsetenv("TMPDIR");
  }

  fs::path At(const std::string& name) const { return folder_.path() / name; }

  // Runs the program to its end. Its output is then in `output_`.
  int Run(const std::vector<std::string>& arguments) {
    const auto end = RunProgram({.program = WARPCHECK_PROGRAM,
                                 .arguments = arguments,
                                 .limit = std::chrono::minutes(3),
                                 .max_output = std::size_t{1} << 20});
    if (!end) {
      ADD_FAILURE() << end.error().Text();
      return -1;
    }
    output_ = end->output;
    EXPECT_FALSE(end->timed_out || end->child.signaled) << end->Text(std::chrono::minutes(3));
    return end->child.code;
  }
  int Check(const std::string& submission, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"check", "transpose", submission};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments);
  }

  // Makes the course a folder that has only the transpose, which a test may change.
  void MakeCourse() const {
    for (const char* const path :
         {"assignments/transpose", "reference/transpose.cu", "student_template/transpose.cu"}) {
      fs::create_directories(At("course") / fs::path(path).parent_path());
      fs::copy(Source(path), At("course") / path, fs::copy_options::recursive);
    }
    ::setenv("WARPCHECK_HOME", At("course").c_str(), 1);
  }

  static TemporaryFolder* cache_;
  TemporaryFolder folder_;
  std::string output_;
};

TemporaryFolder* Cli::cache_ = nullptr;

TEST_F(Cli, FullMarksEndWithZero) {
  EXPECT_EQ(Check(Source("reference/transpose.cu"), {"--seed", "1"}), 0) << output_;
  EXPECT_THAT(output_, StartsWith("Matrix transpose: "));
  EXPECT_THAT(output_, HasSubstr("Score 100 / 100"));
  EXPECT_THAT(output_, HasSubstr("seed 1\n"));
  EXPECT_THAT(output_, Not(HasSubstr("\033"))) << "no colours and no progress line in a pipe";
}

// The kernel of 80 KB of shared memory is legal on an H200, and not on a T4.
TEST_F(Cli, EmulatesTheGpuThatIsAskedFor) {
  const std::string reference = Source("reference/transpose.cu");
  EXPECT_EQ(Check(reference, {"--target", "75", "--device", "emulator"}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("warpcheck emulator (sm_75)"));
  const fs::path large = At("large.cu");
  ASSERT_TRUE(WriteFile(large, R"(
#include "transpose.h"
__global__ void Move(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * cols) return;
  tile[threadIdx.x] = in[i];
  out[i % cols * rows + i / cols] = tile[threadIdx.x];
}
void transpose(const float* in, float* out, int rows, int cols) {
  constexpr int kBytes = 80 << 10;
  cudaFuncSetAttribute(Move, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  Move<<<(rows * cols + 255) / 256, 256, kBytes>>>(in, out, rows, cols);
}
)"));
  EXPECT_EQ(Check(large, {"--device", "emulator"}), 1);
  EXPECT_THAT(output_, HasSubstr("ok       40 / 40   Right for every shape"));
  EXPECT_EQ(Check(large, {"--device", "emulator", "--target", "75"}), 1);
  EXPECT_THAT(output_, HasSubstr("lost      0 / 40   Right for every shape"));
  EXPECT_THAT(output_, HasSubstr("asks for 81920 bytes of dynamic shared"));
  EXPECT_EQ(Check(reference, {"--target", "61"}), 2);
  EXPECT_THAT(output_, HasSubstr("the emulator has no GPU of compute capability 6.1"));
}

TEST_F(Cli, LostPointsEndWithOneUnlessFewerAreAskedFor) {
  const std::string naive = Submission("failed/naive.cu");
  EXPECT_EQ(Check(naive), 1) << output_;
  EXPECT_THAT(output_, HasSubstr("Score 60 / 100"));
  EXPECT_THAT(output_, HasSubstr("Fix first: Coalesced loads and stores, at naive.cu:9\n"));
  EXPECT_EQ(Check(naive, {"--fail-under", "60"}), 0);
  EXPECT_EQ(Check(naive, {"--fail-under", "60.5"}), 1);
  EXPECT_EQ(Check(Submission("error/does_not_compile.cu"), {"--fail-under", "0"}), 0);
}

TEST_F(Cli, WritesReports) {
  EXPECT_EQ(Check(Submission("failed/naive.cu"),
                  {"--junit", At("r.xml"), "--json", At("r.json"), "--seed", "77"}),
            1);
  const auto json = nlohmann::json::parse(ReadFile(At("r.json")).value());
  EXPECT_EQ(json["score"], 60);
  EXPECT_EQ(json["seed"], 77);
  EXPECT_THAT(ReadFile(At("r.xml")).value(), HasSubstr("<testsuites "));
}

TEST_F(Cli, WritesAPageWithTheAccessThatCostsMost) {
  EXPECT_EQ(Check(Submission("failed/naive.cu"), {"--html", At("r.html"), "--json", At("r.json")}),
            1);
  const std::string page = ReadFile(At("r.html")).value();
  EXPECT_THAT(page, HasSubstr("<h2>Fix this first: Coalesced loads and stores</h2>"));
  EXPECT_THAT(page, HasSubstr("a global store of 4 bytes by 32 lanes: 32 sectors, ideally 4"));
  EXPECT_THAT(page, HasSubstr("<span class=\"cuda\">__global__</span>"));
  const auto json = nlohmann::json::parse(ReadFile(At("r.json")).value());
  const auto& access = json["criteria"][2]["cases"][0]["access"];
  EXPECT_EQ(access["memory"], "global");
  EXPECT_EQ(access["cost"], 32);
}

TEST_F(Cli, WritesTheArraysOfAWrongCase) {
  const std::string wrong = Submission("failed/unwritten_last_row.cu");
  EXPECT_EQ(Check(wrong, {"--dump", At("out"), "--device", "emulator"}), 1) << output_;
  EXPECT_THAT(output_, HasSubstr("Arrays in " + At("out").string()));
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(At("out"))) folders.push_back(entry.path());
  ASSERT_EQ(folders.size(), 1U);
  for (const char* name : {"out_got.txt", "out_expected.npy", "out_state.npy", "out_map.svg"}) {
    EXPECT_TRUE(fs::exists(folders[0] / name)) << name;
  }
  EXPECT_THAT(*ReadFile(folders[0] / "out_got.txt"), HasSubstr("_"));
  EXPECT_THAT(*ReadFile(folders[0] / "out_map.svg"), HasSubstr("class=\"unwritten\""));
}

TEST_F(Cli, ListsTheCasesWhoseArraysCanBeWritten) {
  const std::string right = Source("reference/transpose.cu");
  EXPECT_EQ(Check(right, {"--dump", At("out"), "--case", "32x34"}), 2);
  EXPECT_THAT(output_, HasSubstr("there is no case 32x34"));
  EXPECT_THAT(output_, HasSubstr("choose one of: "));
  EXPECT_EQ(Check(right, {"--case", "32x32"}), 2);
  EXPECT_THAT(output_, HasSubstr("there is no --dump"));
  std::ofstream(At("file")) << "x";
  EXPECT_EQ(Check(right, {"--dump", At("file")}), 2);
  EXPECT_THAT(output_, HasSubstr("it is not a folder"));
}

TEST_F(Cli, ReportsThatCannotBeWrittenAreFoundOutFirst) {
  const std::string good = Source("reference/transpose.cu");
  EXPECT_EQ(Check(good, {"--junit", "/none/r.xml"}), 2);
  EXPECT_EQ(output_,
            "warpcheck: error: cannot write /none/r.xml: its folder is missing or not writable\n");
  EXPECT_EQ(Check(good, {"--json", At("tmp")}), 2);
  EXPECT_EQ(output_, "warpcheck: error: cannot write " + At("tmp").string() + ": it is a folder\n");
}

TEST_F(Cli, WrongUsageEndsWithTwo) {
  const std::string good = Source("reference/transpose.cu");
  EXPECT_EQ(Run({}), 2);
  EXPECT_EQ(Run({"grade"}), 2);
  EXPECT_EQ(Run({"check", "transpose"}), 2);
  EXPECT_EQ(Check(good, {"--bogus"}), 2);
  EXPECT_EQ(Check(good, {"--seed", "-1"}), 2);
  EXPECT_EQ(Check(good, {"--seed", "one"}), 2);
  EXPECT_EQ(Check(good, {"--seed", "18446744073709551616"}), 2);
  EXPECT_EQ(Check(good, {"--device", "tpu"}), 2);
  EXPECT_EQ(Check(good, {"--fail-under", "101"}), 2);
  EXPECT_EQ(Check(good, {"--fail-under", "nan"}), 2);
  for (const char* option : {"--html", "--junit", "--dump", "--seed", "--device", "--course"}) {
    EXPECT_EQ(Check(good, {option, ""}), 2) << option;
    EXPECT_THAT(output_, StartsWith(std::string(option) + ": ")) << "as a shell passes \"$UNSET\"";
  }
  EXPECT_EQ(Run({"run", "--html", "", "/bin/true"}), 2);
  EXPECT_EQ(Run({"lab", "transpose", "--csv", ""}), 2);
  EXPECT_EQ(Run({"batch", "transpose", At("").string(), "--out", ""}), 2);
  MakeCourse();
  EXPECT_EQ(Run({"check", "tranpsose", good}), 2);
  EXPECT_EQ(output_,
            "warpcheck: error: there is no assignment \"tranpsose\"\n  did you mean transpose? "
            "there are: transpose\n");
}

TEST_F(Cli, NamesTheCommandThatWasMeant) {
  EXPECT_EQ(Run({"chek", "transpose", "a.cu"}), 2);
  EXPECT_EQ(output_, "there is no command chek: did you mean `warpcheck check`?\n");
  EXPECT_EQ(Run({"frobnicate"}), 2);
  EXPECT_EQ(output_, "there is no command frobnicate: `warpcheck --help` lists them\n");
}

TEST_F(Cli, OutputThatNobodyGetsIsNoSuccess) {
  const std::string program = std::string(WARPCHECK_PROGRAM) + " list";
  EXPECT_EQ(WEXITSTATUS(std::system((program + " > /dev/full 2> /dev/null").c_str())), 3);
  EXPECT_EQ(WEXITSTATUS(std::system((program + " >&- 2> /dev/null").c_str())), 3);
}

TEST_F(Cli, WhatIsNoSubmissionEndsWithTwo) {
  EXPECT_EQ(Check(At("none.cu")), 2);
  EXPECT_EQ(output_, "warpcheck: error: no such file or folder: " + At("none.cu").string() + "\n");
  EXPECT_EQ(Check(folder_.Write("notes.txt", "")), 2);
  EXPECT_EQ(output_, "warpcheck: error: " + At("notes.txt").string() + " is not a .cu file\n");
  fs::create_directory(At("empty"));
  EXPECT_EQ(Check(At("empty")), 2);
  EXPECT_EQ(output_,
            "warpcheck: error: " + At("empty").string() + " has no .cu file: it is empty\n");
  EXPECT_EQ(Check(folder_.Write("large.cu", std::string(1'000'001, ' '))), 2);
  EXPECT_EQ(output_, "warpcheck: error: cannot read " + At("large.cu").string() +
                         ": it is larger than 1000000 bytes\n");
  fs::create_symlink(Source("reference/transpose.cu"), At("link.cu"));
  EXPECT_EQ(Check(At("link.cu")), 2);
  EXPECT_EQ(output_, "warpcheck: error: " + At("link.cu").string() +
                         " is a symbolic link\n  submit the file itself\n");
  EXPECT_EQ(Check(folder_.Write("a`b.cu", "")), 2);
  EXPECT_THAT(output_, StartsWith("warpcheck: error: a file's name has a control character"));
}

TEST_F(Cli, FaultsOfTheMachineEndWithThree) {
  ::setenv("WARPCHECK_CACHE", "/proc/cache", 1);
  EXPECT_EQ(Check(Source("reference/transpose.cu")), 3);
  EXPECT_THAT(output_, HasSubstr("cannot write to /proc/cache"));
}

// A container may not allow namespaces. Whatever the reason is, it is not the student's fault.
TEST_F(Cli, WithoutNamespacesSaysWhatToDo) {
  // As root, the program gives up its rights first.
  fs::permissions(folder_.path(), fs::perms(0755));
  const fs::path bwrap = folder_.WriteScript(
      "bin/bwrap", "echo 'bwrap: No permissions to create new namespace' >&2\nexit 1\n");
  const std::string path = Environment("PATH");
  ::setenv("PATH", (bwrap.parent_path().string() + ":" + path).c_str(), 1);
  const int code = Check(Source("reference/transpose.cu"), {"--json", At("grade.json")});
  const std::string check_output = std::exchange(output_, "");
  const int doctors_code = Run({"doctor"});
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(code, 3);
  EXPECT_THAT(check_output, HasSubstr("bubblewrap cannot make a sandbox here: bwrap: No "
                                      "permissions to create new namespace\n"));
  EXPECT_THAT(check_output, HasSubstr("let unprivileged users make namespaces"));
  EXPECT_THAT(check_output, HasSubstr("Start a container with --security-opt"));
  EXPECT_FALSE(fs::exists(At("grade.json"))) << "a grade that is none";
  EXPECT_EQ(doctors_code, 3);
  EXPECT_THAT(output_, HasSubstr("missing  sandbox"));
}

TEST_F(Cli, NoSandboxWarns) {
  EXPECT_EQ(Check(Source("reference/transpose.cu"), {"--no-sandbox"}), 0) << output_;
  EXPECT_THAT(
      output_,
      HasSubstr("warpcheck: warning: --no-sandbox: the submission runs with all your rights."));
}

TEST_F(Cli, GradesAFolder) {
  const auto text = ReadFile(Submission("passed/padded_tile.cu")).value();
  folder_.Write("work/src/transpose.cu", text);
  EXPECT_EQ(Check(At("work")), 0) << output_;
}

TEST_F(Cli, ListNamesTheAssignments) {
  MakeCourse();
  EXPECT_EQ(Run({"list"}), 0);
  EXPECT_EQ(output_, "transpose            Matrix transpose (100 points), in " +
                         At("course").string() + "\n");
  ::setenv("WARPCHECK_HOME", "/none", 1);
  EXPECT_EQ(Run({"list"}), 2);
  EXPECT_THAT(output_, HasSubstr("cannot read the assignments in /none/assignments"));
}

TEST_F(Cli, ListsABrokenRubricWithItsErrorAndTheOthers) {
  MakeCourse();
  folder_.Write("course/assignments/broken/rubric.toml", "title = ");
  EXPECT_EQ(Run({"list", "--json", At("list.json")}), 3);
  EXPECT_THAT(output_, HasSubstr("transpose            Matrix transpose (100 points), in "));
  const auto listed = ParseJson(ReadFile(At("list.json")).value()).at("assignments");
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0].at("name"), "broken");
  EXPECT_THAT(listed[0].at("error").get<std::string>(), HasSubstr("broken/rubric.toml:1"));
  EXPECT_EQ(listed[1], (nlohmann::json{{"name", "transpose"},
                                       {"title", "Matrix transpose"},
                                       {"points", 100.0},
                                       {"course", At("course").string()},
                                       {"error", nullptr}}));
}

// These programs prove each criterion of the transpose; one of them gets full marks.
constexpr auto kProofs = std::to_array<const char*>(
    {"failed/naive.cu", "failed/one_column_past_the_end.cu", "error/only_square.cu",
     "failed/unpadded_tile.cu", "passed/padded_tile.cu"});

class Validate : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    MakeCourse();
    for (const char* const proof : kProofs) {
      Put(std::string("tests/submissions/transpose/") + proof, ReadFile(Submission(proof)).value());
    }
  }
  void Put(const std::string& path, const std::string& text) const {
    folder_.Write("course/" + path, text);
  }
  int RunValidate(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"validate", "transpose", "--seed", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments);
  }
};

TEST_F(Validate, IsContentWithAnAssignmentThatIsReady) {
  EXPECT_EQ(RunValidate({"--repeat", "1"}), 0) << output_;
  EXPECT_THAT(output_, StartsWith("Matrix transpose: 100 points\n"));
  EXPECT_THAT(output_, testing::ContainsRegex("ok +100  passed .* reference/transpose.cu\n"));
  EXPECT_THAT(output_, testing::ContainsRegex("ok +0  failed .* student_template/transpose.cu\n"));
  EXPECT_THAT(output_, testing::ContainsRegex("ok +60  failed .*/transpose/failed/naive.cu\n"));
  EXPECT_THAT(output_, testing::ContainsRegex("ok +20 +1 +1  bank_conflicts\n"));
  EXPECT_THAT(output_, HasSubstr("All 7 programs get the expected grade.\nseed 1\n"));
}

TEST_F(Validate, GradesTheNamedProgramsAlone) {
  const std::string naive = At("course/tests/submissions/transpose/failed/naive.cu").string();
  EXPECT_EQ(RunValidate({naive}), 0) << output_;
  EXPECT_THAT(output_, testing::ContainsRegex("ok +60  failed .*/transpose/failed/naive.cu\n"));
  EXPECT_THAT(output_, Not(HasSubstr("reference")));
  EXPECT_THAT(output_, Not(HasSubstr("bank_conflicts")));
  Put("tests/submissions/transpose/failed/naive.cu",
      "// score: 80\n" + ReadFile(Source("reference/transpose.cu")).value());
  EXPECT_EQ(RunValidate({naive}), 1) << output_;
  EXPECT_THAT(output_, HasSubstr("the score should be 80, but is 100"));
  Put("tests/submissions/transpose/failed/naive.cu", "// score: many\n");
  EXPECT_EQ(RunValidate({naive}), 2) << output_;
  EXPECT_THAT(output_, HasSubstr("transpose/failed/naive.cu:1:"));
  EXPECT_EQ(RunValidate({Submission("failed/unpadded_tile.cu")}), 2);
  EXPECT_THAT(output_, HasSubstr("is not a test program of this assignment"));
}

TEST_F(Validate, NamesEverythingThatIsNotAsItShould) {
  fs::remove(At("course/student_template/transpose.cu"));
  fs::remove(At("course/tests/submissions/transpose/failed/unpadded_tile.cu"));
  Put("tests/submissions/transpose/failed/naive.cu",
      "// score: 80\n// says: a pony\n" + ReadFile(Source("reference/transpose.cu")).value());
  EXPECT_EQ(RunValidate(), 1) << output_;
  EXPECT_THAT(
      output_,
      testing::ContainsRegex(
          "WRONG +100  passed .*/transpose/failed/naive.cu\n +the score should be 80, but is 100\n "
          "+no complaint says \"a pony\"\n +the verdict should be failed, but is passed\n"));
  EXPECT_THAT(output_, testing::ContainsRegex("WRONG +20 +0 +0  bank_conflicts\n"));
  EXPECT_THAT(output_, HasSubstr("  error: there is no student_template/transpose.cu\n"));
  EXPECT_THAT(output_, HasSubstr("  no test submission loses \"bank_conflicts\": "));
  EXPECT_THAT(output_, HasSubstr("6 problems with 5 programs.\n"));
}

TEST_F(Validate, EndsWithTwoAndThreeAsCheckDoes) {
  EXPECT_EQ(Run({"validate"}), 2);
  EXPECT_EQ(Run({"validate", "transpos"}), 2);
  EXPECT_THAT(output_, HasSubstr("did you mean transpose?"));
  EXPECT_EQ(RunValidate({"--seed", "x"}), 2);
  ::setenv("WARPCHECK_CACHE", "/proc/cache", 1);
  EXPECT_EQ(RunValidate(), 3);
  EXPECT_THAT(output_, HasSubstr("cannot write to /proc/cache"));
  EXPECT_THAT(output_, HasSubstr("Some results are missing"));
}

TEST_F(Validate, ARubricThatCannotBeReadIsTheAssignmentsFault) {
  Put("assignments/transpose/rubric.toml", "title = 7\n");
  EXPECT_EQ(RunValidate(), 1);
  EXPECT_THAT(output_, HasSubstr("rubric.toml:1:9: error: \"title\" must be a text"));
}

// Runs gpu_host with the emulator as its device, or a program that prints this survey.
class CliOnGpu : public Cli {
 protected:
  ~CliOnGpu() override { ::unsetenv("WARPCHECK_GPU_HOST"); }

  static void GpuHost(const std::string& script) {
    const auto program = cache_->path() / "gpu_host";
    std::ofstream(program) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    ::setenv("WARPCHECK_GPU_HOST", program.c_str(), 1);
  }
  static void EmulatedGpu() { GpuHost("exec " WARPCHECK_GPU_HOST_PROGRAM " --emulator \"$@\""); }
  static void Survey(const std::string& no_gpu, const std::string& no_counters,
                     const std::string& driver = "CUDA 99.0") {
    GpuHost(R"(echo '{"name": "NVIDIA H200", "driver": ")" + driver +
            R"(", "compute_major": 9, "compute_minor": 0, "no_gpu": )" + no_gpu +
            ", \"no_counters\": " + no_counters + "}'");
  }
};

TEST_F(CliOnGpu, TakesTheGpuAsAWitness) {
  EmulatedGpu();
  const auto json = cache_->path() / "report.json";
  EXPECT_EQ(Check(Source("reference/transpose.cu"), {"--json", json}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("On the NVIDIA H200 (no points depend on it)"));
  EXPECT_THAT(output_, testing::ContainsRegex("It passed [0-9]+ of [0-9]+ tests of results"));
  EXPECT_THAT(output_, HasSubstr("the target is met"));
  const auto text = ReadFile(json);
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("\"device\": \"emulator\""));
  EXPECT_THAT(*text, HasSubstr("\"disagreements\": []"));
}

TEST_F(CliOnGpu, LetsTheGpuJudgeAloneWhereItIsAskedFor) {
  EmulatedGpu();
  const auto json = cache_->path() / "report.json";
  EXPECT_EQ(Check(Source("reference/transpose.cu"), {"--device", "gpu", "--json", json}), 0)
      << output_;
  EXPECT_THAT(output_, HasSubstr("The GPU judged alone: races,"));
  const auto text = ReadFile(json);
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("\"device\": \"gpu\""));
  EXPECT_THAT(*text, HasSubstr("\"witness\": null"));
}

// The survey finds a GPU, but the process that must serve it loses it.
TEST_F(CliOnGpu, ABatchWaitsForAGpuThatIsLostInTheMiddle) {
  const std::string lost = At("lost").string();
  GpuHost("case \" $* \" in\n*\" --survey \"*)\n  if [ -e " + lost +
          " ]; then\n    echo '{\"name\": \"\", \"driver\": \"\", \"compute_major\": 0, "
          "\"compute_minor\": 0,'\\\n      '\"no_gpu\": {\"message\": \"the GPU is lost\", "
          "\"hint\": \"\"}, \"no_counters\": null}'\n    exit\n  fi ;;\n*)\n  if [ ! -e " +
          lost + ".mended ]; then touch " + lost +
          "; exit 1; fi ;;\nesac\nexec " WARPCHECK_GPU_HOST_PROGRAM " --emulator \"$@\"");
  fs::create_directory(At("class"));
  fs::copy(Source("reference/transpose.cu"), At("class/ann.cu"));
  const std::vector<std::string> batch = {"batch",    "transpose", At("class"), "--out", At("out"),
                                          "--device", "gpu",       "--seed",    "1"};
  EXPECT_EQ(Run(batch), 3);
  EXPECT_THAT(output_, HasSubstr("this machine cannot grade: the GPU is lost"));
  EXPECT_THAT(output_, HasSubstr("graded 0 of 1 submission;"));
  EXPECT_THAT(*ReadFile(At("out/grades.csv")), HasSubstr("\nann,ann,,100,,not_graded,"));

  fs::rename(lost, lost + ".mended");
  std::vector<std::string> resumed = batch;
  resumed.emplace_back("--resume");
  Run(resumed);
  EXPECT_THAT(output_, HasSubstr("graded 1 of 1 submission:"));
  EXPECT_THAT(*ReadFile(At("out/grades.csv")), Not(HasSubstr("not_graded")));
}

TEST_F(CliOnGpu, AGpuThatDoesNotServeChangesNoGrade) {
  const std::string error = R"({"message": "counters are not allowed", "hint": "ask"})";
  Survey("null", error);
  EXPECT_EQ(Check(Source("reference/transpose.cu")), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("warpcheck emulator (sm_90), seed"));
  EXPECT_THAT(output_, HasSubstr("On a GPU (no points depend on it)"));
  EXPECT_THAT(output_,
              testing::ContainsRegex("It was not used: error: the process of the device ended"));
  EXPECT_EQ(Run({"doctor"}), 0);
  EXPECT_THAT(output_, testing::ContainsRegex(
                           "ok +GPU +NVIDIA H200, compute capability 9.0, driver CUDA 99.0"));
  EXPECT_THAT(output_, testing::ContainsRegex("missing +counters +counters are not allowed; ask"));
}

TEST_F(CliOnGpu, TakesTheEmulatorWhereTheDriverIsOlderThanTheToolkit) {
  Survey("null", "null", "CUDA 11.8");
  EXPECT_EQ(Check(Source("reference/transpose.cu")), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("warpcheck emulator (sm_90), seed"));
  EXPECT_THAT(output_, HasSubstr("It was not used: NVIDIA H200: its driver is for CUDA 11.8"));
  EXPECT_EQ(Check(Source("reference/transpose.cu"), {"--device", "gpu"}), 2);
  EXPECT_THAT(output_, HasSubstr("update the driver"));
  EXPECT_EQ(Run({"doctor"}), 0);
  EXPECT_THAT(output_, testing::ContainsRegex("none +GPU +its driver is for CUDA 11.8"));
}

TEST_F(CliOnGpu, RefusesAGpuThatIsNotThere) {
  Survey(R"({"message": "no such GPU", "hint": "buy one"})", "null");
  EXPECT_EQ(Check(Source("reference/transpose.cu"), {"--device", "gpu"}), 2);
  EXPECT_EQ(output_, "warpcheck: error: no such GPU\n  buy one\n");
  EXPECT_EQ(Run({"doctor"}), 0);
  EXPECT_THAT(output_, testing::ContainsRegex("none +GPU +no such GPU; buy one"));
}

TEST_F(CliOnGpu, GoesOnWithoutAGpuHostThatWorks) {
  GpuHost("echo a crash; exit 3");
  EXPECT_EQ(Check(Source("reference/transpose.cu")), 0);
  EXPECT_THAT(output_, HasSubstr("It was not used: the survey of the GPU cannot be read"));
  EXPECT_EQ(Check(Source("reference/transpose.cu"), {"--device", "gpu"}), 2);
}

TEST_F(Cli, DoctorSaysWhatWorks) {
  EXPECT_EQ(Run({"doctor"}), 0) << output_;
  EXPECT_THAT(output_, testing::ContainsRegex("ok +nvcc +/.*nvcc, release [0-9]+\\.[0-9]+"));
  EXPECT_THAT(output_, testing::ContainsRegex("ok +host compiler +/.*g\\+\\+, "));
  EXPECT_THAT(output_, testing::ContainsRegex("ok +sandbox +bubblewrap [0-9]"));
  EXPECT_THAT(output_, HasSubstr(cache_->path().string()));
  EXPECT_THAT(output_, HasSubstr("Grading works here."));
  ::setenv("WARPCHECK_CACHE", "/proc/cache", 1);
  EXPECT_EQ(Run({"doctor"}), 3);
  EXPECT_THAT(output_,
              testing::ContainsRegex("missing +build cache +/proc/cache cannot be written"));
}

TEST_F(Cli, SaysItsVersion) {
  EXPECT_EQ(Run({"--version"}), 0);
  EXPECT_THAT(output_, testing::MatchesRegex("warpcheck [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

// Returns the other processes whose command line contains `text`.
std::vector<std::string> ProcessesNaming(const std::string& text) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const auto line = ReadFile(entry.path() / "cmdline");
    if (line && line->find(text) != std::string::npos) found.push_back(*line);
  }
  return found;
}

// Returns true if the process now has a handler for the signal.
bool Catches(pid_t pid, int signal) {
  std::istringstream lines(
      ReadFile(fs::path("/proc") / std::to_string(pid) / "status").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("SigCgt:")) continue;
    return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
  }
  return false;
}

class Interrupt : public Cli, public testing::WithParamInterface<int> {};

TEST_P(Interrupt, LeavesNothingBehind) {
  const TemporaryFolder cache;
  ::setenv("WARPCHECK_CACHE", cache.path().c_str(), 1);
  const std::string submission =
      folder_.Write("wait.cu", ReadFile(Submission("error/endless_host.cu")).value());
  const pid_t pid = ::fork();
  if (pid == 0) {
    const int null = ::open("/dev/null", O_RDWR);
    for (const int fd : {0, 1, 2}) ::dup2(null, fd);
    ::execl(WARPCHECK_PROGRAM, "warpcheck", "check", "transpose", submission.c_str(), nullptr);
    ::_exit(99);
  }
  while (!Catches(pid, SIGINT)) ::usleep(1000);
  std::this_thread::sleep_for(std::chrono::milliseconds(GetParam()));
  ASSERT_EQ(::kill(pid, SIGINT), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  ASSERT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 130);
  for (int i = 0; i < 300 && !ProcessesNaming(cache.path()).empty(); ++i) ::usleep(10'000);
  EXPECT_THAT(ProcessesNaming(cache.path()), IsEmpty());
  for (const auto& entry : fs::directory_iterator(cache.path())) {
    EXPECT_THAT(entry.path().filename().string(), Not(StartsWith("new-")));
  }
}

// The interrupt comes while nvcc runs, and while the host's endless code runs.
INSTANTIATE_TEST_SUITE_P(Milliseconds, Interrupt, testing::Values(400, 4000));

}  // namespace
}  // namespace warpcheck
