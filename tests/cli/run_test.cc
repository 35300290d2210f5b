// Tests `warpcheck run` in the way that a person uses it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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

// Programs that make one mistake each, by their first argument.
constexpr char kMistakes[] = R"(
#include <cstdio>
#include <cstdlib>
#include <condition_variable>
#include <mutex>
#include <string>
#include <dlfcn.h>

__constant__ int table[4];
__global__ void fills_constant(const int* in) { table[threadIdx.x] = in[threadIdx.x]; }
__global__ void sets(int* out) { out[threadIdx.x] = 7; }
__global__ void waits(int* in, int* flag) {
  if (threadIdx.x == 0) flag[0] = in[3];
  while (*(volatile int*)&flag[1] == 0);
}

std::mutex mutex;
std::condition_variable changed;
bool done = false;
void Tells(void*) {
  std::lock_guard<std::mutex> lock(mutex);
  done = true;
  changed.notify_one();
}

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  int *a = nullptr, *b = nullptr, host[64] = {};
  if (what == "calls") {
    cudaMalloc(&a, 64); cudaMemcpy(a, host, 64, cudaMemcpyHostToDevice); cudaFree(a);
  }
  if (what == "loads") {
    dlopen(argv[2], RTLD_NOW);
    cudaDeviceSynchronize();
  }
  if (what == "too_much") {
    cudaMalloc(&a, 6ull << 30);  // too_much
    sets<<<1, 32>>>(a);
    cudaDeviceSynchronize();
  }
  if (what == "no_blocks") {
    cudaMalloc(&a, 256);
    sets<<<argc - 2, 16>>>(a);  // no_blocks
    std::printf("%s", cudaGetErrorName(cudaGetLastError()));
    cudaFree(a);
  }
  if (what == "constant") {
    cudaMalloc(&a, 64); cudaMemset(a, 0, 64);
    fills_constant<<<1, 4>>>(a);
    cudaDeviceSynchronize();
  }
  if (what == "hangs") {
    cudaMalloc(&a, 64); cudaMalloc(&b, 64); cudaMemset(b, 0, 64);
    std::printf("now"); std::fflush(stdout);
    waits<<<1, 32>>>(a, b);
    cudaDeviceSynchronize();
  }
  if (what == "leaks") {
    cudaMalloc(&a, 64), cudaMallocHost(&b, 128), cudaMalloc(&a, 256);  // leaks
  }
  if (what == "is_told") {
    int* pinned = nullptr;
    cudaMalloc(&a, 1024); cudaMallocHost(&pinned, 1024);
    cudaStream_t stream; cudaStreamCreate(&stream);
    sets<<<1, 256, 0, stream>>>(a);
    cudaMemcpyAsync(pinned, a, 1024, cudaMemcpyDeviceToHost, stream);
    if (argc > 2) return 0;
    cudaLaunchHostFunc(stream, Tells, nullptr);
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return done; });
    std::printf("%d", pinned[255]);
  }
  if (what == "half") {
    cudaMalloc(&a, 256); cudaMalloc(&b, 256); cudaMemset(b, 0, 256);
    sets<<<1, 32>>>(a);
    cudaMemcpy(host, a, 256, cudaMemcpyDeviceToHost);  // nothing else
    sets<<<1, 48>>>(b);
    cudaMemcpy(host, b, 256, cudaMemcpyDeviceToHost);  // filled
    sets<<<1, 64>>>(b);
    cudaMemcpy(host, b, 256, cudaMemcpyDeviceToHost);
    sets<<<1, 16>>>(b);
    cudaMemcpy(host, b, 256, cudaMemcpyDeviceToHost);  // last copied
    cudaFree(a); cudaFree(b);
    return argc > 2 ? 1 : 0;
  }
}
)";

// Returns the number of the first line of kMistakes with this text.
std::string LineWith(const std::string& text) {
  const std::string before = std::string(kMistakes).substr(0, std::string(kMistakes).find(text));
  return std::to_string(1 + std::ranges::count(before, '\n'));
}

// Joins the lines of a text, which may be wrapped anywhere.
std::string OnOneLine(const std::string& text) {
  std::string one;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n';
    if (!space || !one.ends_with(' ')) one += space ? ' ' : c;
  }
  return one;
}

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
    shared_->Write("mistakes.cu", kMistakes);
  }
  void TearDown() override {
    EXPECT_TRUE(!fs::exists(At("tmp")) || fs::is_empty(At("tmp"))) << "a folder was left behind";
    ::unsetenv("TMPDIR");
  }

  static std::string Program() { return shared_->path() / "program.cu"; }
  static std::string Mistakes() { return shared_->path() / "mistakes.cu"; }
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
  EXPECT_THAT(OnOneLine(end.err),
              AllOf(HasSubstr("endless(int volatile*) was still running when the program ended: "
                              "<<<1, 1>>>, at "),
                    HasSubstr("program.cu:14, in a loop that waits for a value that no running "
                              "thread writes")));
}

TEST_F(RunTest, KeepsWhatItFoundWhenASignalEndsTheKernel) {
  ASSERT_EQ(Run({Mistakes()}).code(), 0);  // the first run builds it
  for (const int signal : {SIGINT, SIGTERM}) {
    const pid_t pid = Start({Mistakes(), "hangs"});
    const auto tick = [] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); };
    for (int i = 0; i < 300 && ReadFile(At("out")).value_or("").empty(); ++i) tick();
    for (int i = 0; i < 5; ++i) tick();
    // A terminal sends SIGINT to the program, too.
    const std::string children = "pkill -INT -P " + std::to_string(pid);
    const bool sent =
        signal == SIGINT ? std::system(children.c_str()) == 0 : ::kill(pid, signal) == 0;
    ASSERT_TRUE(sent);
    const End end = Wait(pid);
    EXPECT_TRUE(WIFSIGNALED(end.status));
    EXPECT_EQ(WTERMSIG(end.status), signal);
    const std::string report = OnOneLine(end.err);
    EXPECT_THAT(report, HasSubstr("mistakes.cu:" + LineWith("*(volatile int*)")));
    EXPECT_THAT(report, HasSubstr("a use of memory that nothing has written: reads element 3 of"));
    EXPECT_THAT(report, HasSubstr("mistakes.cu:" + LineWith("flag[0] = in[3]")));
    EXPECT_THAT(report, HasSubstr("waits(int*, int*) 1 launch, grid 1, block 32"));
  }
}

TEST_F(RunTest, SaysThatAProgramCalledTheRuntime) {
  const End end = Run({Mistakes(), "calls"});
  EXPECT_THAT(end.err, HasSubstr("it called the CUDA runtime, and launched no kernel\n"));
  EXPECT_THAT(end.err, Not(HasSubstr("made no call")));
  EXPECT_THAT(Run({Mistakes()}).err, HasSubstr("made no call of the CUDA runtime"));
}

// Libraries with the names of NVIDIA's stand for them.
TEST_F(RunTest, SaysFirstWhatItDoesNotOffer) {
  const auto compile = [&](const std::string& command) {
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  };
  folder_.Write("empty.c", "int cublasCreate_v2(void* handle) { return 1; }\n");
  for (const char* const name : {"libcublas.so.13", "libcufft.so.12", "libother.so.1"}) {
    compile("gcc -shared -fPIC -Wl,-soname," + std::string(name) + " " + At("empty.c").string() +
            " -o " + At(name).string());
  }
  folder_.Write("blas.cu", R"(
extern "C" int cublasCreate_v2(void*);
__global__ void reads(int* a) { a[1] = a[0]; }
int main() { int* a; cudaMalloc(&a, 64); cublasCreate_v2(a); reads<<<1, 1>>>(a);
  cudaDeviceSynchronize(); cudaFree(a); }
)");
  const End linked = Run({"--nvcc", "-Xlinker", "--nvcc", At("libcublas.so.13"), "--nvcc",
                          "-Xlinker", "--nvcc", "-rpath=" + At("").string(), At("blas.cu")});
  EXPECT_THAT(linked.err, StartsWith("\nwarpcheck run: the program uses cuBLAS"));
  EXPECT_THAT(OnOneLine(linked.err), HasSubstr("the program uses cuBLAS (libcublas.so.13), which "
                                               "warpcheck does not offer"));
  const End loaded = Run({Mistakes(), "loads", At("libcufft.so.12")});
  EXPECT_THAT(OnOneLine(loaded.err),
              HasSubstr("the program uses cuFFT (libcufft.so.12), which warpcheck"));
  EXPECT_THAT(Run({Mistakes(), "loads", At("libother.so.1")}).err, Not(HasSubstr("not offer")));
  // A program that another one starts.
  compile(std::string(WARPCHECK_NVCC) + " " + Mistakes() + " -o " + At("static").string());
  const End child = Run({"sh", "-c", At("static").string() + "; true"});
  EXPECT_THAT(OnOneLine(child.err), HasSubstr("static has the CUDA runtime linked into it, which "
                                              "cannot be replaced: nothing of what it does was "
                                              "seen. Build it with nvcc -cudart shared"));
}

TEST_F(RunTest, SaysWhichCallsReturnedAnError) {
  const std::string memory = OnOneLine(Run({Mistakes(), "too_much"}).err);
  EXPECT_THAT(memory, HasSubstr("mistakes.cu:" + LineWith("// too_much") + " "));
  EXPECT_THAT(memory, HasSubstr("cudaMalloc returned cudaErrorMemoryAllocation: "
                                "4,294,967,296 of the 4,294,967,296 bytes of the device are free"));
  EXPECT_THAT(memory, HasSubstr("hint: warpcheck run --memory GIB gives the device more"));
  EXPECT_LT(memory.find("MemoryAllocation"), memory.find("null"));
  const End launch = Run({Mistakes(), "no_blocks"});
  EXPECT_THAT(OnOneLine(launch.err),
              HasSubstr("mistakes.cu:" + LineWith("// no_blocks") + " sets<<<argc - 2, 16>>>(a);"));
  EXPECT_THAT(launch.err, HasSubstr("a launch that the device refuses"));
  EXPECT_THAT(launch.err, Not(HasSubstr("returned cuda")));
}

TEST_F(RunTest, NamesAStoreToConstantMemory) {
  const std::string line = LineWith("table[threadIdx.x] =");
  for (int i = 0; i < 2; ++i) {  // nvcc warns only when it builds the program
    const std::string report = OnOneLine(Run({Mistakes(), "constant"}).err);
    EXPECT_THAT(report, HasSubstr("mistakes.cu:" + line + " "));
    EXPECT_THAT(report, HasSubstr("the compiler has put it in place of code that can do nothing "
                                  "defined, such as a store to a __constant__ variable"));
    EXPECT_THAT(report, HasSubstr("Cannot store to pointer that points to constant memory space"));
  }
}

TEST_F(RunTest, TellsOfEachLeakOfALine) {
  const std::string report = OnOneLine(Run({Mistakes(), "leaks"}).err);
  EXPECT_THAT(
      report,
      HasSubstr("cudaMalloc allocates 2 times, together 320 bytes, and nothing frees them"));
  EXPECT_THAT(report, HasSubstr("cudaHostAlloc allocates 128 bytes, and nothing frees them"));
  EXPECT_THAT(report, HasSubstr("call cudaFreeHost() for every cudaHostAlloc()"));
}

TEST_F(RunTest, KnowsThatAHostFunctionTellsOfEarlierWork) {
  const End told = Run({Mistakes(), "is_told"});
  EXPECT_EQ(told.out, "7");
  EXPECT_THAT(told.err, Not(HasSubstr("does not wait for")));
  EXPECT_THAT(OnOneLine(Run({Mistakes(), "is_told", "not"}).err),
              HasSubstr("the program does not wait for cudaMemcpyAsync, which"));
}

TEST_F(RunTest, SaysWhatNoLaunchHasWrittenIfTheProgramFails) {
  const std::string report = OnOneLine(Run({Mistakes(), "half", "fails"}).err);
  const auto at = [](const char* comment) {
    return "mistakes.cu:" + LineWith(std::string("// ") + comment) + " ";
  };
  EXPECT_THAT(report, HasSubstr("The program failed. What it copied to the host: "));
  EXPECT_THAT(report, HasSubstr(at("nothing else")));
  EXPECT_THAT(report, HasSubstr("no launch has written 128 of these 256 bytes, and nothing else "
                                "has. The first is byte 128. The memory is of cudaMalloc ("));
  EXPECT_THAT(report, HasSubstr(at("filled")));
  EXPECT_THAT(report, HasSubstr("no launch has written 64 of these 256 bytes since the host last "
                                "filled them. The first is byte 192."));
  EXPECT_THAT(report, HasSubstr(at("last copied")));
  EXPECT_THAT(report, HasSubstr("since the host last copied these 256 bytes, launches have written "
                                "only 64 of them"));
  EXPECT_THAT(Run({Mistakes(), "half"}).err, Not(HasSubstr("no launch has written")));
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

// C++20 has a midpoint() of its own, and `requires` is a word of the language.
TEST_F(RunTest, BuildsWithTheStandardOfNvcc) {
  const std::string older = folder_.Write("older.cu", R"(
#include <cstdio>
#include <numeric>
using namespace std;
template <class T> T midpoint(T a, T b) { return (a + b) / 2; }
int main() { int requires = midpoint(1, 3); printf("%d %ld", requires, __cplusplus); }
)");
  const End own = Run({older});
  EXPECT_EQ(own.out, "2 201703") << own.err;
  EXPECT_THAT(own.err, Not(HasSubstr("standard of C++")));
  const std::string newer = folder_.Write("newer.cu", R"(
#include <cstdio>
template <class T> concept Number = requires(T a) { a + a; };
int main() { printf("%d", Number<int>); }
)");
  const End other = Run({newer});
  EXPECT_EQ(other.out, "1") << other.err;
  EXPECT_THAT(other.err, HasSubstr("newer.cu does not compile with nvcc's own standard of C++. It "
                                   "was built with -std=c++20\n"));
  EXPECT_THAT(other.err, Not(HasSubstr("error")));
  const End named = Run({"--nvcc", "-std=c++17", newer});
  EXPECT_EQ(named.code(), 2);
  EXPECT_THAT(named.err, HasSubstr("could not be built"));
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
