// Tests who is to blame when a signal ends a compiler, and that an event by chance proves nothing.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "compile/builder.h"
#include "sandbox/bubblewrap.h"

namespace warpcheck::compile {
namespace {

namespace fs = std::filesystem;

// This sandbox runs the given shell commands instead of the first programs; "" runs the program
// itself.
class Saboteur : public sandbox::Sandbox {
 public:
  Saboteur(sandbox::Sandbox& inner, std::vector<std::string> commands)
      : inner_(inner), commands_(std::move(commands)) {}
  Result<std::unique_ptr<sandbox::Process>> Start(const sandbox::Command& command) override {
    sandbox::Command changed = command;
    if (started < commands_.size() && !commands_[started].empty()) {
      changed.arguments = {"/bin/sh", "-c", commands_[started]};
    }
    ++started;
    return inner_.Start(changed);
  }
  std::size_t started = 0;

 private:
  sandbox::Sandbox& inner_;
  std::vector<std::string> commands_;
};

// This nvcc makes an empty object at once.
constexpr char kQuickNvcc[] =
    "#!/bin/sh\n"
    "while [ $# -gt 1 ]; do [ \"$1\" = -o ] && echo object > \"$2\"; shift; done\n";

std::string Says(const std::string& text) { return "echo \"" + text + "\" >&2; exit 1"; }

const char* const kKills[] = {"kill -9 $$", "kill -TERM $$", "exit 137"};

const std::string kLastWords[] = {
    "nvcc error   : 'cicc' died due to signal 9 (Kill signal)",
    "gcc: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.",
    "g++: fatal error: Killed signal terminated program collect2\ncompilation terminated.",
    "collect2: fatal error: ld terminated with signal 9 [Killed]\ncompilation terminated.",
};

class KilledCompilerTest : public testing::Test {
 protected:
  void SetUp() override {
    auto made = sandbox::MakeBubblewrap();
    if (!made) GTEST_SKIP() << made.error().Text();
    sandbox_ = std::move(*made);
    folder_ = testing::TempDir() + "warpcheck_killed_compiler_test";
    fs::remove_all(folder_);
    submission_ = Write("k.cu", "__global__ void K() {}\n");
    settings_.nvcc = Write("quick/bin/nvcc", kQuickNvcc);
    fs::permissions(settings_.nvcc, fs::perms(0755));
    settings_.cache = folder_ / "cache";
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }
  fs::path Write(const std::string& name, const std::string& text) {
    fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path;
  }
  tl::expected<Outcome, Failure> Build(std::vector<std::string> commands) {
    Saboteur saboteur(*sandbox_, std::move(commands));
    auto outcome = Builder(saboteur, settings_).Build({.submission = submission_, .headers = {}});
    started_ = saboteur.started;
    return outcome;
  }
  bool Compiles(std::vector<std::string> commands) {
    const auto outcome = Build(std::move(commands));
    fs::remove_all(settings_.cache);
    return outcome && outcome->artifact;
  }
  // Expects a fault of the machine that stores nothing in the cache.
  void ExpectFault(std::vector<std::string> commands, const std::string& said) {
    const auto outcome = Build(std::move(commands));
    ASSERT_FALSE(outcome) << (outcome->error ? outcome->error->message : "it compiled");
    EXPECT_EQ(outcome.error().blame, Failure::Blame::kMoment);
    EXPECT_NE(outcome.error().message.find(said), std::string::npos) << outcome.error().message;
    const auto again = Build({});
    ASSERT_TRUE(again && again->artifact);
    EXPECT_FALSE(again->artifact->from_cache);
    fs::remove_all(settings_.cache);
  }
  std::string ErrorOf(std::vector<std::string> commands) {
    const auto outcome = Build(std::move(commands));
    if (!outcome) return "fault: " + outcome.error().Text();
    if (!outcome->error) return "it compiled";
    const auto again = Build({});
    EXPECT_TRUE(again && again->error && started_ == 0) << "an error is remembered";
    fs::remove_all(settings_.cache);
    return outcome->error->message;
  }

  std::unique_ptr<sandbox::Sandbox> sandbox_;
  fs::path folder_;
  fs::path submission_;
  Builder::Settings settings_;
  std::size_t started_ = 0;
};

TEST_F(KilledCompilerTest, SaysNothingAboutTheSubmission) {
  for (const std::string kill : kKills) {
    ExpectFault({kill, kill, kill}, "killed");
    EXPECT_TRUE(Compiles({kill})) << "one kill is survived";
  }
  for (const std::string& words : kLastWords) {
    const std::string kill = Says(words);
    ExpectFault({kill, kill, kill}, "was killed by signal 9 (killed)");
  }
}

TEST_F(KilledCompilerTest, ACrashCountsWhereItRepeats) {
  const std::string crash = "kill -SEGV $$";
  EXPECT_EQ(ErrorOf({crash, crash}),
            "the compiler crashes on it: nvcc was killed by signal 11 (segmentation fault)");
  EXPECT_EQ(ErrorOf({"exit 134", "exit 134"}),
            "the compiler crashes on it: the compiler was killed by signal 6 (aborted)");
  const std::string cc1plus =
      Says("gcc: internal compiler error: Segmentation fault signal terminated program cc1plus");
  EXPECT_EQ(ErrorOf({cc1plus, "kill -9 $$", cc1plus}),
            "the compiler crashes on it: cc1plus was killed by signal 11 (segmentation fault)");
  EXPECT_TRUE(Compiles({crash, ""})) << "chance, not the submission";
  ExpectFault({crash, "kill -ABRT $$", cc1plus}, "cc1plus was killed by signal 11");
}

TEST_F(KilledCompilerTest, LimitsAreTheSubmissions) {
  EXPECT_EQ(ErrorOf({"kill -XFSZ $$"}), "compiling wrote a file larger than 256 MiB");
  EXPECT_EQ(ErrorOf({Says("nvcc error   : 'cicc' died due to signal 25 (File size limit)")}),
            "compiling wrote a file larger than 256 MiB");
  EXPECT_EQ(ErrorOf({"exit 152"}), "compiling used more than 45 s of CPU time");
  settings_.limits.cpu_time = std::chrono::seconds(1);
  EXPECT_EQ(ErrorOf({"while :; do :; done"}), "compiling used more than 1 s of CPU time");
  const std::string greedy = Says("cicc: out of memory");
  EXPECT_EQ(ErrorOf({greedy, greedy}), "compiling used more than 4 GiB of memory");
  EXPECT_TRUE(Compiles({greedy, ""})) << "memory that is there again was not the limit";
}

// If a compiler waits forever without a reason from outside, the submission is the cause.
TEST_F(KilledCompilerTest, IdlenessIsTheSubmissions) {
  settings_.limits.idle_time = std::chrono::seconds(1);
  EXPECT_NE(ErrorOf({"sleep 30"}).find("compiling "), std::string::npos);
}

// A text that a submission makes the compiler print does not prove that the compiler died.
TEST_F(KilledCompilerTest, LastWordsAreNotBelievedBesideAnError) {
  settings_.nvcc = NVCC;
  for (const std::string text :
       {"static_assert(false, \"x\\nnvcc error   : 'cicc' died due to signal 9 (Kill signal)\");\n",
        "#error gcc: fatal error: Killed signal terminated program cc1plus\n",
        "asm(\".error \\\"x\\\\ncollect2: fatal error: ld terminated with signal 9 "
        "[Killed]\\\"\");\n",
        "asm(\".print \\\"gcc: fatal error: Killed signal terminated program "
        "as\\\"\\n.err\");\n"}) {
    submission_ = Write("k.cu", text);
    EXPECT_EQ(ErrorOf({}).find("fault: "), std::string::npos) << text;
  }
}

TEST_F(KilledCompilerTest, KillsAtRandomChangeNoVerdict) {
  std::mt19937 random(1);
  int faults = 0;
  int compiled = 0;
  for (int i = 0; i < 60; ++i) {
    std::vector<std::string> commands;
    for (int start = 0; start < 3; ++start) {
      commands.push_back(random() % 2 == 0 ? kKills[random() % 3] : "");
    }
    const auto outcome = Build(commands);
    ASSERT_TRUE(!outcome || outcome->artifact) << outcome->error->message;
    ++(outcome ? compiled : faults);
    if (outcome) fs::remove_all(settings_.cache);
  }
  EXPECT_GT(compiled, faults);
  EXPECT_GT(faults, 0);
}

}  // namespace
}  // namespace warpcheck::compile
