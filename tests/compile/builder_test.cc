// Tests compiling, with the toolkit that warpcheck was built with.
#include "compile/builder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "base/text/demangle.h"
#include "compile/embedded_ptx.h"
#include "sandbox/bubblewrap.h"
#include "sandbox/unconfined.h"

namespace warpcheck::compile {
namespace {

namespace fs = std::filesystem;

constexpr char kGood[] =
    "#include \"task.h\"\n"
    "__global__ void Double(float* x) { x[threadIdx.x] *= FACTOR; }\n"
    "void run(float* x) { Double<<<1, 32>>>(x); }\n";

// Counts how many processes are started.
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
    folder_ = testing::TempDir() + "warpcheck_compile_test";
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
  EXPECT_EQ(started_, 2) << "a damaged entry is made anew";

  Write("task.h", "#define FACTOR 3.0f\n");
  ASSERT_TRUE(Build(file));
  EXPECT_EQ(started_, 2) << "a changed header is another key";
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

TEST_F(BuildTest, NamesTheLineOfInlinePtxThatDoesNotAssemble) {
  const CompileError error = Refused(
      "__global__ void K(float* x) {\n  x[0] = 1;\n  asm volatile(\"bad.instr %%r1;\");\n}\n");
  EXPECT_EQ(error.where.Text(), "bad.cu:3");
  EXPECT_EQ(error.message, "Unknown modifier '.instr', in the PTX `bad.instr %%r1;`");
}

TEST_F(BuildTest, NamesWhatIsDefinedTwice) {
  Write("both/a.cu", "__global__ void Tile(float* x) { x[0] = 1; }\nvoid f() {}\n");
  Write("both/b.cu",
        "__global__ void Tile(float* x);\n\n__global__ void Tile(float* x) { x[0] = 2; }\n");
  const auto outcome = Build(folder_ / "both");
  ASSERT_TRUE(outcome && outcome->error);
  EXPECT_EQ(outcome->error->where.Text(), "b.cu:3");
  EXPECT_EQ(outcome->error->message, "Tile(float*) is defined in a.cu and in b.cu");
  EXPECT_NE(outcome->error->log.find("hint: all .cu files are compiled together"),
            std::string::npos)
      << outcome->error->log;
}

TEST_F(BuildTest, SaysWhatToDoAboutAnError) {
  const auto hint = [&](const std::string& text) {
    const CompileError error = Refused(text);
    const std::size_t at = error.log.find("hint: ");
    return at == std::string::npos ? error.log : error.log.substr(at + 6);
  };
  EXPECT_EQ(hint("__global__ void K() {}\n__global__ void L() { K<<<1, 1>>>(); }\n"),
            "kernels that launch kernels (dynamic parallelism) are not run here: launch them from "
            "the host, one after the other\n");
  EXPECT_EQ(
      hint("void f(float*);\nextern \"C\" void f(float*) {}\n"),
      "remove extern \"C\": the function is declared without it in the assignment's header\n");
  EXPECT_EQ(
      hint("#include <opencv2/opencv.hpp>\n"),
      "there is no such library here: a submission has the CUDA runtime and the C++ library\n");
  EXPECT_EQ(hint("void f() { std::vector<int> v; }\n"), "#include <vector>\n");
  EXPECT_EQ(hint("void h() {}\n__global__ void K() { h(); }\n"),
            "a kernel calls __device__ functions only: mark it __device__\n");
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
            "cannot write to /proc/cache: No such file or directory");
  fs::remove(folder_ / "task.h");
  EXPECT_EQ(Fault(file, Failure::Blame::kMachine),
            "there is no header " + (folder_ / "task.h").string());
}

// This nvcc fails on every program, as an nvcc without space to write does. The machine is at
// fault.
TEST_F(BuildTest, DoubtsNvccWhereItIsTold) {
  const fs::path nvcc =
      Write("broken/bin/nvcc", "#!/bin/sh\necho 'x.cu(1): error: no' >&2; exit 1\n");
  fs::permissions(nvcc, fs::perms(0755));
  settings_.nvcc = nvcc;
  const fs::path good = Write("good.cu", kGood);
  settings_.doubts_nvcc = true;
  EXPECT_NE(Fault(good, Failure::Blame::kMachine).find("correct test program: x.cu(1): error: no"),
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

TEST_F(BuildTest, TellsWhatPtxasGivesTheKernels) {
  const fs::path file = Write("k.cu",
                              "__global__ void Plain(float* x) {\n"
                              "  __shared__ float s[64];\n"
                              "  s[threadIdx.x] = x[threadIdx.x];\n"
                              "  __syncthreads();\n"
                              "  x[threadIdx.x] = s[63 - threadIdx.x];\n"
                              "}\n"
                              "__global__ void Array(float* x, int n) {\n"
                              "  float a[64];\n"
                              "  for (int i = 0; i < 64; ++i) a[(i * n) & 63] = x[i];\n"
                              "  x[n] = a[n & 63];\n"
                              "}\n"
                              "__global__ void __maxnreg__(32) Spills(float* x) {\n"
                              "  float a[64];\n"
                              "#pragma unroll\n"
                              "  for (int i = 0; i < 64; ++i) a[i] = x[i * 32 + threadIdx.x];\n"
                              "  __syncthreads();\n"
                              "#pragma unroll\n"
                              "  for (int i = 0; i < 64; ++i) x[i * 64] = a[i] * a[63 - i];\n"
                              "}\n");
  const auto first = Build(file);
  ASSERT_TRUE(first && first->artifact);
  ASSERT_EQ(first->artifact->modules.size(), 1U);
  std::map<std::string, KernelResources> kernels;
  for (const auto& kernel : first->artifact->modules[0].kernels) {
    kernels[Demangle(kernel.name)] = kernel;
  }
  const KernelResources& plain = kernels["Plain(float*)"];
  EXPECT_GT(plain.registers, 0U);
  EXPECT_EQ(plain.shared_bytes, 256U);
  EXPECT_EQ(plain.stack_bytes, 0U);
  EXPECT_FALSE(plain.spills());
  EXPECT_EQ(kernels["Array(float*, int)"].stack_bytes, 256U);
  EXPECT_FALSE(kernels["Array(float*, int)"].spills());
  EXPECT_EQ(kernels["Spills(float*)"].registers, 32U);
  EXPECT_TRUE(kernels["Spills(float*)"].spills());
  const auto second = Build(file);
  ASSERT_TRUE(second && second->artifact && second->artifact->from_cache);
  EXPECT_EQ(second->artifact->modules, first->artifact->modules);
  std::ifstream object(first->artifact->shared_object);
  const std::string bytes{std::istreambuf_iterator<char>(object), {}};
  EXPECT_EQ(PtxDigest(bytes.substr(bytes.find(".version "))), first->artifact->modules[0].digest)
      << "the module that will be loaded is known by its PTX";
}

// A kernel that is too large for every GPU still compiles; its launch fails.
TEST_F(BuildTest, KeepsWhatPtxasRefuses) {
  const auto outcome = Build(Write("k.cu",
                                   "__global__ void K(float* x) {\n"
                                   "  __shared__ float s[20000];\n"
                                   "  s[threadIdx.x] = x[0];\n"
                                   "  x[1] = s[threadIdx.y];\n"
                                   "}\n"));
  ASSERT_TRUE(outcome && outcome->artifact);
  ASSERT_EQ(outcome->artifact->modules.size(), 1U);
  EXPECT_NE(outcome->artifact->modules[0].refusal.find("uses too much shared data"),
            std::string::npos)
      << outcome->artifact->modules[0].refusal;
}

// Some editors on Windows save UTF-16.
TEST_F(BuildTest, SaysWhatIsNoUtf8) {
  std::string wide = "\xff\xfe";
  for (const char c : std::string(kGood)) wide += {c, '\0'};
  const auto refusal = [&](const std::string& text) {
    const auto outcome = Build(Write("wide.cu", text));
    EXPECT_EQ(outcome.error().blame, Failure::Blame::kSubmission);
    return outcome.error().message;
  };
  EXPECT_EQ(refusal(wide), "wide.cu is written in UTF-16, which compilers do not read");
  EXPECT_EQ(refusal(wide.substr(2)), "wide.cu is written in UTF-16, which compilers do not read");
  EXPECT_EQ(refusal(std::string(kGood) + '\0'), "wide.cu has null bytes: it is not a text file");
  const auto bom = Build(Write("bom.cu", "\xef\xbb\xbf" + std::string(kGood)));
  EXPECT_TRUE(bom && bom->artifact);
}

TEST_F(BuildTest, TwoFilesOfOneNameAreRefused) {
  Write("twins/new/k.cu", kGood);
  Write("twins/old/k.cu", kGood);
  EXPECT_EQ(Fault(folder_ / "twins"), "two files are named k.cu: new/k.cu and old/k.cu");
}

TEST_F(BuildTest, CompilesTheLanguageOfTheRubric) {
  const fs::path file = Write("k.cu",
                              "template <class T> concept Number = requires(T x) { x * x; };\n"
                              "template <class F> __global__ void Each(int* x, F f) {\n"
                              "  x[threadIdx.x] = f(threadIdx.x);\n"
                              "}\n"
                              "auto Square = []<Number T>(T x) { return x * x; };\n"
                              "void run(int* x) {\n"
                              "  Each<<<1, 32>>>(x, [] __device__(int i) { return i * i; });\n"
                              "}\n");
  Builder builder(*sandbox_, settings_);
  const auto with = [&](Language language) {
    return builder.Build({.submission = file, .headers = {}, .language = std::move(language)});
  };
  const auto plain = with({});
  ASSERT_TRUE(plain && plain->error);
  EXPECT_NE(plain->error->log.find("--extended-lambda"), std::string::npos) << plain->error->log;
  const auto extended = with({.flags = {"--extended-lambda"}});
  ASSERT_TRUE(extended && extended->artifact) << extended->error->log;
  const auto old = with({.standard = 17, .flags = {"--extended-lambda"}});
  EXPECT_TRUE(old && old->error);
}

TEST_F(BuildTest, RefusesHeadersThatAreNotAllowed) {
  const auto build = [&](const std::string& includes) {
    const std::string text = includes + "#include \"task.h\"\n__global__ void k() {}\n";
    const auto outcome = Builder(*sandbox_, settings_)
                             .Build({.submission = Write("a/task.cu", text),
                                     .headers = {folder_ / "task.h"},
                                     .language = {.allow = {"standard", "cooperative_groups.h"}}});
    if (!outcome) return outcome.error().Text();
    return outcome->error ? outcome->error->where.Text() + " " + outcome->error->message : "";
  };
  EXPECT_EQ(build("#include <cmath>\n#include <math.h>\n#include <vector>\n"
                  "#include <cooperative_groups.h>\n"),
            "");
  EXPECT_EQ(build("\n#include <cooperative_groups/reduce.h>\n"
                  "using Plus = cooperative_groups::plus<int>;\n"),
            "task.cu:2 <cooperative_groups/reduce.h> is not allowed here");
  EXPECT_EQ(build("#line 7 \"/usr/include/math.h\"\n#include <mma.h>\n"),
            "task.cu:7 <mma.h> is not allowed here");
  EXPECT_EQ(build("#ifndef __CUDA_ARCH__\n#define H <cub/util_type.cuh>\n#include H\n"
                  "cub::NullType nothing;\n#endif\n"),
            "task.cu:3 <cub/util_type.cuh> is not allowed here");
  EXPECT_EQ(build("#define H #\n H include \"/submission/task.h\"\n"),
            "task.cu:2 a macro makes a line that begins with `#`, as an #include does");
  const std::string hidden = "\n# 1 \"/usr/include/math.h\" 1 3\n#include <mma.h>\n";
  const std::string found = "task.cu:2 only compilers may write a line `# number \"file\"`";
  EXPECT_EQ(build("// /*" + hidden), found);
  EXPECT_EQ(build("auto s = R\"(" + hidden + ")\";\n#include <mma.h>\n"), found);
  EXPECT_EQ(build("\n /* */ %: /* \n */ 1 \"/usr/include/math.h\" 1 3\n"),
            "task.cu:3 only compilers may write a line `# number \"file\"`");
}

// If the program needs a forbidden header, it is refused before nvcc starts. If it does not need
// the header, it is compiled without it, and gets a warning.
TEST_F(BuildTest, CompilesWithoutForbiddenHeadersThatAreNotNeeded) {
  const Language language{.forbid = {"libraries", "collectives"}};
  const auto build = [&](const std::string& text) {
    Counting counting(*sandbox_);
    Builder builder(counting, settings_);
    auto outcome = builder.Build(
        {.submission = Write("b/task.cu", text), .headers = {}, .language = language});
    started_ = counting.started;
    return outcome;
  };
  const std::string kernel = "__global__ void k(int* x) { *x = 1; }\n";
  const std::string warning =
      "is not allowed here, and the program does not need it: it was compiled without this line\n";
  const auto needless = build("#include <cstdio>\n#include <thrust/device_vector.h>\n" + kernel);
  ASSERT_TRUE(needless && needless->artifact);
  EXPECT_EQ(needless->artifact->warnings,
            "task.cu(2): warning: <thrust/device_vector.h> " + warning);
  EXPECT_EQ(started_, 4) << "the preprocessor for device and host, nvcc and ptxas";
  // Also where this machine does not have the header, and where only the host would include it.
  const auto missing = build(
      "#include <cudnn_graph_v99.h>\n#ifndef __CUDA_ARCH__\n"
      "#include <cub/cub.cuh>\n#endif\n" +
      kernel);
  ASSERT_TRUE(missing && missing->artifact);
  EXPECT_EQ(missing->artifact->warnings, "task.cu(1): warning: <cudnn_graph_v99.h> " + warning +
                                             "task.cu(3): warning: <cub/cub.cuh> " + warning);
  const auto needed = build(
      "#include <cooperative_groups.h>\n#include <thrust/complex.h>\n"
      "__global__ void k(thrust::complex<float>* x) { *x += 1; }\n");
  ASSERT_TRUE(needed && needed->error);
  EXPECT_EQ(needed->error->where.Text() + " " + needed->error->message,
            "task.cu:2 <thrust/complex.h> is not allowed here");
  EXPECT_NE(needed->error->log.find("without it the compiler says:\ntask.cu(3): error: "),
            std::string::npos)
      << needed->error->log;
  const auto allowed = build(
      "#include <cuda_profiler_api.h>\n#include <cuda_fp8.h>\n"
      "#include <cooperative_groups.h>\n#include <cuda/barrier>\n" +
      kernel);
  ASSERT_TRUE(allowed && allowed->artifact);
  EXPECT_EQ(allowed->artifact->warnings, "");
  EXPECT_EQ(started_, 2);
}

TEST_F(BuildTest, EvictsWhatIsLongestUnused) {
  const auto age = [&](const Outcome& outcome, int hours) {
    fs::last_write_time(outcome.artifact->shared_object.parent_path(),
                        fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  std::vector<fs::path> files;
  for (const std::string name : {"a", "b", "c"}) {
    files.push_back(Write(name + ".cu", "void " + name + "() {}\n"));
    const auto outcome = Build(files.back());
    ASSERT_TRUE(outcome && outcome->artifact);
    age(*outcome, 4 - static_cast<int>(files.size()));  // the file "a" is the oldest
  }
  ASSERT_TRUE(Build(files[0]));
  EXPECT_EQ(started_, 0);
  settings_.cache_bytes = 1;
  ASSERT_TRUE(Build(Write("d.cu", "void d() {}\n")));
  ASSERT_TRUE(Build(files[0]));
  EXPECT_EQ(started_, 0) << "it was used just now, and somebody may be grading with it";
  ASSERT_TRUE(Build(files[1]));
  EXPECT_EQ(started_, 2);
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

// Makes a kernel with so many live values that it is a small file for nvcc but much work for ptxas.
std::string KernelOfManyValues(const std::string& name, int values) {
  std::string loads;
  std::string uses;
  std::string stores;
  for (int i = 0; i < values; ++i) {
    loads += fmt::format("ld.volatile.global.f32 v{0},[%0+{1}];\\n", i, 4 * i);
    for (const int turn : {3, 5}) {
      uses += fmt::format("fma.rn.f32 v{0},v{1},v{2},v{0};\\n", i, (i * 7 + turn) % values,
                          (i * 13 + turn) % values);
    }
    stores += fmt::format("st.global.f32 [%0+{1}],v{0};\\n", i, 4 * i);
  }
  return fmt::format(
      "__global__ void {}(float* p) {{ asm volatile(\"{{.reg .f32 v<{}>;\\n{}{}{}}}\" :: "
      "\"l\"(p)); }}\n",
      name, values, loads, uses, stores);
}

// ptxas needs 5 s for each of these files, and may use 15 s for all of them.
TEST_F(BuildTest, AsksPtxasNoLongerForManyFilesThanForOne) {
  const auto submission = folder_ / "many";
  std::filesystem::create_directory(submission);
  for (int i = 0; i < 8; ++i) {
    std::ofstream(submission / fmt::format("m{}.cu", i))
        << KernelOfManyValues(fmt::format("hard{}", i), 2000);
  }
  const auto outcome = Build(submission);
  ASSERT_TRUE(outcome) << outcome.error().Text();
  ASSERT_TRUE(outcome->error);
  EXPECT_EQ(outcome->error->message,
            "ptxas, which counts the registers of the kernels, used more than 15 s of CPU time for "
            "all files together");
}

TEST_F(BuildTest, WorksWithoutIsolation) {
  sandbox_ = sandbox::MakeUnconfined();
  const auto outcome = Build(Write("good.cu", kGood));
  ASSERT_TRUE(outcome) << outcome.error().Text();
  ASSERT_TRUE(outcome->artifact) << outcome->error->log;
  EXPECT_EQ(Refused("int x = y;\n").where.Text(), "bad.cu:1");
}

}  // namespace
}  // namespace warpcheck::compile
