#include "lab/run/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <span>
#include <thread>
#include <tuple>
#include <type_traits>
#include <variant>

#include "base/in_parallel.h"
#include "base/record.h"
#include "base/text.h"
#include "hardware/limiter.h"
#include "hardware/measured_limiter.h"
#include "hardware/occupancy.h"
#include "host/gpu_host.h"
#include "lab/run/notes.h"

namespace warpcheck::lab {
namespace {

// This struct keeps what one process measured of a launch.
struct Launched {
  LaunchRecord record;  // of the first launch, with the counters of the launches by its threads
  std::size_t launches = 0;  // how many there are
  LaunchResources resources;
  // Bytes of the instructions that spill, by ptxas.
  std::optional<std::uint32_t> spill_bytes;
  std::vector<StepTime> times;  // of each step, from a GPU
  DeviceError refused = DeviceError::kSuccess;
  std::string refusal;  // why; the device's message
};

// Returns the message of a refused launch without the kernel, which the table names.
std::string WithoutKernel(const Finding& finding) {
  const std::string kernel = fmt::format("the launch of {} fails with ", finding.kernel);
  return finding.message.starts_with(kernel) ? finding.message.substr(kernel.size())
                                             : finding.message;
}

// Returns true for errors that a launch returns because the device cannot run it.
bool IsRefusal(DeviceError error) {
  return IsOneOf(error, DeviceError::kInvalidValue, DeviceError::kInvalidConfiguration,
                 DeviceError::kLaunchOutOfResources);
}

// Launches one line of the table on a device.
class Launcher {
 public:
  Launcher(const Planned& planned, const Kernels& kernels, CallLog& log)
      : planned_(planned), kernels_(kernels), log_(log) {}

  // Leaves nothing on the device if it succeeds.
  Result<Launched> Run(remote::DeviceClient& device) {
    log_.records.clear();
    log_.findings.clear();
    WARPCHECK_TRY(Use(device));
    const DeviceError error = device.Reset();
    if (error != DeviceError::kSuccess) return CallFailed("freeing all memory", error);
    return std::move(launched_);
  }

 private:
  Result<> Use(remote::DeviceClient& device) {
    const LimitedCode& code = kernels_.code.at(planned_.register_limit);
    const auto module = WARPCHECK_TRY(LoadKernels(device, code.ptx, log_));
    const auto operands =
        WARPCHECK_TRY(MakeOperands(device, &device, planned_.buffers, planned_.textures));
    const auto first = WARPCHECK_TRY(RequestFor(planned_.call(), module, operands));
    launched_.resources = ResourcesOf(device.Properties(), module, first);
    const DeviceError error = planned_.has_steps ? WARPCHECK_TRY(RunSteps(device, module, operands))
                                                 : device.Launch(first);
    if (IsRefusal(error)) {
      launched_.refused = error;
      if (const Finding* finding = LastFinding()) launched_.refusal = WithoutKernel(*finding);
      return {};
    }
    if (error != DeviceError::kSuccess) return Failed(planned_.call().kernel, error);
    if (log_.records.empty()) return Fail("the device reported no launch");
    launched_.record = log_.records.front();
    launched_.launches = log_.records.size();
    if (!planned_.has_steps) {
      for (const LaunchRecord& child : std::span(log_.records).subspan(1)) {
        launched_.record.counters += child.counters;
      }
    }
    for (const LaunchRecord& record : log_.records) {
      WARPCHECK_TRY(HasNoMistake(record, planned_.call()));
    }
    if (launched_.record.resources) launched_.resources = *launched_.record.resources;
    return planned_.check ? Check(device, module, operands) : Result<>();
  }

  // Fails if a launch does not fit its kernel; otherwise returns how the steps ended.
  Result<DeviceError> RunSteps(remote::DeviceClient& device, const ModuleInfo& module,
                               const Operands& operands) {
    std::vector<DeviceStep> steps;
    for (const Piece& piece : planned_.pieces) {
      const auto copy = [&](const PlannedCopy& each) {
        DeviceStep& step = steps.emplace_back();
        step.stream = piece.stream;
        step.is_copy = true;
        step.to = operands.buffers[each.to] + each.offset;
        step.from = operands.buffers[each.from] + each.offset;
        step.bytes = each.bytes;
      };
      std::ranges::for_each(piece.before, copy);
      DeviceStep& launch = steps.emplace_back();
      launch.stream = piece.stream;
      launch.launch = WARPCHECK_TRY(RequestFor(piece.call, module, operands));
      std::ranges::for_each(piece.after, copy);
    }
    auto times = device.RunSteps(steps);
    if (!times) return times.error();
    launched_.times = *std::move(times);
    return DeviceError::kSuccess;
  }

  Result<LaunchRequest> RequestFor(KernelCall call, const ModuleInfo& module,
                                   const Operands& operands) const {
    call.kernel = kernels_.mangled.at(call.kernel);
    return RequestOf(call, module, operands);
  }

  // Computes what a GPU reports by the registers that ptxas gave the kernel.
  LaunchResources ResourcesOf(const DeviceProperties& properties, const ModuleInfo& module,
                              const LaunchRequest& request) {
    LaunchResources resources;
    KernelInfo info = *std::ranges::find(module.kernels, request.kernel, &KernelInfo::name);
    const LimitedCode& code = kernels_.code.at(planned_.register_limit);
    const auto known = std::ranges::find(code.resources, request.kernel, &KernelResources::name);
    if (known != code.resources.end()) {
      info.registers = known->registers;
      resources.local_bytes = known->stack_bytes;
      launched_.spill_bytes = known->spill_store_bytes + known->spill_load_bytes;
    }
    resources.registers = info.registers;
    const auto threads = request.block.Count();
    if (threads == 0 || threads > properties.max_threads_per_block) return resources;
    resources.active_blocks = MaxActiveBlocks(properties, info, static_cast<std::uint32_t>(threads),
                                              request.dynamic_shared_bytes);
    const std::uint64_t warps = (threads + properties.warp_size - 1) / properties.warp_size;
    const std::uint32_t most = properties.max_threads_per_multiprocessor / properties.warp_size;
    resources.occupancy = static_cast<double>(resources.active_blocks * warps) / most;
    return resources;
  }

  // Fails if the device found a mistake in a launch.
  static Result<> HasNoMistake(const LaunchRecord& record, const KernelCall& call) {
    for (const Finding& finding : record.findings) {
      if (IsInformation(finding.kind)) continue;
      return Fail(fmt::format("{}: {}", call.kernel, finding.message), finding.where,
                  HintFor(finding));
    }
    return {};
  }

  // Launches the check and reads how many elements it found to be wrong.
  Result<> Check(Device& device, const ModuleInfo& module, const Operands& operands) {
    const auto request = WARPCHECK_TRY(RequestFor(*planned_.check, module, operands));
    const DeviceError error = device.Launch(request);
    if (error != DeviceError::kSuccess) return Failed(planned_.check->kernel, error);
    if (!log_.records.empty()) WARPCHECK_TRY(HasNoMistake(log_.records.back(), *planned_.check));
    const auto buffer = std::ranges::find(planned_.buffers, kWrong, &CallBuffer::name);
    std::uint32_t wrong = 0;
    const DeviceError read =
        device.Read(operands.buffers[static_cast<std::size_t>(buffer - planned_.buffers.begin())],
                    std::as_writable_bytes(std::span(&wrong, 1)));
    if (read != DeviceError::kSuccess) return CallFailed("reading the check's result", read);
    if (wrong == 0) return {};
    return Fail(fmt::format("{} gives a wrong result: {}", planned_.call().kernel,
                            Counted(wrong, "element")));
  }

  tl::unexpected<Error> Failed(const std::string& kernel, DeviceError error) const {
    const Finding* const finding = LastFinding();
    if (finding == nullptr) return CallFailed(kernel, error);
    const std::string why = finding->kind == FindingKind::kInvalidLaunch
                                ? WithoutKernel(*finding)
                                : fmt::format("{}: {}", CudaErrorName(error), finding->message);
    return Fail(fmt::format("{} failed: {}", kernel, why), finding->where, HintFor(*finding));
  }

  // Returns the first finding of the last launch; null if there is none.
  const Finding* LastFinding() const {
    const bool none = log_.records.empty() || log_.records.back().findings.empty();
    return none ? nullptr : &log_.records.back().findings.front();
  }

  const Planned& planned_;
  const Kernels& kernels_;
  CallLog& log_;
  Launched launched_;
};

// Lines that a process has measured, from the first on, and why it stopped before the last one.
struct Progress {
  std::vector<Launched> done;
  std::optional<Error> fault;
};

// Launches all lines in one process, because a process needs half a second to begin with a GPU.
Progress LaunchTogether(std::span<const Planned> lines, const Kernels& kernels,
                        const BenchProcess& process) {
  Progress progress;
  CallLog log;
  const auto launch = [&](remote::DeviceClient& device) -> Result<> {
    for (const Planned& planned : lines) {
      progress.done.push_back(WARPCHECK_TRY(Launcher(planned, kernels, log).Run(device)));
    }
    return {};
  };
  const auto launched = UseGpuHost(process.arguments, log, launch);
  if (!launched) progress.fault = launched.error();
  return progress;
}

// Launches each line in a process of its own, several at the same time.
Progress LaunchApart(std::span<const Planned> lines, const Kernels& kernels,
                     const BenchProcess& process) {
  // More processes would only wait for each other at the GPU.
  constexpr unsigned kMostAtOnce = 8;
  const std::size_t workers = std::clamp(std::thread::hardware_concurrency(), 1U, kMostAtOnce);
  std::vector<Progress> results(lines.size());
  std::atomic<std::size_t> failed = lines.size();  // the first line that failed
  InParallel(lines.size(), std::min(workers, lines.size()), [&](std::size_t i, std::size_t) {
    if (i > failed) return;
    results[i] = LaunchTogether(lines.subspan(i, 1), kernels, process);
    std::size_t first = failed;
    while (results[i].fault && i < first && !failed.compare_exchange_weak(first, i)) {
    }
  });
  Progress progress;
  for (Progress& result : results) {
    if (result.fault) {
      progress.fault = std::move(result.fault);
      return progress;
    }
    progress.done.push_back(std::move(result.done.front()));
  }
  return progress;
}

// Adds the times of steps. A copy runs on the engine that TasksOf() names.
void AddTimes(Values& values, const std::vector<Task>& tasks, const std::vector<StepTime>& times) {
  double end = 0;
  std::array<double, 3> spent = {};  // by the engine
  for (std::size_t i = 0; i < std::min(tasks.size(), times.size()); ++i) {
    end = std::max(end, times[i].end_us);
    spent[static_cast<std::size_t>(tasks[i].engine)] += times[i].end_us - times[i].begin_us;
  }
  values["time_us"] = end;
  values["copy_in_us"] = spent[static_cast<std::size_t>(Engine::kCopyIn)];
  values["kernel_us"] = spent[static_cast<std::size_t>(Engine::kKernel)];
  values["copy_out_us"] = spent[static_cast<std::size_t>(Engine::kCopyOut)];
}

// Adds the shares that a GPU measured, such as "memory_use".
void AddUse(Values& values, const LaunchUse& use) {
  std::apply(
      [&](const auto&... fields) {
        const auto add = [&](const char* name, const std::optional<double>& share) {
          if (share) values[fmt::format("{}_use", name)] = *share;
        };
        (add(fields.name, use.*fields.member), ...);
      },
      FieldsOf(std::type_identity<LaunchUse>()));
}

// Adds what a process measured to the values that columns use.
void Add(Values& values, const Planned& planned, const Launched& launched) {
  for (const Counter counter : kAllCounters) {
    if (const auto count = launched.record.counters[counter]) {
      values[std::string(Info(counter).name)] = static_cast<double>(*count);
    }
  }
  values["launches"] = static_cast<double>(launched.launches);
  values["registers"] = launched.resources.registers;
  values["blocks_per_sm"] = launched.resources.active_blocks;
  values["occupancy"] = launched.resources.occupancy;
  values["local_bytes"] = launched.resources.local_bytes;
  if (launched.spill_bytes) values["spill_bytes"] = *launched.spill_bytes;
  if (const auto& timing = launched.record.timing) {
    if (!planned.has_steps) values["time_us"] = timing->median_us;
    values["copy_gbps"] = timing->copy_bytes_per_second / 1e9;
  }
  if (const auto& use = launched.record.use) AddUse(values, *use);
  if (!launched.times.empty()) AddTimes(values, TasksOf(planned), launched.times);
}

// Returns what limits a launch. Returns nothing if the GPU did not measure it, for a lab with
// steps, and without a GPU for a kernel that launches kernels or uses memory of the host, which the
// bounds do not know.
std::optional<Limiter> LimiterOf(const Planned& planned, const Launched& launched) {
  if (launched.record.use) return warpcheck::LimiterOf(launched.record);
  const bool uses_host = std::ranges::any_of(planned.call().arguments, [&](const auto& argument) {
    const auto* const pointer = std::get_if<BufferPointer>(&argument);
    return pointer != nullptr && planned.buffers[pointer->buffer].host.has_value();
  });
  if (uses_host || (launched.launches > 1 && !planned.has_steps)) return std::nullopt;
  LaunchRecord record = launched.record;
  record.resources = launched.resources;
  const auto bounds = BoundsOf(record, 1);
  return bounds ? bounds->LikelyOfWork() : std::nullopt;
}

// Returns when the steps ran, or would run at best.
void SetSteps(Row& row, const Planned& planned, const std::vector<StepTime>& times) {
  const auto tasks = TasksOf(planned);
  const auto spans = Schedule(tasks);
  row.timed = times.size() == tasks.size();
  row.steps.clear();
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    row.steps.push_back({.stream = tasks[i].stream,
                         .engine = tasks[i].engine,
                         .begin = row.timed ? times[i].begin_us : spans[i].begin,
                         .end = row.timed ? times[i].end_us : spans[i].end});
  }
}

// Makes a line of the table of what each process has measured; `line` is its index. Adds to
// `values` what its columns use.
Row MakeRow(const Lab& lab, const Planned& planned,
            const std::vector<std::vector<Launched>>& processes, std::size_t line, Values& values) {
  Row row = planned.row;
  values = planned.values;
  row.cells.resize(lab.columns.size());
  for (const std::vector<Launched>& process : processes) {
    const Launched& launched = process[line];
    if (launched.refused != DeviceError::kSuccess) {
      row.refused = CudaErrorName(launched.refused);
      row.refusal = launched.refusal;
      return row;
    }
    Add(values, planned, launched);
    if (!row.use) row.use = launched.record.use;
    if (!row.limiter) row.limiter = LimiterOf(planned, launched);
    if (planned.has_steps && !row.timed) SetSteps(row, planned, launched.times);
  }
  for (std::size_t i = 0; i < lab.columns.size(); ++i) {
    row.cells[i] = lab.columns[i].formula.ValueFor(values, Division::kReal);
  }
  return row;
}

// Returns true if the record lacks one of the counters, and GPUs have it.
bool LacksOneOf(const std::vector<Counter>& counters, const LaunchRecord& record) {
  return std::ranges::any_of(counters, [&](Counter counter) {
    return Info(counter).scope != CounterScope::kEmulator && !record.counters[counter];
  });
}

std::string NameOf(const Lab& lab, const Row& row) {
  std::string name = row.variant;
  for (std::size_t i = 0; i < row.at.size(); ++i) {
    name += fmt::format("{}{} = {}", i == 0 ? " at " : ", ", lab.axes[i].name, row.at[i].text);
  }
  return name;
}

}  // namespace

std::vector<Counter> CountersOf(const Lab& lab) {
  std::vector<Counter> counters;
  for (const Column& column : lab.columns) {
    for (const auto& name : column.formula.Names()) {
      if (const auto counter = CounterNamed(name)) counters.push_back(*counter);
    }
  }
  return counters;
}

BenchProcess LineCounting() {
  return {.arguments = {"--counting=lines", "--launch=0"}, .of_one_line = true};
}

Bench EmulatorBench() {
  BenchProcess process = LineCounting();
  process.arguments.insert(process.arguments.end(), {"--emulator", "--show-reads"});
  return {.device = "warpcheck emulator",
          .processes = {std::move(process)},
          .notes = {"The emulator measures no times; a GPU does (--device gpu).",
                    "The likely limiter of a launch that fills a GPU is computed, not measured."}};
}

Bench LaunchingKernelsBench() {
  return {.device = "warpcheck emulator",
          .processes = {{.arguments = {"--counting=totals", "--emulator", "--show-reads"}}},
          .notes = {"Only the emulator runs kernels that launch kernels. It measures no times."}};
}

Measured Measure(const Lab& lab, const std::vector<Planned>& plan, const Kernels& kernels,
                 const Bench& bench) {
  Measured measured;
  measured.device = bench.device;
  measured.notes = bench.notes;
  std::span lines(plan);  // those that all processes so far have measured
  std::vector<std::vector<Launched>> processes;
  for (const BenchProcess& process : bench.processes) {
    Progress progress = process.of_one_line ? LaunchApart(lines, kernels, process)
                                            : LaunchTogether(lines, kernels, process);
    const std::vector<Launched>& done = processes.emplace_back(std::move(progress.done));
    if (!progress.fault) continue;
    const std::size_t failed = std::min(done.size(), lines.size() - 1);
    measured.fault = std::move(progress.fault);
    const Row& row = lines[failed].row;
    measured.fault->message = fmt::format("{}: {}", NameOf(lab, row), measured.fault->message);
    if (!measured.fault->where.known()) {
      measured.fault->where =
          std::ranges::find(lab.variants, row.variant, &Variant::name)->call.where;
    }
    lines = lines.first(failed);
  }
  const std::vector<Counter> counters = CountersOf(lab);
  std::string not_measured;
  UnusableColumns unusable(lab);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Values values;
    measured.rows.push_back(MakeRow(lab, lines[i], processes, i, values));
    unusable.Look(measured.rows.back(), values);
    const LaunchRecord& record = processes.back()[i].record;
    if (!record.not_measured.empty() && LacksOneOf(counters, record)) {
      not_measured = record.not_measured;
    }
  }
  if (!not_measured.empty()) measured.notes.push_back("Counters are missing: " + not_measured);
  for (std::string& note : unusable.Notes()) measured.notes.push_back(std::move(note));
  for (std::string& note : RefusalNotes(measured.rows)) measured.notes.push_back(std::move(note));
  return measured;
}

}  // namespace warpcheck::lab
