// Tests modules that are written to exhaust the memory or the time of the process that loads them.
// Each must be loaded and launched, or refused with a reason, at a limited cost.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "device/device.h"
#include "emulator/emulator.h"

namespace warpcheck::emulator {
namespace {

// A sanitizer needs more of both, for its shadow memory and its checks.
#if defined(__SANITIZE_ADDRESS__)
constexpr long kSanitized = 6;
#else
constexpr long kSanitized = 1;
#endif
constexpr long kMostKilobytes = kSanitized * 1024 * 1024;
constexpr long kMostSeconds = kSanitized * 20;  // seconds of processor time

// Appends up to about `bytes` of PTX to a header.
using Shape = void (*)(std::string& ptx, std::size_t bytes);

// Appends body(i) for i = 0, 1, 2, ... until there are enough bytes.
template <class Body>
void Fill(std::string& ptx, std::size_t bytes, Body body) {
  for (int i = 0; ptx.size() < bytes; ++i) ptx += body(i);
}

void EmptyKernels(std::string& ptx, std::size_t bytes) {
  Fill(ptx, bytes, [](int i) { return fmt::format(".entry k{}(){{}}\n", i); });
}

void KernelsThatShareFunctions(std::string& ptx, std::size_t bytes) {
  ptx += ".func f0(){ret;}\n";
  int functions = 1;
  for (; ptx.size() < bytes / 2; ++functions) {
    ptx += fmt::format(".func f{}(){{call f{};ret;}}\n", functions, functions - 1);
  }
  Fill(ptx, bytes,
       [&](int i) { return fmt::format(".entry k{}(){{call f{};ret;}}\n", i, functions - 1); });
}

void KernelsThatShareALongFunction(std::string& ptx, std::size_t bytes) {
  ptx += ".func f(){.reg .b32 a;\n";
  Fill(ptx, bytes / 2, [](int i) { return fmt::format("mov.b32 a,{};\n", i); });
  ptx += "ret;}\n";
  Fill(ptx, bytes, [](int i) { return fmt::format(".entry k{}(){{call f;}}\n", i); });
}

void CallsThroughAddresses(std::string& ptx, std::size_t bytes) {
  ptx += ".func f(){ret;}\n.global .b64 t[1]={f};\n";
  Fill(ptx, bytes, [](int i) {
    return fmt::format(".entry k{}(){{.reg .b64 a;p:.callprototype _();call a,p;}}\n", i);
  });
}

void CallsWithManyArguments(std::string& ptx, std::size_t bytes) {
  ptx += ".func f();\n.entry k(){.reg .b32 a;call f,(a";
  Fill(ptx, bytes, [](int) { return ",a"; });
  ptx += ");}\n";
}

void OneLongFunction(std::string& ptx, std::size_t bytes) {
  ptx += ".entry k(){.reg .b32 a;\n";
  Fill(ptx, bytes, [](int) { return "add.u32 a,a,a;\n"; });
  ptx += "}\n";
}

void OneFunctionOfShortInstructions(std::string& ptx, std::size_t bytes) {
  ptx += ".entry k(){\n";
  Fill(ptx, bytes, [](int) { return "ret;"; });
  ptx += "}\n";
}

void Constants(std::string& ptx, std::size_t bytes) {
  ptx += ".entry k(){.reg .b64 a;\n";
  Fill(ptx, bytes, [](int i) { return fmt::format("mov.b64 a,{};\n", i); });
  ptx += "}\n";
}

// Each label is reached from two places before it, neither of which dominates it.
void IrreducibleBranches(std::string& ptx, std::size_t bytes) {
  ptx += ".entry k(){.reg .pred p;\n";
  int labels = 0;
  const auto block = [&labels] {
    const int here = labels++;
    return fmt::format("L{}:@p bra L{};@p bra L{};\n", here, here + 2, here > 2 ? here - 2 : here);
  };
  Fill(ptx, bytes, [&](int) { return block(); });
  ptx += fmt::format("L{}:L{}:ret;}}\n", labels, labels + 1);
}

void LoopsWithinLoops(std::string& ptx, std::size_t bytes) {
  ptx += ".entry k(){.reg .pred p;L:\n";
  Fill(ptx, bytes, [](int) { return "@p bra L;"; });
  ptx += "ret;}\n";
}

void RegistersThatLiveEverywhere(std::string& ptx, std::size_t bytes) {
  const int registers = static_cast<int>(bytes / 64);
  ptx += fmt::format(".entry k(){{.reg .pred p;.reg .b32 a;.reg .b32 r<{}>;L:\n", registers);
  Fill(ptx, bytes / 2, [](int) { return "@p bra L;"; });
  Fill(ptx, bytes, [&](int i) { return fmt::format("add.u32 a,a,r{};\n", i % registers); });
  ptx += "ret;}\n";
}

void TooManyRegisters(std::string& ptx, std::size_t) {
  ptx += ".entry k(){.reg .b32 %r<2000000000>;ret;}\n";
}

void RegistersWithALongName(std::string& ptx, std::size_t bytes) {
  ptx += ".entry k(){.reg .b32 " + std::string(bytes, 'r') + "<1000000>;ret;}\n";
}

void Blocks(std::string& ptx, std::size_t bytes) {
  ptx += ".entry k(){";
  Fill(ptx, bytes / 2, [](int) { return "{"; });
  Fill(ptx, bytes, [](int) { return "}"; });
  ptx += "}\n";
}

void AddressesWithinAddresses(std::string& ptx, std::size_t bytes) {
  ptx += ".entry k(){.reg .b32 a;tex.1d.v4.f32.s32 {a,a,a,a},";
  Fill(ptx, bytes, [](int) { return "[a,{"; });
}

void ManyOperands(std::string& ptx, std::size_t bytes) {
  ptx += ".entry k(){.reg .b32 a;add.u32 a";
  Fill(ptx, bytes, [](int) { return ",a"; });
  ptx += ";}\n";
}

void Suffixes(std::string& ptx, std::size_t bytes) {
  ptx += ".entry k(){add";
  Fill(ptx, bytes, [](int) { return ".a"; });
  ptx += " a;}\n";
}

void Places(std::string& ptx, std::size_t bytes) {
  ptx += ".file 1 \"a.cu\"\n.entry k(){\n";
  Fill(ptx, bytes, [](int i) { return fmt::format(".loc 1 {} 1\nret;", i + 1); });
  ptx += "}\n";
}

void PlacesInAFileWithALongName(std::string& ptx, std::size_t bytes) {
  ptx += ".file 1 \"" + std::string(bytes / 2, 'a') + "\"\n.entry k(){\n";
  Fill(ptx, bytes, [](int i) { return fmt::format(".loc 1 {} 1\nret;", i + 1); });
  ptx += "}\n";
}

void CodeInlinedDeeply(std::string& ptx, std::size_t bytes) {
  ptx += ".file 1 \"a.cu\"\n.entry k(){F:.loc 1 1 1\n";
  Fill(ptx, bytes, [](int i) {
    return fmt::format(".loc 1 {} 1, function_name F, inlined_at 1 {} 1\nret;", i + 2, i + 1);
  });
  ptx += "}\n";
}

void BranchTables(std::string& ptx, std::size_t bytes) {
  ptx += ".entry k(){.reg .b32 a;L:T:.branchtargets L";
  Fill(ptx, bytes / 2, [](int) { return ",L"; });
  ptx += ";\n";
  Fill(ptx, bytes, [](int) { return "brx.idx a,T;"; });
  ptx += "}\n";
}

void Variables(std::string& ptx, std::size_t bytes) {
  Fill(ptx, bytes, [](int i) { return fmt::format(".global .b8 v{};\n", i); });
}

void VariablesForEachKernel(std::string& ptx, std::size_t bytes) {
  Fill(ptx, bytes, [](int i) {
    return fmt::format(".shared .b8 v{0};.entry k{0}(){{.reg .b32 a;mov.b32 a,v{0};}}\n", i);
  });
}

void Addresses(std::string& ptx, std::size_t bytes) {
  ptx += ".global .b8 v;.global .b64 t[]={v";
  Fill(ptx, bytes, [](int) { return ",v"; });
  ptx += "};\n";
}

void LargeInitialValues(std::string& ptx, std::size_t bytes) {
  Fill(ptx, bytes, [](int i) { return fmt::format(".global .b8 v{}[100000000]={{1}};\n", i); });
}

void LargeVariables(std::string& ptx, std::size_t bytes) {
  ptx += ".global .b8 a[1048576][1048576][1048576];\n";
  Fill(ptx, bytes, [](int i) { return fmt::format(".global .b8 v{}[2147483648];\n", i); });
}

void SignaturesWithManyParameters(std::string& ptx, std::size_t bytes) {
  ptx += ".func f(.param .b8 p";
  for (int i = 0; i < 30'000 && ptx.size() < bytes / 2; ++i)
    ptx += fmt::format(",.param .b8 p{}", i);
  ptx += "){ret;}\n.entry k(){\n";
  Fill(ptx, bytes, [](int i) { return fmt::format("T{}:.calltargets f;\n", i); });
  ptx += "}\n";
}

void ParametersWithoutSize(std::string& ptx, std::size_t bytes) {
  ptx += ".entry k(.param .b8 p[0]";
  Fill(ptx, bytes / 2, [](int i) { return fmt::format(",.param .b8 p{}[0]", i); });
  ptx += "){.reg .b64 a;\n";
  Fill(ptx, bytes, [](int) { return "mov.b64 a,p0;\n"; });
  ptx += "}\n";
}

// Each type is a pointer to a function of two pointers of the previous type, so that each step
// doubles the demangled name.
void NamesThatGrow(std::string& ptx, std::size_t) {
  const auto number = [](int i) { return i == 0 ? "S_" : fmt::format("S{:X}_", i - 1); };
  std::string name = "_Z1fPi";
  for (int i = 0, last = 0; i < 7; ++i, last += 2) {
    name += fmt::format("PFv{0}{0}{0}{0}{0}{0}{0}{0}{0}{0}{0}{0}{0}{0}E", number(last));
  }
  ptx += ".entry " + name + "(){ret;}\n";
}

void KernelsWithoutABody(std::string& ptx, std::size_t) { ptx += ".extern .entry k();\n"; }

struct HostileCase {
  const char* name;
  Shape shape;
};

constexpr HostileCase kCases[] = {
#define CASE(shape) \
  { #shape, shape }
    CASE(EmptyKernels),
    CASE(KernelsThatShareFunctions),
    CASE(KernelsThatShareALongFunction),
    CASE(CallsThroughAddresses),
    CASE(CallsWithManyArguments),
    CASE(OneLongFunction),
    CASE(OneFunctionOfShortInstructions),
    CASE(Constants),
    CASE(IrreducibleBranches),
    CASE(LoopsWithinLoops),
    CASE(RegistersThatLiveEverywhere),
    CASE(TooManyRegisters),
    CASE(RegistersWithALongName),
    CASE(Blocks),
    CASE(AddressesWithinAddresses),
    CASE(ManyOperands),
    CASE(Suffixes),
    CASE(Places),
    CASE(PlacesInAFileWithALongName),
    CASE(CodeInlinedDeeply),
    CASE(BranchTables),
    CASE(Variables),
    CASE(VariablesForEachKernel),
    CASE(Addresses),
    CASE(LargeInitialValues),
    CASE(LargeVariables),
    CASE(SignaturesWithManyParameters),
    CASE(ParametersWithoutSize),
    CASE(NamesThatGrow),
    CASE(KernelsWithoutABody),
#undef CASE
};

void PrintTo(const HostileCase& one, std::ostream* out) { *out << one.name; }

struct Log : DeviceLog {
  void OnFinding(const Finding& finding) override { said += finding.message; }
  void OnLaunch(const LaunchRecord& record) override {
    for (const Finding& finding : record.findings) said += finding.message;
  }
  void OnPrint(std::string_view) override {}
  std::string said;
};

// Runs in a process of its own, which ends with 0 if the module was loaded and its first kernel
// launched, or if a reason was given.
[[noreturn]] void Load(Shape shape, std::size_t bytes) {
  const rlimit memory{.rlim_cur = rlim_t{8} << 30, .rlim_max = rlim_t{8} << 30};
  const rlimit seconds{.rlim_cur = 3 * kMostSeconds, .rlim_max = 3 * kMostSeconds};
  if (kSanitized == 1)
    ::setrlimit(RLIMIT_AS, &memory);  // this process has a limit, not the machine
  ::setrlimit(RLIMIT_CPU, &seconds);
  std::string ptx = ".version 8.0\n.target sm_90\n.address_size 64\n";
  shape(ptx, bytes);
  Log log;
  Options options;
  options.memory_bytes = std::uint64_t{256} << 20;
  const auto device = MakeEmulator(log, options);
  const auto module = device->LoadModule(ptx);
  DeviceError error = module ? DeviceError::kSuccess : module.error();
  if (module && !module->kernels.empty()) {
    LaunchRequest launch;
    launch.module = module->id;
    launch.kernel = module->kernels[0].name;
    error = device->Launch(launch);
  }
  const bool told = error == DeviceError::kSuccess || error == DeviceError::kMemoryAllocation ||
                    (!log.said.empty() && log.said.size() < 4096);
  std::fprintf(stderr, "%s: %s\n", CudaErrorName(error).data(), log.said.substr(0, 300).c_str());
  ::_exit(told ? 0 : 1);
}

class HostileModule : public testing::TestWithParam<HostileCase> {
 protected:
  static void Expect(std::size_t bytes) {
    const pid_t child = ::fork();
    if (child == 0) Load(GetParam().shape, bytes);
    int status = 0;
    rusage used = {};
    ASSERT_EQ(::wait4(child, &status, 0, &used), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
    EXPECT_LT(used.ru_maxrss, kMostKilobytes);
    EXPECT_LT(used.ru_utime.tv_sec + used.ru_stime.tv_sec, kMostSeconds);
    std::printf("  %ld MiB, %.2f s\n", used.ru_maxrss >> 10,
                static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                    1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec));
  }
};

TEST_P(HostileModule, IsBoundedAtAMebibyte) { Expect(std::size_t{1} << 20); }
TEST_P(HostileModule, IsBoundedAtAllThatMayBeSent) { Expect((std::size_t{64} << 20) - 4096); }

INSTANTIATE_TEST_SUITE_P(Each, HostileModule, testing::ValuesIn(kCases),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace warpcheck::emulator
