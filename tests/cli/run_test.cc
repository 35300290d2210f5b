// Tests `warpcheck run` in the way that a person uses it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/files.h"
#include "grading/temporary_folder.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr char kProgram[] = R"(
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include "size.h"

__global__ void columns(const float* in, float* out) {
  out[threadIdx.x * 64 + blockIdx.x] = in[threadIdx.x];
}

__global__ void beyond(float* out) { out[threadIdx.x] = 1; }

__global__ void endless(volatile int* flag) { while (*flag == 0) {} }

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  float *in, *out;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, 32 * 64 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
  columns<<<kBlocks, 32>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 1; i < argc; ++i) std::printf("[%s]", argv[i]);
  char line[64] = "";
  if (!std::strcmp(what, "read")) std::printf("%s", std::fgets(line, sizeof line, stdin));
  std::fflush(stdout);
  std::fprintf(stderr, "to stderr\n");
  if (!std::strcmp(what, "beyond")) {
    beyond<<<1, 64>>>(in);
    cudaDeviceSynchronize();
  }
  if (!std::strcmp(what, "crash")) std::abort();
  if (!std::strcmp(what, "leave")) _exit(9);
  if (!std::strcmp(what, "endless")) {
    cudaMemset(in, 0, 4);
    endless<<<1, 1>>>(reinterpret_cast<int*>(in));
    cudaDeviceSynchronize();
  }
  cudaFree(in);
  cudaFree(out);
  return std::atoi(argc > 2 ? argv[2] : "0");
}
)";

struct End {
  int status = 0;  // the status as waitpid returns it
  std::string out;
  std::string err;

  int code() const { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }
};

class RunTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { shared_ = new TemporaryFolder(); }
  static void TearDownTestSuite() {
    delete shared_;
    shared_ = nullptr;
  }
  void SetUp() override {
#ifdef WARPCHECK_SANITIZED
    GTEST_SKIP() << "a sanitized runtime cannot be put into programs that are not";
#endif
    ::setenv("WARPCHECK_CACHE", (shared_->path() / "cache").c_str(), 1);
    fs::create_directory(At("tmp"));
    ::setenv("TMPDIR", At("tmp").c_str(), 1);
    if (fs::exists(Program())) return;
    shared_->Write("size.h", "constexpr int kBlocks = 4;\n");
    shared_->Write("program.cu", kProgram);
  }
  void TearDown() override {
    EXPECT_TRUE(!fs::exists(At("tmp")) || fs::is_empty(At("tmp"))) << "a folder was left behind";
    ::unsetenv("TMPDIR");
  }

  static std::string Program() { return shared_->path() / "program.cu"; }
  fs::path At(const std::string& name) const { return folder_.path() / name; }

  pid_t Start(std::vector<std::string> arguments, const std::string& input = "") {
    folder_.Write("in", input);
    std::vector<char*> argv = {const_cast<char*>("warpcheck"), const_cast<char*>("run")};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    ::dup2(::open(At("in").c_str(), O_RDONLY), 0);
    ::dup2(::open(At("out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
    ::dup2(::open(At("err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
    ::execv(WARPCHECK_PROGRAM, argv.data());
    ::_exit(99);
  }
  End Wait(pid_t pid) const {
    End end;
    ::waitpid(pid, &end.status, 0);
    end.out = ReadFile(At("out")).value_or("");
    end.err = ReadFile(At("err")).value_or("");
    return end;
  }
  End Run(std::vector<std::string> arguments, const std::string& input = "") {
    return Wait(Start(std::move(arguments), input));
  }

  static TemporaryFolder* shared_;
  TemporaryFolder folder_;
};

TemporaryFolder* RunTest::shared_ = nullptr;

TEST_F(RunTest, LeavesTheProgramsOutputInputArgumentsAndStatusAlone) {
  const End end = Run({Program(), "read", "7", "--check", "none"}, "a line\n");
  EXPECT_EQ(end.code(), 7);
  EXPECT_EQ(end.out, "[read][7][--check][none]a line\n");
  EXPECT_THAT(end.err, StartsWith("to stderr\n"));
  EXPECT_THAT(end.err, HasSubstr("columns(float const*, float*)\n  1 launch, grid 4, block 32\n"));
  EXPECT_THAT(end.err, HasSubstr("out[threadIdx.x * 64 + blockIdx.x] = in[threadIdx.x];\n"));
}

TEST_F(RunTest, TakesTheProgramBehindTwoDashes) {
  const End end = Run({"--lines", "1", "--seed=3", "--", Program(), "seven", "--", "--seed"});
  EXPECT_EQ(end.out, "[seven][--][--seed]");
  EXPECT_THAT(end.err, HasSubstr("1 launch, grid 4, block 32"));
}

TEST_F(RunTest, ReportsHoweverTheProgramEnds) {
  const End crash = Run({Program(), "crash"});
  EXPECT_TRUE(WIFSIGNALED(crash.status));
  EXPECT_EQ(WTERMSIG(crash.status), SIGABRT);
  EXPECT_THAT(crash.err, HasSubstr("1 launch, grid 4, block 32"));
  const End leave = Run({Program(), "leave"});
  EXPECT_EQ(leave.code(), 9);
  EXPECT_THAT(leave.err, HasSubstr("1 launch, grid 4, block 32"));
}

TEST_F(RunTest, HandsSignalsOnAndNamesTheKernelThatRan) {
  ASSERT_EQ(Run({Program()}).code(), 0);  // the first run builds it
  const pid_t pid = Start({Program(), "endless"});
  const auto tick = [] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); };
  for (int i = 0; i < 300 && ReadFile(At("err")).value_or("").empty(); ++i) tick();
  for (int i = 0; i < 5; ++i) tick();  // the launch follows within microseconds
  ASSERT_EQ(::kill(pid, SIGTERM), 0);
  const End end = Wait(pid);
  EXPECT_TRUE(WIFSIGNALED(end.status));
  EXPECT_EQ(WTERMSIG(end.status), SIGTERM);
  EXPECT_THAT(end.err, HasSubstr("endless(int volatile*) was still running when the program ended: "
                                 "<<<1, 1>>>\n"));
}

TEST_F(RunTest, ShowsFindingsAndFailsForThemWhereAsked) {
  const End end = Run({Program(), "beyond"});
  EXPECT_EQ(end.code(), 0);
  EXPECT_THAT(end.err, HasSubstr("program.cu:12  __global__ void beyond(float* out)"));
  EXPECT_THAT(end.err, HasSubstr("a write outside every allocation: writes element "));
  EXPECT_THAT(end.err, HasSubstr("hint: guard the access with an if: threads of the last blocks"));
  EXPECT_EQ(Run({"--fail-on-findings", Program(), "beyond"}).code(), 1);
  EXPECT_EQ(Run({"--fail-on-findings", Program(), "beyond", "5"}).code(), 5);
  EXPECT_EQ(Run({"--fail-on-findings", Program()}).code(), 0);
}

TEST_F(RunTest, BreakOnFindingShowsRegisters) {
  const End end = Run({"--break-on-finding", Program(), "beyond"});
  EXPECT_EQ(end.code(), 0);
  EXPECT_THAT(end.err, AllOf(HasSubstr("block (0, 0, 0), warp 1; active lanes 0xffffffff"),
                             HasSubstr("st.global."), HasSubstr("\n>    0   0x")));
}

TEST_F(RunTest, ShowsATimelineOfStreams) {
  folder_.Write("two.cu", R"(
__global__ void fill(int* out) { out[threadIdx.x] = 1; }
int main() {
  int* memory;
  cudaMalloc(&memory, 1024);
  cudaStream_t streams[2];
  for (int i = 0; i < 2; ++i) {
    cudaStreamCreate(&streams[i]);
    fill<<<1, 32, 0, streams[i]>>>(memory + 64 * i);
    cudaDeviceSynchronize();
  }
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFree(memory);
}
)");
  const End end = Run({"--timeline", "--counters", At("c.json"), At("two.cu")});
  EXPECT_EQ(end.code(), 0);
  EXPECT_THAT(end.err, HasSubstr("two.cu:10: cudaDeviceSynchronize: the host\n"));
  EXPECT_THAT(end.err, HasSubstr(" waits for stream 1; this costs overlap\n"));
  EXPECT_THAT(end.err, HasSubstr(" (two.cu:9), and they have no bytes in common\n"));
  EXPECT_THAT(end.err, HasSubstr("\n      stream 1                          stream 2\n"
                                 "   1  kernel fill :9\n"));
  const auto json = nlohmann::json::parse(ReadFile(At("c.json")).value());
  EXPECT_EQ(json["processes"][0]["timeline"]["operations"].size(), 2u);
  EXPECT_EQ(json["processes"][0]["timeline"]["costs"][0]["where"]["line"], 10);
}

TEST_F(RunTest, WritesCounters) {
  EXPECT_EQ(Run({"--counters", At("c.json"), Program()}).code(), 0);
  const auto json = nlohmann::json::parse(ReadFile(At("c.json")).value());
  const auto& kernel = json["processes"][0]["kernels"][0];
  EXPECT_EQ(kernel["kernel"], "columns(float const*, float*)");
  EXPECT_EQ(kernel["launches"], 1);
  EXPECT_EQ(kernel["counters"]["global_sectors"], 4 * (32 + 4));
  EXPECT_EQ(kernel["counters"]["global_sectors_ideal"], 4 * (4 + 4));
  EXPECT_EQ(Run({"--counters", "/none/c.json", Program()}).code(), 2);
  EXPECT_EQ(Run({"--json", At("j.json"), Program()}).code(), 0);
  EXPECT_EQ(nlohmann::json::parse(ReadFile(At("j.json")).value())["schema"], "warpcheck-run-1");
}

TEST_F(RunTest, WritesItsReportIntoFiles) {
  const std::string root = fs::path(Program()).parent_path();
  const End end = Run({"--report", At("r.txt"), "--html", At("r.html"), "--root", root, "--trace",
                       "columns:9", Program()});
  EXPECT_EQ(end.code(), 0);
  EXPECT_THAT(end.err, Not(HasSubstr("warp instr.")));
  const std::string report = ReadFile(At("r.txt")).value();
  const std::string page = ReadFile(At("r.html")).value();
  EXPECT_THAT(report, HasSubstr("warp instr."));
  for (const std::string& text : {report, page}) {
    EXPECT_THAT(text, HasSubstr("columns(float const*, float*)"));
    EXPECT_THAT(text, HasSubstr("32 sectors, ideally 4"));
    EXPECT_THAT(text, HasSubstr("program.cu:9"));
    EXPECT_THAT(text, Not(HasSubstr("/program.cu:9")));
  }
  EXPECT_THAT(page, HasSubstr("<svg class=\"access\""));
  EXPECT_EQ(Run({"--html", "/none/r.html", Program()}).code(), 2);
}

TEST_F(RunTest, WritesSarif) {
  EXPECT_EQ(Run({"--sarif", At("r.sarif"), Program(), "beyond"}).code(), 0);
  const auto log = nlohmann::json::parse(ReadFile(At("r.sarif")).value());
  const auto& result = log["runs"][0]["results"][0];
  EXPECT_EQ(result["ruleId"], "out_of_bounds_write");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 12);
  EXPECT_EQ(Run({"--sarif", "/none/r.sarif", Program()}).code(), 2);
}

TEST_F(RunTest, ShowsTheSameOnAnyNumberOfThreads) {
  folder_.Write("big.cu", R"(
#include <cstdio>
__global__ void add(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + blockIdx.x;
}
int main() {
  constexpr int kCount = 1 << 16;
  static int host[kCount];
  int *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  for (int i = 0; i < 3; ++i) add<<<kCount / 128, 128>>>(i == 2 ? out : in, out, kCount);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kCount; i += 4321) std::printf("%d ", host[i]);
  cudaFree(in);
  cudaFree(out);
}
)");
  const auto run = [&](const std::string& threads) {
    const End end = Run({"--threads", threads, "--counters", At("c.json"), At("big.cu")});
    EXPECT_EQ(end.code(), 0);
    const auto counters = nlohmann::json::parse(ReadFile(At("c.json")).value_or("{}"));
    return end.out + end.err + counters["processes"][0]["kernels"].dump(1);
  };
  const std::string alone = run("1");
  EXPECT_THAT(alone, AllOf(HasSubstr("0 66 134 "), HasSubstr("grid 512, ")));
  EXPECT_EQ(run("2"), alone);
  EXPECT_EQ(run("5"), alone);
  EXPECT_EQ(Run({"--threads", "0", At("big.cu")}).code(), 2);
}

TEST_F(RunTest, TracesALine) {
  const End end = Run({"--trace", "columns:9", Program()});
  EXPECT_EQ(end.code(), 0);
  EXPECT_THAT(end.err, HasSubstr("global store of 4 bytes a lane: st.global."));
  EXPECT_THAT(end.err, HasSubstr("32 sectors, ideally 4\n"));
  EXPECT_THAT(end.err, HasSubstr("     2         +256     1  .  .  .  .  .  .  .    4 of 32\n"));
}

// A reader copies the name from a report.
TEST_F(RunTest, TracesAKernelUnderAnyOfItsNames) {
  folder_.Write("named.cu",
                "namespace {\n"
                "template <class T>\n"
                "__global__ void set(T* out) { out[threadIdx.x] = 1; }\n"
                "}\n"
                "int main() { int* p; cudaMalloc(&p, 128); set<<<1, 32>>>(p); cudaFree(p); }\n");
  for (const char* const target : {"set:3", "set<int>:3", "(anonymous namespace)::set:3",
                                   "void (anonymous namespace)::set<int>(int*):3"}) {
    EXPECT_THAT(Run({"--trace", target, At("named.cu")}).err, HasSubstr("global store")) << target;
  }
}

TEST_F(RunTest, SaysWhatCannotBeTraced) {
  EXPECT_THAT(Run({"--trace", "rows:9", Program()}).err,
              HasSubstr("there is no kernel rows to trace\n  the program launched columns\n"));
  EXPECT_THAT(Run({"--trace", "columns:1", Program()}).err,
              HasSubstr("line 1 of columns made no access to global or shared memory"));
  for (const char* const target :
       {"columns", "columns:", "columns:x", ":9", "(int*):9", "columns:0"}) {
    const End end = Run({"--trace", target, Program()});
    EXPECT_EQ(end.code(), 2) << target;
    EXPECT_THAT(end.err, HasSubstr("is not of the form kernel:line")) << target;
  }
}

TEST_F(RunTest, BuildsAnewWhatHasChanged) {
  EXPECT_THAT(Run({Program()}).err, HasSubstr("grid 4, "));
  shared_->Write("size.h", "constexpr int kBlocks = 5;\n");
  EXPECT_THAT(Run({Program()}).err, HasSubstr("grid 5, "));
  shared_->Write("size.h", "constexpr int kBlocks = 4;\n");
  EXPECT_THAT(Run({"--nvcc", "-DkBlocks=6*0+kBlocks", "--nvcc", "-O1", Program()}).err,
              HasSubstr("error"));
  shared_->Write("size.h", "constexpr int kBlocks = 4;\n");
  EXPECT_THAT(Run({Program()}).err, HasSubstr("grid 4, "));
}

TEST_F(RunTest, SaysWhyAProgramCannotBeRun) {
  const auto complaint = [&](std::vector<std::string> arguments) {
    const End end = Run(std::move(arguments));
    EXPECT_EQ(end.code(), 2) << end.err;
    return end.err;
  };
  EXPECT_EQ(complaint({"no_such_program"}),
            "warpcheck: error: there is no program no_such_program\n");
  EXPECT_EQ(complaint({At("none")}),
            "warpcheck: error: there is no program " + At("none").string() + "\n");
  EXPECT_EQ(complaint({At("none.cu")}),
            "warpcheck: error: there is no program " + At("none.cu").string() + "\n");
  EXPECT_EQ(complaint({At("tmp")}),
            "warpcheck: error: " + At("tmp").string() + " is a folder, not a program\n");
  EXPECT_EQ(complaint({folder_.Write("notes.txt", "notes")}),
            "warpcheck: error: " + At("notes.txt").string() +
                " is not executable\n  give a program or a .cu file\n");
  EXPECT_THAT(complaint({folder_.Write("bad.cu", "int main() { return x; }")}),
              AllOf(HasSubstr("identifier \"x\" is undefined"), HasSubstr("could not be built")));
  EXPECT_THAT(complaint({"--check", "everything", Program()}),
              HasSubstr("there is no checker \"everything\"\n  choose all, none, or some of"));
  EXPECT_THAT(complaint({"--bogus", Program()}), HasSubstr("there is no option --bogus"));
  EXPECT_THAT(complaint({"--report"}), HasSubstr("a program is missing"));
  EXPECT_THAT(complaint({"--"}), HasSubstr("a program is missing"));
  EXPECT_EQ(complaint({"--", "--help"}), "warpcheck: error: there is no program --help\n");
  EXPECT_THAT(complaint({}), HasSubstr("a program is missing"));
}

TEST_F(RunTest, AsksForASharedRuntime) {
  const fs::path source =
      folder_.Write("a.cu", "__global__ void f() {}\nint main() { f<<<1, 1>>>(); }");
  const std::string build =
      std::string(WARPCHECK_NVCC) + " " + source.string() + " -o " + At("static").string();
  ASSERT_EQ(std::system(build.c_str()), 0);
  const End end = Run({At("static")});
  EXPECT_EQ(end.code(), 2);
  EXPECT_THAT(end.err, HasSubstr("has the CUDA runtime linked into it, which cannot be replaced\n"
                                 "  build it with nvcc -cudart shared"));
  // nvcc compresses device code by default.
  ASSERT_EQ(std::system((build + " -cudart shared").c_str()), 0);
  EXPECT_THAT(Run({At("static")}).err, HasSubstr("f()\n  1 launch, grid 1, block 1\n"));
}

// An empty CUDA_HOME hides the toolkit.
TEST_F(RunTest, SaysThatNvccIsMissing) {
  const std::string toolkit = fs::canonical(WARPCHECK_NVCC).parent_path().parent_path();
  const std::string source = folder_.Write("a.cu", "int main() {}");
  const std::string hidden = "env -u CUDA_HOME PATH=/usr/bin:/bin bwrap --dev-bind / / --tmpfs " +
                             toolkit + " " WARPCHECK_PROGRAM " run " + source + " 2>" +
                             At("err").string();
  const int status = std::system(hidden.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_EQ(ReadFile(At("err")).value(),
            "warpcheck: error: " + source +
                " cannot be built: there is no nvcc\n"
                "  install the CUDA Toolkit, or set CUDA_HOME to where it is\n");
}

TEST_F(RunTest, RunsProgramsWithoutCuda) {
  const End other = Run({"sh", "-c", "echo $0 $1; exit 3", "a", "b"});
  EXPECT_EQ(other.code(), 3);
  EXPECT_EQ(other.out, "a b\n");
  EXPECT_THAT(other.err, HasSubstr("sh made no call of the CUDA runtime\n"));
}

}  // namespace
}  // namespace warpcheck
