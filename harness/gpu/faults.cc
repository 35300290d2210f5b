#include "gpu/faults.h"

#include <fmt/format.h>
#include <re2/re2.h>

namespace warpcheck::gpu {

namespace {

// "k.cu:12: void f(int *): block: [0,0,0], thread: [3,0,0] Assertion `n > 3` failed."
void ReadAssert(std::string_view errors, Finding& finding) {
  static const re2::RE2 kLine(
      R"((.+):(\d{1,9}): .*: block: \[(\d{1,9}),(\d{1,9}),(\d{1,9})\], )"
      R"(thread: \[(\d{1,9}),(\d{1,9}),(\d{1,9})\] Assertion `(.*)` failed\.)",
      re2::RE2::Latin1);
  std::uint64_t failed = 0;
  while (!errors.empty()) {
    const std::size_t end = std::min(errors.find('\n'), errors.size());
    const std::string text(errors.substr(0, std::min<std::size_t>(end, 4096)));
    errors.remove_prefix(std::min(end + 1, errors.size()));
    SourceLocation where;
    ThreadPosition at;
    std::string condition;
    if (!re2::RE2::FullMatch(text, kLine, &where.file, &where.line, &at.block.x, &at.block.y,
                             &at.block.z, &at.thread.x, &at.thread.y, &at.thread.z, &condition)) {
      continue;
    }
    if (++failed > 1) continue;
    finding.where = where;
    finding.thread = at;
    finding.message = fmt::format("assert({}) fails", condition);
  }
  if (failed > 1) finding.count = failed;
}

struct Fault {
  FindingKind kind;
  const char* message;
};

Fault Describe(CUresult result) {
  switch (result) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
      return {FindingKind::kIllegalAddress,
              "accesses an address where the device has no memory: an index far outside its array, "
              "a pointer to memory of the host, or null"};
    case CUDA_ERROR_MISALIGNED_ADDRESS:
      return {FindingKind::kMisaligned,
              "accesses an address that is not a multiple of the access width"};
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
      return {FindingKind::kIllegalAddress,
              "accesses an address of another kind of memory than the instruction is for"};
    case CUDA_ERROR_ASSERT:
      return {FindingKind::kDeviceAssert, "fails an assert"};
    case CUDA_ERROR_LAUNCH_TIMEOUT:
      return {FindingKind::kBudgetExceeded,
              "did not end within the time that the driver gives a kernel"};
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
      return {FindingKind::kTrap,
              "executes an instruction that the GPU does not have, or __trap()"};
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
      return {FindingKind::kStackOverflow,
              "runs out of stack: a recursion without end, or local arrays that are too large"};
    case CUDA_ERROR_INVALID_PC:
      return {FindingKind::kTrap, "jumps where there is no code: a function pointer is wrong"};
    case CUDA_ERROR_LAUNCH_FAILED:
      return {FindingKind::kTrap,
              "executes a trap, or accesses shared or local memory outside its bounds"};
    default:
      return {FindingKind::kTrap, "ends in an error"};
  }
}

}  // namespace

Finding ExplainFault(const DriverApi& api, CUresult result, const std::string& kernel,
                     std::string_view errors) {
  const Fault fault = Describe(result);
  Finding finding;
  finding.kind = fault.kind;
  finding.kernel = kernel;
  finding.message =
      fmt::format("the kernel {}; the driver says {}", fault.message, ErrorText(api, result));
  if (result == CUDA_ERROR_ASSERT) ReadAssert(errors, finding);
  return finding;
}

Refusal ExplainRefusal(const DriverApi& api, CUresult result, const GpuKernel& kernel,
                       const LaunchRequest& request, const DeviceProperties& properties,
                       std::uint32_t active_blocks) {
  const DeviceError error = ToDeviceError(result);
  const LaunchedKernel launched = {kernel.display_name, kernel.info};
  if (result == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) {
    const auto refusal = CheckCooperation(launched, request, properties, active_blocks);
    if (refusal) return *refusal;
  }
  const auto refusal = CheckRegisters(launched, request, properties);
  if (refusal) return *refusal;
  return Refuse(launched, error, fmt::format("the driver says {}", ErrorText(api, result)));
}

}  // namespace warpcheck::gpu
