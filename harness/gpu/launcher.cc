#include "gpu/launcher.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>
#include <vector>

#include "base/round_up.h"
#include "device/kernel_resources.h"

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

CUresult AllowShared(const DriverApi& api, const GpuKernel& kernel, const LaunchRequest& request,
                     const DeviceProperties& properties) {
  const std::uint64_t shared =
      std::uint64_t{kernel.info.static_shared_bytes} + request.dynamic_shared_bytes;
  if (shared <= properties.shared_bytes_per_block) return CUDA_SUCCESS;
  return api.FuncSetAttribute(kernel.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                              static_cast<int>(request.dynamic_shared_bytes));
}

CUresult ReadResources(const DriverApi& api, const GpuKernel& kernel, const LaunchRequest& request,
                       const DeviceProperties& properties, LaunchResources& into) {
  into.registers = kernel.info.registers;
  into.local_bytes = kernel.info.local_bytes;
  int blocks = 0;
  const CUresult result = api.OccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, kernel.function, static_cast<int>(request.block.Count()),
      request.dynamic_shared_bytes);
  if (result != CUDA_SUCCESS) return result;
  into.active_blocks = static_cast<std::uint32_t>(std::max(blocks, 0));
  const std::uint64_t threads = RoundUp(request.block.Count(), properties.warp_size);
  into.occupancy =
      static_cast<double>(into.active_blocks * threads) / properties.max_threads_per_multiprocessor;
  return CUDA_SUCCESS;
}

CUresult StartKernel(const DriverApi& api, const GpuKernel& kernel, const LaunchRequest& request) {
  std::vector<std::byte> block = request.parameters;  // the driver's pointer is not to const
  const Dim3& grid = request.grid;
  const Dim3& threads = request.block;
  const auto shared = static_cast<unsigned>(request.dynamic_shared_bytes);  // CheckLaunch bounds it
  if (request.cooperative) {  // has no form that takes the block as it is
    std::vector<void*> arguments;
    for (const KernelParameter& parameter : kernel.info.parameters) {
      arguments.push_back(block.data() + parameter.offset);
    }
    return api.LaunchCooperativeKernel(kernel.function, grid.x, grid.y, grid.z, threads.x,
                                       threads.y, threads.z, shared, nullptr, arguments.data());
  }
  std::size_t bytes = block.size();
  std::array<void*, 5> parameters = {CU_LAUNCH_PARAM_BUFFER_POINTER, block.data(),
                                     CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  return api.LaunchKernel(kernel.function, grid.x, grid.y, grid.z, threads.x, threads.y, threads.z,
                          shared, nullptr, nullptr, block.empty() ? nullptr : parameters.data());
}

bool KernelEnding::refused() const {
  return started != CUDA_SUCCESS && !IsSticky(ToDeviceError(started));
}

KernelEnding RunKernel(const DriverApi& api, const GpuKernel& kernel,
                       const LaunchRequest& request) {
  KernelEnding ending;
  OutputCapture capture;
  ending.started = StartKernel(api, kernel, request);
  if (ending.started == CUDA_SUCCESS) ending.ended = api.CtxSynchronize();
  ending.output = capture.Finish();
  return ending;
}

namespace {

std::string WithHint(const Error& error) {
  return error.hint.empty() ? error.message : error.message + "; " + error.hint;
}

}  // namespace

Launcher::Launcher(Surroundings surroundings, const Options& options, CounterFactory make_counter)
    : around_(std::move(surroundings)), options_(options), make_counter_(std::move(make_counter)) {}

DeviceError Launcher::Launch(const GpuModule& module, const GpuKernel& kernel,
                             const LaunchRequest& request) {
  Job job = {module, kernel, request, launches_++, {}};
  job.record.kernel = kernel.display_name;
  job.record.grid = request.grid;
  job.record.block = request.block;
  job.record.shared_bytes =
      SharedBytesOfBlock(kernel.info.static_shared_bytes, request.dynamic_shared_bytes);
  if (auto refusal = Prepare(job)) {
    job.record.error = refusal->error;
    job.record.findings.push_back(std::move(refusal->finding));
  } else {
    const std::optional<KernelEnding> failed = Time(job);
    Explain(job, failed ? *failed : RunCounted(job));
  }
  around_.log.OnLaunch(job.record);
  return job.record.error;
}

std::optional<Refusal> Launcher::Prepare(Job& job) {
  const LaunchedKernel launched = {job.kernel.display_name, job.kernel.info};
  if (auto refusal = CheckLaunch(launched, job.request, around_.properties)) return refusal;
  CUresult result = AllowShared(around_.api, job.kernel, job.request, around_.properties);
  LaunchResources resources;
  if (result == CUDA_SUCCESS) {
    result = ReadResources(around_.api, job.kernel, job.request, around_.properties, resources);
  }
  if (result == CUDA_SUCCESS) {
    job.record.resources = resources;
    return std::nullopt;
  }
  return ExplainRefusal(around_.api, result, job.kernel, job.request, around_.properties, 0);
}

// How the kernel ended where that lost the context; else nullopt, and it can run once more.
std::optional<KernelEnding> Launcher::Time(Job& job) {
  if (!options_.timed || job.index != options_.counted_launch) return std::nullopt;
  TimedLaunch timed =
      TimeLaunch(around_.api, around_.context.device(), around_.properties, around_.all_memory(),
                 [&] { return StartKernel(around_.api, job.kernel, job.request); });
  job.record.timing = timed.timing;
  if (!IsSticky(ToDeviceError(timed.error))) return std::nullopt;
  job.record.not_measured = "the kernel did not end properly";
  KernelEnding ending;
  ending.ended = timed.error;
  ending.output = std::move(timed.output);
  return ending;
}

KernelEnding Launcher::RunCounted(Job& job) {
  LaunchCounter* const counter = CounterFor(job);
  const Result<> begun = counter != nullptr ? counter->Begin() : Result<>();
  if (!begun) job.record.not_measured = WithHint(begun.error());
  KernelEnding ending = RunKernel(around_.api, job.kernel, job.request);
  if (counter == nullptr || !begun) return ending;
  auto counts = counter->End({.cubin = *job.module.cubin(), .function = job.kernel.info.name});
  if (ending.error() != CUDA_SUCCESS) {
    job.record.not_measured = "the kernel did not end properly";
  } else if (!counts) {
    job.record.not_measured = WithHint(counts.error());
  } else {
    job.record.counters = counts->counters;
    job.record.lines = std::move(counts->lines);
    job.record.not_measured = std::move(counts->missing);
  }
  return ending;
}

// nullptr where this launch is not counted; its record then says why.
LaunchCounter* Launcher::CounterFor(Job& job) {
  if (options_.counting == Counting::kNone) {
    job.record.not_measured = "counters were not asked for";
    return nullptr;
  }
  if (options_.counting == Counting::kLines && job.index != options_.counted_launch) {
    job.record.not_measured = "another launch was counted";
    return nullptr;
  }
  if (!job.module.cubin()) {
    job.record.not_measured = WithHint(job.module.cubin().error());
    return nullptr;
  }
  if (!counter_) counter_ = make_counter_(around_.context.get());
  if (*counter_) return counter_->value().get();
  job.record.not_measured = WithHint(counter_->error());
  return nullptr;
}

void Launcher::Explain(Job& job, const KernelEnding& ending) {
  LaunchRecord& record = job.record;
  if (!ending.output.out.empty()) around_.log.OnPrint(ending.output.out);
  const CUresult result = ending.error();
  record.error = ToDeviceError(result);
  if (result != CUDA_ERROR_ASSERT) {  // others' warnings go where they always go
    std::fwrite(ending.output.err.data(), 1, ending.output.err.size(), stderr);
  }
  if (result == CUDA_SUCCESS) {
    CheckMemory(job);
  } else if (ending.refused()) {
    Refusal refusal = ExplainRefusal(around_.api, result, job.kernel, job.request,
                                     around_.properties, ActiveBlocks(job));
    record.findings.push_back(std::move(refusal.finding));
    record.not_measured.clear();  // there was nothing to measure
  } else {
    record.findings.push_back(
        ExplainFault(around_.api, result, job.kernel.display_name, ending.output.err));
  }
}

void Launcher::CheckMemory(Job& job) {
  auto findings = around_.memory.CheckRedZones(job.kernel.display_name);
  if (findings) {
    job.record.findings = std::move(*findings);
  } else {
    job.record.error = findings.error();
  }
}

std::uint32_t Launcher::ActiveBlocks(const Job& job) const {
  return job.record.resources ? job.record.resources->active_blocks : 0;
}

}  // namespace warpcheck::gpu
