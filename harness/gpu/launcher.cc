#include "gpu/launcher.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>
#include <vector>

#include "base/round_up.h"
#include "device/launch_rules.h"

namespace warpcheck::gpu {

namespace {

// Reads a line like "k.cu:12: void f(int *): block: [0,0,0], thread: [3,0,0] Assertion `n > 3`
// failed."
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
  CUresult result;
  FindingKind kind;
  const char* message;
};
constexpr Fault kFaults[] = {
    {CUDA_ERROR_ILLEGAL_ADDRESS, FindingKind::kIllegalAddress,
     "accesses an address where the device has no memory: an index far outside its array, "
     "a pointer to memory of the host, or null"},
    {CUDA_ERROR_MISALIGNED_ADDRESS, FindingKind::kMisaligned,
     "accesses an address that is not a multiple of the access width"},
    {CUDA_ERROR_INVALID_ADDRESS_SPACE, FindingKind::kIllegalAddress,
     "accesses an address of another kind of memory than the instruction is for"},
    {CUDA_ERROR_ASSERT, FindingKind::kDeviceAssert, "fails an assert"},
    {CUDA_ERROR_LAUNCH_TIMEOUT, FindingKind::kBudgetExceeded,
     "did not end within the time that the driver gives a kernel"},
    {CUDA_ERROR_ILLEGAL_INSTRUCTION, FindingKind::kTrap,
     "executes an instruction that the GPU does not have, or __trap()"},
    {CUDA_ERROR_HARDWARE_STACK_ERROR, FindingKind::kStackOverflow,
     "runs out of stack: a recursion without end, or local arrays that are too large"},
    {CUDA_ERROR_INVALID_PC, FindingKind::kTrap,
     "jumps where there is no code: a function pointer is wrong"},
    {CUDA_ERROR_LAUNCH_FAILED, FindingKind::kTrap,
     "executes a trap, or accesses shared or local memory outside its bounds"},
};
constexpr Fault kUnknownFault = {CUDA_ERROR_UNKNOWN, FindingKind::kTrap, "ends in an error"};

// Explains a fault. `result` is the result of synchronising after the launch. `errors` is what the
// driver wrote to standard error meanwhile. For a failed assert that is its text, place and thread.
Finding ExplainFault(const DriverApi& api, CUresult result, const std::string& kernel,
                     std::string_view errors) {
  const auto* const known = std::ranges::find(kFaults, result, &Fault::result);
  const Fault& fault = known == std::end(kFaults) ? kUnknownFault : *known;
  Finding finding;
  finding.kind = fault.kind;
  finding.kernel = kernel;
  finding.message =
      fmt::format("the kernel {}; the driver says {}", fault.message, ErrorText(api, result));
  if (result == CUDA_ERROR_ASSERT) ReadAssert(errors, finding);
  return finding;
}

KernelEnding RunKernel(const DriverApi& api, const GpuKernel& kernel,
                       const LaunchRequest& request) {
  KernelEnding ending;
  OutputCapture capture;
  ending.started = StartKernel(api, kernel, request, nullptr);
  if (ending.started == CUDA_SUCCESS) ending.ended = api.CtxSynchronize();
  ending.output = capture.Finish();
  return ending;
}

// Drops what the GPU counted of global memory if the kernel also accesses it by textures: the GPU
// counts those apart.
void DropCountsWithoutTextures(TextureUse textures, LaunchRecord& record) {
  if (textures == TextureUse::kNone) return;
  const auto drop = [](CounterSet& counters) {
    for (const Counter counter : kAllCounters) {
      if (Info(counter).name.starts_with("global_")) counters.Clear(counter);
    }
  };
  drop(record.counters);
  for (LineCounters& line : record.lines) drop(line.counters);
  record.not_measured = "a GPU does not count the accesses of textures as loads";
  if (textures == TextureUse::kOther) record.unseen = "a texture or surface object";
}

std::string WithHint(const Error& error) {
  return error.hint.empty() ? error.message : error.message + "; " + error.hint;
}

}  // namespace

CUresult StartKernel(const DriverApi& api, const GpuKernel& kernel, const LaunchRequest& request,
                     CUstream stream) {
  // The driver's parameter is a pointer to non-const.
  std::vector<std::byte> block = request.parameters;
  const Dim3& grid = request.grid;
  const Dim3& threads = request.block;
  const auto shared =
      static_cast<unsigned>(request.dynamic_shared_bytes);  // CheckLaunch() has limited it
  if (request.cooperative) {  // a cooperative launch needs a copy of the block
    std::vector<void*> arguments;
    for (const KernelParameter& parameter : kernel.info.parameters) {
      arguments.push_back(block.data() + parameter.offset);
    }
    return api.LaunchCooperativeKernel(kernel.function, grid.x, grid.y, grid.z, threads.x,
                                       threads.y, threads.z, shared, stream, arguments.data());
  }
  std::size_t bytes = block.size();
  std::array<void*, 5> parameters = {CU_LAUNCH_PARAM_BUFFER_POINTER, block.data(),
                                     CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  return api.LaunchKernel(kernel.function, grid.x, grid.y, grid.z, threads.x, threads.y, threads.z,
                          shared, stream, nullptr, block.empty() ? nullptr : parameters.data());
}

DeviceError Launcher::Launch(const GpuModule& module, const GpuKernel& kernel,
                             const LaunchRequest& request) {
  Job job = {module, kernel, request, launches_++, {}};
  job.record.kernel = kernel.display_name;
  job.record.grid = request.grid;
  job.record.block = request.block;
  job.record.shared_bytes =
      SharedBytesOfBlock(kernel.info.static_shared_bytes, request.dynamic_shared_bytes);
  std::optional<Refusal> refusal =
      CheckLaunch({kernel.display_name, kernel.info}, request, around_.properties);
  if (!refusal) {
    const CUresult result = Prepare(job);
    if (result != CUDA_SUCCESS) refusal = ExplainRefusal(job, result);
  }
  if (refusal) {
    job.record.error = refusal->error;
    job.record.findings.push_back(std::move(refusal->finding));
  } else {
    const std::optional<KernelEnding> failed = Time(job);
    Explain(job, failed ? *failed : options_.times_once ? RunTimed(job) : RunCounted(job));
    is_first_ = false;
  }
  around_.log.OnLaunch(job.record);
  return job.record.error;
}

// Allows the kernel the dynamic shared memory that the launch needs, and reads how many of its
// blocks a multiprocessor can run at once.
CUresult Launcher::Prepare(Job& job) {
  const KernelInfo& kernel = job.kernel.info;
  const DeviceProperties& properties = around_.properties;
  const auto shared = static_cast<int>(job.request.dynamic_shared_bytes);
  if (kernel.static_shared_bytes + job.request.dynamic_shared_bytes >
      properties.shared_bytes_per_block) {
    WARPCHECK_TRY_CODE(around_.api.FuncSetAttribute(
        job.kernel.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared));
  }
  const std::uint64_t threads = job.request.block.Count();
  int blocks = 0;
  WARPCHECK_TRY_CODE(around_.api.OccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, job.kernel.function, static_cast<int>(threads), job.request.dynamic_shared_bytes));
  LaunchResources& resources = job.record.resources.emplace();
  resources.registers = kernel.registers;
  resources.local_bytes = kernel.local_bytes;
  resources.active_blocks = static_cast<std::uint32_t>(std::max(blocks, 0));
  resources.occupancy =
      static_cast<double>(resources.active_blocks * RoundUp(threads, properties.warp_size)) /
      properties.max_threads_per_multiprocessor;
  return around_.textures.FillArrays();
}

// Explains why the driver refused a launch that CheckLaunch() allowed. The driver returns only an
// error number, but a person needs the numbers of the launch.
Refusal Launcher::ExplainRefusal(const Job& job, CUresult result) const {
  const LaunchedKernel launched = {job.kernel.display_name, job.kernel.info};
  if (result == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) {
    const std::uint32_t active_blocks =
        job.record.resources ? job.record.resources->active_blocks : 0;
    const auto refusal = CheckCooperation(launched, job.request, around_.properties, active_blocks);
    if (refusal) return *refusal;
  }
  if (auto refusal = CheckRegisters(launched, job.request, around_.properties)) return *refusal;
  return Refuse(launched, ToDeviceError(result),
                fmt::format("the driver says {}", ErrorText(around_.api, result)));
}

// Times the kernel. If a run destroyed the context, returns how that run ended. Otherwise returns
// nothing, and the kernel can run once more.
std::optional<KernelEnding> Launcher::Time(Job& job) {
  if (!options_.timed || job.module.allocates()) return std::nullopt;
  if (options_.times_first) {
    if (!is_first_) return std::nullopt;
  } else {
    const auto alike = [&](const LaunchRecord& other) { return SameShape(job.record, other); };
    if (timed_.size() == Options::kMostTimed || std::ranges::any_of(timed_, alike)) {
      return std::nullopt;
    }
    timed_.push_back(job.record);
  }
  std::function<CUresult()> measure_use;
  if (options_.measures_use) measure_use = [&] { return MeasureUse(job); };
  TimedLaunch timed = TimeLaunch(
      around_.api, around_.context.device(), around_.properties, around_.all_memory(),
      [&] { return StartKernel(around_.api, job.kernel, job.request, nullptr); }, measure_use);
  job.record.timing = timed.timing;
  // Each run has stored to the arrays of surfaces once more.
  if (timed.error == CUDA_SUCCESS) timed.error = around_.textures.FillSurfaces();
  if (!IsSticky(ToDeviceError(timed.error))) return std::nullopt;
  job.record.not_measured = "the kernel did not end properly";
  KernelEnding ending;
  ending.ended = timed.error;
  ending.output = std::move(timed.output);
  return ending;
}

// Runs the kernel, and measures how busy the GPU is. If that cannot be measured, the record has no
// LaunchUse. Returns the kernel's error.
CUresult Launcher::MeasureUse(Job& job) {
  if (counter_ && *counter_) counter_->value()->Pause();
  if (!meter_) meter_ = tools_.make_meter(around_.context.get());
  if (!*meter_) return CUDA_SUCCESS;
  UseMeter& meter = *meter_->value();
  if (!meter.Begin()) return CUDA_SUCCESS;
  CUresult error = StartKernel(around_.api, job.kernel, job.request, nullptr);
  if (error == CUDA_SUCCESS) error = around_.api.CtxSynchronize();
  if (auto use = meter.End()) {
    const auto blocks = static_cast<double>(job.record.grid.Count());
    use->with_block = std::min(1.0, blocks / around_.properties.multiprocessors);
    job.record.use = *use;
  }
  if (options_.counting != Counting::kNone) meter.Pause();
  return error;
}

KernelEnding Launcher::RunCounted(Job& job) {
  LaunchCounter* const counter = CounterFor(job);
  const Result<> begun = counter != nullptr ? counter->Begin() : Result<>();
  if (!begun) job.record.not_measured = WithHint(begun.error());
  KernelEnding ending = RunKernel(around_.api, job.kernel, job.request);
  std::optional<Result<LaunchCounts>> counted;
  if (counter != nullptr && begun) {
    counted = counter->End({.cubin = *job.module.cubin(), .function = job.kernel.info.name});
  }
  if (ending.error() == CUDA_SUCCESS) ending.ended = around_.textures.ReadSurfaces();
  if (!counted) return ending;
  Result<LaunchCounts>& counts = *counted;
  if (ending.error() != CUDA_SUCCESS) {
    job.record.not_measured = "the kernel did not end properly";
  } else if (!counts) {
    job.record.not_measured = WithHint(counts.error());
  } else {
    job.record.counters = counts->counters;
    job.record.lines = std::move(counts->lines);
    job.record.not_measured = std::move(counts->missing);
    DropCountsWithoutTextures(job.kernel.textures, job.record);
  }
  return ending;
}

// Runs the kernel once, and reads from CUPTI how long that took.
KernelEnding Launcher::RunTimed(Job& job) {
  if (!copy_bytes_per_second_) {
    copy_bytes_per_second_ = CopyBandwidth(around_.api, around_.properties);
  }
  CUresult cold = CUDA_SUCCESS;
  if (is_first_) cold = cold_cache_.Flush();
  KernelEnding ending = RunKernel(around_.api, job.kernel, job.request);
  // Read also after an error, so that the next launch does not get the time of this one.
  const Result<double> us =
      tools_.take_time ? tools_.take_time() : Result<double>(Fail("there is no clock for kernels"));
  if (ending.error() == CUDA_SUCCESS) ending.ended = around_.textures.ReadSurfaces();
  if (ending.error() != CUDA_SUCCESS) {
    job.record.not_measured = "the kernel did not end properly";
  } else if (cold != CUDA_SUCCESS) {
    job.record.not_measured = fmt::format("the L2 cache cannot be overwritten: the driver says {}",
                                          ErrorText(around_.api, cold));
  } else if (!us) {
    job.record.not_measured = WithHint(us.error());
  } else {
    const Clocks clocks = ReadClocks(around_.api, around_.context.device(), around_.properties);
    job.record.timing = {.median_us = *us,
                         .fastest_us = *us,
                         .runs = 1,
                         .sm_clock_mhz = clocks.sm_mhz,
                         .memory_clock_mhz = clocks.memory_mhz,
                         .copy_bytes_per_second = *copy_bytes_per_second_};
  }
  return ending;
}

// Returns nullptr if this launch is not counted; its record then says why.
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
  if (!counter_) counter_ = tools_.make_counter(around_.context.get());
  if (*counter_) return counter_->value().get();
  job.record.not_measured = WithHint(counter_->error());
  return nullptr;
}

void Launcher::Explain(Job& job, const KernelEnding& ending) {
  LaunchRecord& record = job.record;
  if (!ending.output.out.empty()) around_.log.OnPrint(ending.output.out);
  const CUresult result = ending.error();
  record.error = ToDeviceError(result);
  if (result != CUDA_ERROR_ASSERT) {  // shows the driver's other output as usual
    std::fwrite(ending.output.err.data(), 1, ending.output.err.size(), stderr);
  }
  if (result == CUDA_SUCCESS) {
    auto findings = around_.memory.CheckRedZones(job.kernel.display_name);
    if (findings) {
      record.findings = std::move(*findings);
    } else {
      record.error = findings.error();
    }
  } else if (ending.refused()) {
    record.findings.push_back(ExplainRefusal(job, result).finding);
    record.not_measured.clear();  // the launch measured nothing
  } else {
    record.findings.push_back(
        ExplainFault(around_.api, result, job.kernel.display_name, ending.output.err));
  }
}

}  // namespace warpcheck::gpu
