// This fuzzer (libFuzzer) gives the judge's device, with all its checks, any PTX. The device must
// load or refuse it, and must run a loaded kernel to an end.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "emulator/checkers/checkers.h"
#include "emulator/emulator.h"

namespace {

using warpcheck::DeviceAddress;
using warpcheck::DeviceError;
using warpcheck::Finding;
using warpcheck::KernelInfo;
using warpcheck::LaunchRecord;

constexpr std::uint64_t kArrayBytes = 4096;
constexpr std::uint64_t kMaxBlockBytes = 4096;  // the bytes of a parameter block (CUDA's limit)

class Log : public warpcheck::DeviceLog {
 public:
  void OnLaunch(const LaunchRecord& record) override { (void)record.kernel; }
  void OnFinding(const Finding& finding) override {
    WARPCHECK_CHECK(!finding.message.empty(), "a finding that says nothing");
  }
  void OnPrint(std::string_view /*text*/) override {}
};

// Returns parameters in which every 8 bytes are the address of an array.
std::vector<std::byte> ParametersOf(const KernelInfo& kernel, DeviceAddress array) {
  std::vector<std::byte> block(kernel.parameter_bytes);
  for (std::size_t at = 0; at < block.size(); ++at) {
    block[at] = static_cast<std::byte>(array >> (at % 8 * 8));
  }
  return block;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Log log;
  warpcheck::emulator::Options options;
  options.instruction_budget = 20'000;
  options.memory_bytes = 1 << 20;
  options.checkers = {warpcheck::emulator::CheckerNamed("initialisation"),
                      warpcheck::emulator::CheckerNamed("races")};
  const auto device = warpcheck::emulator::MakeEmulator(log, options);
  const auto array = device->Allocate(kArrayBytes);
  WARPCHECK_CHECK(array.has_value(), "no memory");
  const std::string_view ptx(reinterpret_cast<const char*>(data), size);
  const std::uint64_t before = device->Memory().free_bytes;
  const auto unused = device->LoadModule(ptx);
  if (!unused) return 0;
  WARPCHECK_CHECK(device->UnloadModule(unused->id) == DeviceError::kSuccess, "a module that stays");
  WARPCHECK_CHECK(device->Memory().free_bytes == before, "a module left memory behind");

  // After a fault the device refuses every call, as a GPU does.
  const auto module = device->LoadModule(ptx);
  if (!module) return 0;
  for (const KernelInfo& kernel : module->kernels) {
    if (kernel.parameter_bytes > kMaxBlockBytes) continue;
    (void)device->Launch({.module = module->id,
                          .kernel = kernel.name,
                          .grid = {2, 1, 1},
                          .block = {33, 1, 1},
                          .dynamic_shared_bytes = 128,
                          .parameters = ParametersOf(kernel, *array)});
  }
  return 0;
}
