// Real compilations with the toolkit that warpcheck was built with.
#include "build/build.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace warpcheck::build {
namespace {

namespace fs = std::filesystem;

constexpr char kGood[] =
    "#include \"task.h\"\n"
    "__global__ void Double(float* x) { x[threadIdx.x] *= FACTOR; }\n"
    "void run(float* x) { Double<<<1, 32>>>(x); }\n";

// Counts the processes that are started.
class Counting : public sandbox::Sandbox {
 public:
  explicit Counting(sandbox::Sandbox& inner) : inner_(inner) {}
  Result<std::unique_ptr<sandbox::Process>> Start(const sandbox::Command& command) override {
    ++started;
    return inner_.Start(command);
  }
  bool isolates() const override { return inner_.isolates(); }
  int started = 0;

 private:
  sandbox::Sandbox& inner_;
};

class BuildTest : public testing::Test {
 protected:
  void SetUp() override {
    auto made = sandbox::MakeBubblewrap();
    if (!made) GTEST_SKIP() << made.error().Text();
    sandbox_ = std::move(*made);
    folder_ = testing::TempDir() + "warpcheck_build_test";
    fs::remove_all(folder_);
    Write("task.h", "#define FACTOR 2.0f\n");
    settings_.nvcc = NVCC;
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
  tl::expected<Outcome, Failure> Build(const fs::path& submission) {
    Counting counting(*sandbox_);
    Builder builder(counting, settings_);
    auto outcome = builder.Build({.submission = submission, .headers = {folder_ / "task.h"}});
    started_ = counting.started;
    return outcome;
  }
  CompileError Refused(const std::string& text) {
    const auto outcome = Build(Write("bad.cu", text));
    if (!outcome || !outcome->error) {
      ADD_FAILURE() << (outcome ? "it compiled" : outcome.error().Text());
      return {};
    }
    EXPECT_EQ(outcome->error->log.find("/submission"), std::string::npos);
    EXPECT_EQ(outcome->error->log.find("tmpxft"), std::string::npos);
    return *outcome->error;
  }
  std::string Fault(const fs::path& submission,
                    Failure::Blame blame = Failure::Blame::kSubmission) {
    const auto outcome = Build(submission);
    if (outcome) return "no fault";
    EXPECT_EQ(outcome.error().blame, blame);
    return outcome.error().message;
  }

  std::unique_ptr<sandbox::Sandbox> sandbox_;
  fs::path folder_;
  Builder::Settings settings_;
  int started_ = 0;
};

TEST_F(BuildTest, MakesAnObjectOnceAndKeepsIt) {
  const fs::path file = Write("good.cu", kGood);
  const auto first = Build(file);
  ASSERT_TRUE(first) << first.error().Text();
  ASSERT_TRUE(first->artifact) << first->error->log;
  EXPECT_FALSE(first->artifact->from_cache);
  EXPECT_EQ(first->artifact->warnings, "");
  EXPECT_EQ(first->artifact->sources, std::vector<std::string>{"/submission/good.cu"});
  struct stat status = {};
  ASSERT_EQ(::stat(first->artifact->shared_object.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0755U);
  std::ifstream object(first->artifact->shared_object);
  const std::string bytes{std::istreambuf_iterator<char>(object), {}};
  EXPECT_NE(bytes.find(".target sm_90"), std::string::npos);
  EXPECT_NE(bytes.find("\"/submission/good.cu\""), std::string::npos);

  const auto second = Build(file);
  ASSERT_TRUE(second && second->artifact);
  EXPECT_EQ(started_, 0);
  EXPECT_TRUE(second->artifact->from_cache);
  EXPECT_EQ(second->artifact->shared_object, first->artifact->shared_object);

  std::ofstream(first->artifact->shared_object, std::ios::app) << "x";
  const auto third = Build(file);
  ASSERT_TRUE(third && third->artifact);
  EXPECT_EQ(started_, 1) << "a damaged entry is made anew";

  Write("task.h", "#define FACTOR 3.0f\n");
  ASSERT_TRUE(Build(file));
  EXPECT_EQ(started_, 1) << "a changed header is another key";
}

TEST_F(BuildTest, NamesTheLineOfAnErrorInDeviceCode) {
  const CompileError error = Refused("\n__global__ void K(float* x) {\n  x[0] = y;\n}\n");
  EXPECT_EQ(error.where.Text(), "bad.cu:3");
  EXPECT_EQ(error.message, "identifier \"y\" is undefined");
  EXPECT_EQ(started_, 1);
  Refused("\n__global__ void K(float* x) {\n  x[0] = y;\n}\n");
  EXPECT_EQ(started_, 0) << "errors are kept too";
}

TEST_F(BuildTest, NamesTheLineOfAnErrorOfTheHostCompiler) {
  const CompileError error = Refused("\n#include \"no_such_header.h\"\n");
  EXPECT_EQ(error.where.file, "bad.cu");
  EXPECT_EQ(error.where.line, 2);
  EXPECT_EQ(error.message, "no_such_header.h: No such file or directory");
}

TEST_F(BuildTest, KeepsWarnings) {
  const auto outcome = Build(Write("w.cu", "void f() { int unused; }\n"));
  ASSERT_TRUE(outcome && outcome->artifact);
  EXPECT_NE(outcome->artifact->warnings.find("w.cu(1): warning #177-D"), std::string::npos)
      << outcome->artifact->warnings;
}

TEST_F(BuildTest, CompilesAFolder) {
  Write("many/one.cu", "#include \"inner.h\"\nint one() { return two(); }\n");
  Write("many/two.cu", "#include \"inner.h\"\nint two() { return 2; }\n");
  Write("many/inner.h", "int two();\n");
  const auto outcome = Build(folder_ / "many");
  ASSERT_TRUE(outcome) << outcome.error().Text();
  ASSERT_TRUE(outcome->artifact) << outcome->error->log;
  EXPECT_EQ(outcome->artifact->sources.size(), 2U);
}

TEST_F(BuildTest, TakesOddNames) {
  for (const char* name : {"two words.cu", "-o.cu", "größe.cu", "a;b(c)&'.cu"}) {
    const auto outcome = Build(Write(name, "void f() {}\n"));
    ASSERT_TRUE(outcome) << outcome.error().Text();
    EXPECT_TRUE(outcome->artifact) << name << "\n" << outcome->error->log;
  }
  EXPECT_EQ(Fault(Write("new\nline.cu", "")),
            "a file's name has a control character or one of \" \\ $ `");
  EXPECT_EQ(Fault(Write("a$(id).cu", "")),
            "a file's name has a control character or one of \" \\ $ `");
}

TEST_F(BuildTest, SaysWhatIsWrongWithTheInput) {
  const std::string at = folder_.string();
  EXPECT_EQ(Fault(folder_ / "none.cu"), "there is no file " + at + "/none.cu");
  EXPECT_EQ(Fault("/dev/zero"), "/dev/zero is not a regular file");
  fs::create_symlink("/etc/shadow", folder_ / "link.cu");
  EXPECT_EQ(Fault(folder_ / "link.cu"), at + "/link.cu is a symbolic link");
  ASSERT_EQ(::mkfifo((folder_ / "pipe.cu").c_str(), 0600), 0);
  EXPECT_EQ(Fault(folder_ / "pipe.cu"), at + "/pipe.cu is not a regular file");
  Write("bare/a.txt", "");
  Write("bare/b.h", "");
  EXPECT_EQ(Fault(folder_ / "bare"), at + "/bare has no .cu file: it holds a.txt, b.h");
  EXPECT_EQ(Fault(Write("big.cu", std::string(1'000'001, ' '))),
            "cannot read " + at + "/big.cu: it is larger than 1000000 bytes");
}

TEST_F(BuildTest, SaysWhatIsWrongWithTheMachine) {
  const fs::path file = Write("good.cu", kGood);
  settings_.nvcc = "/no/nvcc";
  EXPECT_EQ(Fault(file, Failure::Blame::kMachine), "there is no nvcc at /no/nvcc");
  settings_.nvcc = NVCC;
  settings_.cache = "/proc/cache";
  EXPECT_EQ(Fault(file, Failure::Blame::kMachine),
            "cannot write to the cache /proc/cache: No such file or directory");
  fs::remove(folder_ / "task.h");
  EXPECT_EQ(Fault(file, Failure::Blame::kMachine),
            "there is no header " + (folder_ / "task.h").string());
}

// An nvcc that takes nothing, as one that has no room to write: nobody's fault but the machine's.
TEST_F(BuildTest, DoubtsNvccWhereItIsTold) {
  const fs::path nvcc =
      Write("broken/bin/nvcc", "#!/bin/sh\necho 'x.cu(1): error: no' >&2; exit 1\n");
  fs::permissions(nvcc, fs::perms(0755));
  settings_.nvcc = nvcc;
  const fs::path good = Write("good.cu", kGood);
  settings_.doubts_nvcc = true;
  EXPECT_NE(Fault(good, Failure::Blame::kMachine).find("surely right: x.cu(1): error: no"),
            std::string::npos);
  EXPECT_EQ(started_, 2);
  settings_.doubts_nvcc = false;
  const auto believed = Build(good);
  ASSERT_TRUE(believed && believed->error) << "the fault was not kept in the cache";
  EXPECT_EQ(started_, 1);
  settings_.doubts_nvcc = true;
  settings_.nvcc = NVCC;
  EXPECT_EQ(Refused("int x = ;\n").where.line, 1) << "an error of the student's stays one";
}

TEST_F(BuildTest, EvictsTheOldest) {
  settings_.cache_bytes = 1;
  const fs::path file = Write("a.cu", "void a() {}\n");
  ASSERT_TRUE(Build(file));
  ASSERT_TRUE(Build(Write("b.cu", "void b() {}\n")));
  ASSERT_TRUE(Build(file));
  EXPECT_EQ(started_, 1);
}

TEST_F(BuildTest, TwoAtOnceMakeTheSame) {
  const fs::path file = Write("good.cu", kGood);
  std::optional<Outcome> outcomes[2];
  const auto build = [&](int i) {
    auto outcome =
        Builder(*sandbox_, settings_).Build({.submission = file, .headers = {folder_ / "task.h"}});
    if (outcome) outcomes[i] = *outcome;
  };
  std::thread other(build, 0);
  build(1);
  other.join();
  ASSERT_TRUE(outcomes[0] && outcomes[0]->artifact && outcomes[1] && outcomes[1]->artifact);
  EXPECT_EQ(outcomes[0]->artifact->shared_object, outcomes[1]->artifact->shared_object);
}

TEST_F(BuildTest, HostileSourcesMeetLimits) {
  settings_.limits.memory_bytes = std::uint64_t{512} << 20;
  settings_.limits.cpu_time = std::chrono::seconds(8);
  settings_.limits.cpu_time = std::chrono::seconds(4);
  settings_.limits.file_bytes = std::uint64_t{8} << 20;
  EXPECT_EQ(Refused("#include \"/dev/zero\"\n").message,
            "compiling used more than 512 MiB of memory");
  EXPECT_EQ(Refused("char big[1 << 30] = {1};\n").message,
            "compiling wrote a file larger than 8 MiB");
  EXPECT_EQ(Refused("#include \"bad.cu\"\n").where.file, "bad.cu");
  EXPECT_NE(Refused("asm(\".incbin \\\"/etc/shadow\\\"\");\n").log.find("/etc/shadow"),
            std::string::npos);
  EXPECT_EQ(Refused("#include \"/etc/shadow\"\n").message,
            "/etc/shadow: No such file or directory");
}

TEST_F(BuildTest, WorksWithoutIsolation) {
  sandbox_ = sandbox::MakeUnconfined();
  const auto outcome = Build(Write("good.cu", kGood));
  ASSERT_TRUE(outcome) << outcome.error().Text();
  ASSERT_TRUE(outcome->artifact) << outcome->error->log;
  EXPECT_EQ(Refused("int x = y;\n").where.Text(), "bad.cu:1");
}

}  // namespace
}  // namespace warpcheck::build
