// Compares whole kernels, which nvcc compiled from data/programs.cu, with the same computation on
// the host.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/files.h"
#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

constexpr int kNotWritten = -7777;

class Programs : public testing::Test {
 protected:
  Programs() : Programs(Options{}) {}
  explicit Programs(Options options) : device_(std::move(options)) {
    const auto ptx = ReadFile(WARPCHECK_EMULATOR_COMPILED "/programs.ptx");
    EXPECT_TRUE(ptx.has_value());
    if (ptx) device_.Load(*ptx);
  }

  // Launches kernel(out), and returns the words of out.
  std::vector<int> Run(const std::string& kernel, std::uint32_t threads, Dim3 grid = kSingle,
                       Dim3 block = {0, 1, 1}) {
    if (block.x == 0) block.x = threads;
    const DeviceAddress out = device_.Upload(std::vector<int>(threads, kNotWritten));
    EXPECT_EQ(device_.Launch(kernel, grid, block, Parameters().Add(out)), DeviceError::kSuccess);
    EXPECT_THAT(device_.Findings(), IsEmpty());
    return device_.Download<int>(out, threads);
  }

  VariableInfo Variable(std::string_view name) const {
    for (const VariableInfo& info : device_.module.variables) {
      if (info.name == name) return info;
    }
    return {};
  }
  DeviceAddress AddressOf(std::string_view variable) const { return Variable(variable).address; }

  TestDevice device_;
};

template <class Function>
std::vector<int> Expected(int threads, Function function) {
  std::vector<int> values;
  for (int i = 0; i < threads; ++i) values.push_back(function(i));
  return values;
}

TEST_F(Programs, PassStructsByValue) {
  EXPECT_EQ(Run("structs", 70), Expected(70, [](int i) {
              return i * (i % 3) + 2 * i + static_cast<int>(4 * (i * 1.5 - 0.25)) + 'a' + 1;
            }));
}

TEST_F(Programs, TakeAStructAsParameter) {
  const DeviceAddress out = device_.Upload(std::vector<int>(2, 0));
  Parameters parameters;  // {int 5; double 2.5; char 3} and then the pointer
  parameters.Add(5).Add(2.5).Add(std::uint64_t{3}).Add(out);
  EXPECT_EQ(device_.Launch("by_value", kSingle, {2, 1, 1}, parameters), DeviceError::kSuccess);
  EXPECT_THAT(device_.Download<int>(out, 2), ElementsAre(10, 10));
}

int Fibonacci(int n) { return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2); }

TEST_F(Programs, Recurse) {
  EXPECT_EQ(Run("fibonacci", 40), Expected(40, [](int i) { return Fibonacci(i % 12); }));
}

int Apply(int which, int x) { return which == 0 ? x + 1 : which == 1 ? x * x : -x; }

TEST_F(Programs, CallThroughATableOfFunctions) {
  EXPECT_EQ(Run("pointers", 64), Expected(64, [](int i) {
              int value = i;
              for (int k = 0; k <= i % 4; ++k) value = Apply((i + k) % 3, value);
              return value;
            }));
}

TEST_F(Programs, CallAFunctionThatAnotherKernelChose) {
  ASSERT_EQ(device_.Launch("choose", kSingle, kSingle, {}), DeviceError::kSuccess);
  EXPECT_EQ(Run("call_chosen", 5), Expected(5, [](int i) { return -i; }));
}

TEST_F(Programs, ExitInACalledFunction) {
  EXPECT_EQ(Run("leave", 50),
            Expected(50, [](int i) { return i % 2 != 0 ? kNotWritten : i / 2 + 1000; }));
}

TEST_F(Programs, ReturnAndBreakInsideLoops) {
  EXPECT_EQ(Run("classify", 300, {3, 1, 1}, {100, 1, 1}), Expected(300, [](int x) {
              if (x < 3) return 100;
              for (int i = 2; i * i <= x; ++i) {
                if (x % i == 0) return i;
              }
              return 0;
            }));
}

int Switches(int i) {
  int value = 0;
  for (int k = 0; k < 9; ++k) {
    const int which = (i * 7 + k) % 8;
    if (which == 0) value += 3;
    if (which == 1) value *= 5;
    if (which == 2) value ^= 77;
    if (which == 3) value += k;
    if (which == 3 || which == 4) value -= i;
    if (which == 5) value = static_cast<int>(static_cast<unsigned>(value) << 1);
    if (which == 6) continue;
    if (which == 7) value = value * 3 + 1;
    if (value > 100000) break;
  }
  return value;
}

TEST_F(Programs, SwitchInALoop) { EXPECT_EQ(Run("switches", 96), Expected(96, Switches)); }

TEST_F(Programs, HaveThreeDimensionsAndPartialWarps) {
  const Dim3 grid{3, 2, 2};
  const Dim3 block{5, 3, 3};  // 45 threads are a whole warp and 13 lanes
  const auto threads = static_cast<std::uint32_t>(grid.Count() * block.Count());
  std::vector<int> expected;
  for (std::uint32_t b = 0; b < grid.Count(); ++b) {
    for (std::uint32_t t = 0; t < block.Count(); ++t) {
      expected.push_back(static_cast<int>(b % 3 + 10 * (b / 3 % 2) + 100 * (b / 6) +
                                          1000 * (t % 5) + 10000 * (t / 5 % 3) +
                                          100000 * (t / 15)));
    }
  }
  EXPECT_EQ(Run("positions", threads, grid, block), expected);
}

TEST_F(Programs, ShareStaticAndDynamicMemory) {
  constexpr int kThreads = 128;
  std::vector<int> in(kThreads);
  for (int i = 0; i < kThreads; ++i) in[static_cast<std::size_t>(i)] = 3 * i + 1;
  const DeviceAddress from = device_.Upload(in);
  const DeviceAddress out = device_.Upload(std::vector<int>(kThreads, 0));
  EXPECT_EQ(device_.Launch("both_shared", kSingle, {kThreads, 1, 1},
                           Parameters().Add(from).Add(out), kThreads * sizeof(int)),
            DeviceError::kSuccess);
  EXPECT_EQ(device_.Download<int>(out, kThreads),
            Expected(kThreads, [](int i) { return 11 * (3 * (kThreads - 1 - i) + 1); }));
  EXPECT_THAT(device_.Findings(), IsEmpty());
  EXPECT_EQ(device_.last().shared_bytes, 512U + 512U);

  // With one word less of dynamic memory, each access to it is a finding.
  EXPECT_EQ(device_.Launch("both_shared", kSingle, {kThreads, 1, 1},
                           Parameters().Add(from).Add(out), (kThreads - 1) * sizeof(int)),
            DeviceError::kSuccess);
  EXPECT_THAT(device_.Findings(),
              ElementsAre("shared_out_of_bounds: writes 4 bytes, just past the end of the dynamic "
                          "shared memory (508 bytes)",
                          "shared_out_of_bounds: reads 4 bytes, just past the end of the dynamic "
                          "shared memory (508 bytes)"));
  EXPECT_EQ(device_.Download<int>(out, kThreads).back(), 1 - 1);  // this is 1 + poison
}

TEST_F(Programs, KeepVariablesBetweenLaunches) {
  EXPECT_THAT(Run("variables", 4, kSingle, kSingle), ElementsAre(5, 1100, 22, 3));
  EXPECT_THAT(Run("variables", 4, kSingle, kSingle), ElementsAre(6, 1007, 22, 3));
  const int managed = 4;
  ASSERT_NE(AddressOf("shared_with_host"), 0U);
  ASSERT_EQ(
      device_.device->Write(AddressOf("shared_with_host"), std::as_bytes(std::span(&managed, 1))),
      DeviceError::kSuccess);
  EXPECT_THAT(Run("variables", 4, kSingle, kSingle), ElementsAre(6, 1007, 22, 4));
}

TEST_F(Programs, UseMemoryAtAnAddressOfTheHost) {
  constexpr DeviceAddress kAt = 0x7f0000010000;
  ASSERT_EQ(device_.device->Allocate(256, kAt).value(), kAt);
  EXPECT_EQ(device_.Launch("fibonacci", kSingle, {12, 1, 1}, Parameters().Add(kAt)),
            DeviceError::kSuccess);
  EXPECT_THAT(device_.Findings(), IsEmpty());
  EXPECT_EQ(device_.Download<int>(kAt, 12), Expected(12, Fibonacci));
  // No other allocation may be placed there while it lives, even after memory below was freed.
  ASSERT_EQ(device_.device->Allocate(64, kAt - 256).value(), kAt - 256);
  ASSERT_EQ(device_.device->Free(kAt - 256), DeviceError::kSuccess);
  for (const DeviceAddress at : {kAt - 304, kAt - 1, kAt, kAt + 255}) {
    EXPECT_EQ(device_.device->Allocate(400, at).error(), DeviceError::kInvalidValue) << at - kAt;
  }
  ASSERT_EQ(device_.device->Free(kAt), DeviceError::kSuccess);
  EXPECT_EQ(device_.device->Allocate(404, kAt - 304).value(), kAt - 304);
}

TEST_F(Programs, CountWithAtomicsOverManyBlocks) {
  const DeviceAddress total = device_.Upload(std::vector<int>(1, 0));
  EXPECT_EQ(
      device_.Launch("count", {20000, 1, 1}, {64, 1, 1}, Parameters().Add(total).Add(1'234'567)),
      DeviceError::kSuccess);
  EXPECT_THAT(device_.Download<int>(total, 1), ElementsAre(1'234'567));
}

TEST_F(Programs, WaitForAnotherWarp) {
  const std::vector<int> out = Run("spin", 64);
  EXPECT_EQ(std::vector<int>(out.begin(), out.begin() + 32), std::vector<int>(32, 9));
}

TEST_F(Programs, CallVirtualFunctionsOfWhatTheyAllocate) {
  const std::uint64_t free_before = device_.device->Memory().free_bytes;
  EXPECT_EQ(Run("virtuals", 64), Expected(64, [](int i) { return i % 3 == 0 ? i * i : 2 * i; }));
  EXPECT_EQ(device_.device->Memory().free_bytes, free_before - 64 * sizeof(int));
}

TEST_F(Programs, IndexLocalArrays) {
  const DeviceAddress out = device_.Upload(std::vector<int>(32, 0));
  EXPECT_EQ(device_.Launch("local_array", kSingle, {32, 1, 1}, Parameters().Add(out).Add(5)),
            DeviceError::kSuccess);
  EXPECT_EQ(device_.Download<int>(out, 32), Expected(32, [](int i) {
              unsigned sum = 0;
              for (int k = 0; k < 16; ++k) sum = sum * 3 + static_cast<unsigned>(i + k * 5 % 16);
              return static_cast<int>(sum);
            }));
  EXPECT_GT(*device_.last().counters[Counter::kLocalSectors], 0U);
}

TEST_F(Programs, SumOverAWarp) { EXPECT_EQ(Run("sum_warp", 32)[0], 31 * 32 / 2); }

TEST_F(Programs, Print) {
  EXPECT_EQ(device_.Launch("print", kSingle, {32, 1, 1}, {}), DeviceError::kSuccess);
  EXPECT_EQ(device_.log.printed, "thread 0 of print: 0.00\nthread 1 of print: 0.25\n");
}

TEST_F(Programs, PrintNoMoreThanIsKept) {
  EXPECT_EQ(device_.Launch("print_much", kSingle, {32, 1, 1}, Parameters().Add(2000)),
            DeviceError::kSuccess);
  constexpr std::string_view kLast = "\n[more was printed than warpcheck keeps of one launch]\n";
  const std::string& printed = device_.log.printed;
  EXPECT_LE(printed.size(), (1U << 20) + kLast.size());
  EXPECT_GT(printed.size(), 1'000'000U);
  EXPECT_EQ(printed.substr(printed.size() - kLast.size()), kLast);
  EXPECT_EQ(printed.find(kLast), printed.size() - kLast.size());
}

TEST_F(Programs, FailedAssertionNamesItself) {
  EXPECT_EQ(device_.Launch("asserts", kSingle, {32, 1, 1}, Parameters().Add(32)),
            DeviceError::kSuccess);
  EXPECT_THAT(device_.Findings(), IsEmpty());
  EXPECT_EQ(device_.Launch("asserts", kSingle, {32, 1, 1}, Parameters().Add(30)),
            DeviceError::kAssert);
  EXPECT_THAT(device_.Findings(), ElementsAre("device_assert: void asserts(int): assertion "
                                              "`static_cast<int>(threadIdx.x) < limit' failed"));
  EXPECT_EQ(device_.last().findings[0].thread->thread, (Dim3{30, 0, 0}));
  EXPECT_EQ(device_.last().findings[0].count, 2U);
  EXPECT_EQ(device_.device->Free(0), DeviceError::kAssert);  // the error is sticky
}

TEST_F(Programs, FreeWhatIsNotAllocated) {
  EXPECT_EQ(device_.Launch("free_wrong", kSingle, kSingle, Parameters().Add(DeviceAddress{0})),
            DeviceError::kSuccess);
  EXPECT_THAT(device_.Findings(), IsEmpty());
  EXPECT_EQ(device_.Launch("free_wrong", kSingle, kSingle, Parameters().Add(DeviceAddress{0x1234})),
            DeviceError::kSuccess);
  EXPECT_THAT(device_.Findings(), ElementsAre("invalid_free: frees 0x1234, which is not "
                                              "allocated"));
}

TEST_F(Programs, WriteToConstantMemoryIsDropped) {
  EXPECT_TRUE(Variable("weights").constant);
  EXPECT_FALSE(Variable("shared_with_host").constant);
  const DeviceAddress weights = AddressOf("weights");
  ASSERT_NE(weights, 0U);
  EXPECT_EQ(device_.Launch("into_constant", kSingle, kSingle, Parameters().Add(weights)),
            DeviceError::kSuccess);
  EXPECT_THAT(device_.Findings(),
              ElementsAre("write_to_constant: writes weights[0], which is constant memory"));
  EXPECT_THAT(device_.Download<float>(weights, 1), ElementsAre(0.5F));
}

// If a launch is refused, it has the error of CUDA 13, which is not sticky.
struct Refused {
  std::string_view name;
  Dim3 grid = kSingle;
  Dim3 block = kSingle;
  std::uint32_t shared = 0;
  int parameters = 1;  // how many pointers are given; the kernel takes one
  std::string_view why;

  friend void PrintTo(const Refused& refused, std::ostream* to) { *to << refused.name; }
};

class Launches : public Programs, public testing::WithParamInterface<Refused> {};

TEST_P(Launches, AreRefusedWithAReason) {
  const Refused& refused = GetParam();
  Parameters parameters;
  for (int i = 0; i < refused.parameters; ++i) parameters.Add(DeviceAddress{0});
  EXPECT_EQ(device_.Launch("bounded", refused.grid, refused.block, parameters, refused.shared),
            DeviceError::kInvalidValue);
  EXPECT_THAT(device_.Findings(),
              ElementsAre(fmt::format("invalid_launch: the launch of bounded fails with {}: {}",
                                      CudaErrorName(DeviceError::kInvalidValue), refused.why)));
  EXPECT_EQ(device_.last().error, DeviceError::kInvalidValue);
  EXPECT_EQ(device_.last().counters[Counter::kWarpInstructions], std::nullopt);
  EXPECT_EQ(Run("bounded", 64), std::vector<int>(64, 1));
}

INSTANTIATE_TEST_SUITE_P(
    , Launches,
    testing::Values(
        Refused{
            .name = "EmptyGrid",
            .grid = {0, 1, 1},
            .why =
                "gridDim.x is 0 in a grid of 0x1x1 blocks: round up with (n + block - 1) / block, "
                "and do not launch if n is 0"},
        Refused{
            .name = "EmptyBlock",
            .block = {32, 0, 1},
            .why = "blockDim.y is 0 in a block of 32x0x1 threads: make each dimension at least 1"},
        Refused{.name = "DeepBlock",
                .block = {1, 1, 65},
                .why = "blockDim.z is 65 in a block of 1x1x65 threads, and the limit is 64: use "
                       "more blocks"},
        Refused{.name = "LargeBlock",
                .block = {32, 33, 1},
                .why = "a block of 32x33x1 has 1056 threads, and the limit is 1024: use smaller "
                       "blocks, or let each thread process several elements"},
        Refused{
            .name = "HighGrid",
            .grid = {1, 65536, 1},
            .why =
                "gridDim.y is 65536 in a grid of 1x65536x1 blocks, and the limit is 65535: use x "
                "for the largest extent, or let each block do more of the work"},
        Refused{.name = "MoreThanItsBounds",
                .block = {65, 1, 1},
                .why = "a block of 65 threads exceeds the kernel's __launch_bounds__(64)"},
        Refused{
            .name = "Shared",
            .shared = 232449,
            .why = "a block asks for 232449 bytes of dynamic shared memory and has 0 bytes of "
                   "__shared__ arrays, and the limit for both together is 232448: use a smaller "
                   "tile"},
        Refused{.name = "Parameters",
                .parameters = 2,
                .why = "the launch passes 16 bytes of parameters, and the kernel takes 8"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(Modules, ThatAreNoPtxAreNotLoaded) {
  TestDevice device;
  EXPECT_EQ(device.device->LoadModule("int main() {}").error(), DeviceError::kInvalidPtx);
  ASSERT_EQ(device.log.findings.size(), 1U);
  EXPECT_EQ(device.log.findings[0].kind, FindingKind::kUnsupportedCode);
  EXPECT_THAT(device.log.findings[0].message, StartsWith("ptx:1"));
  EXPECT_TRUE(device.device->Allocate(4).has_value());
}

TEST(Calls, ThatAreNotOfferedAreNoted) {
  TestDevice device;
  device.device->NoteUnsupportedCall("cudaMallocArray");
  ASSERT_EQ(device.log.findings.size(), 1U);
  EXPECT_EQ(device.log.findings[0].kind, FindingKind::kUnsupportedCall);
  EXPECT_EQ(device.log.findings[0].message,
            "cudaMallocArray is not offered by warpcheck: it returned cudaErrorNotSupported");
}

}  // namespace
}  // namespace warpcheck::emulator
