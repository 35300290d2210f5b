#include "checks/launch_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/demangle.h"
#include "base/round_up.h"
#include "base/text.h"
#include "compile/embedded_ptx.h"
#include "device/kernel_resources.h"
#include "device/launch_record.h"

namespace warpcheck {

namespace {

constexpr std::size_t kBytesOfALine = 600;
constexpr std::size_t kBytesOfAFinding = 500;

std::size_t BytesOf(const LaunchRecord& launch) {
  std::size_t bytes = launch.kernel.size() + kBytesOfALine;
  for (const LineCounters& line : launch.lines) bytes += kBytesOfALine + line.where.file.size();
  for (const Finding& finding : launch.findings) {
    bytes += kBytesOfAFinding + finding.kernel.size() + finding.message.size();
  }
  return bytes;
}

bool IsShort(const LaunchRecord& launch) {
  return launch.lines.size() <= LaunchRecords::kMostLines &&
         launch.findings.size() <= LaunchRecords::kMostFindings;
}

// Several launches as one record.
LaunchRecord SumOf(std::span<const LaunchRecord> launches) {
  LaunchRecord sum = launches.front();
  sum.lines.clear();
  sum.findings.clear();
  std::map<SourceLocation, CounterSet> lines;
  std::size_t left_out = 0;
  for (const LaunchRecord& launch : launches) {
    if (&launch != &launches.front()) {
      sum.counters += launch.counters;
      sum.launches += launch.launches;
      if (sum.kernel != launch.kernel) sum.kernel.clear();
      if (sum.grid != launch.grid || sum.block != launch.block) sum.grid = sum.block = {};
      sum.shared_bytes = std::max(sum.shared_bytes, launch.shared_bytes);
      if (sum.error == DeviceError::kSuccess) sum.error = launch.error;
      if (sum.not_measured.empty()) sum.not_measured = launch.not_measured;
      if (sum.unseen.empty()) sum.unseen = launch.unseen;
      sum.timing.reset();
      sum.resources.reset();
    }
    for (const auto& [where, counters, examples, polls] : launch.lines) {
      const bool room = lines.size() + 1 < LaunchRecords::kMostLines || lines.contains(where);
      const auto [known, added] = lines.try_emplace(room ? where : SourceLocation{}, counters);
      if (!added) known->second += counters;
    }
    for (const Finding& finding : launch.findings) {
      if (sum.findings.size() < LaunchRecords::kMostFindings) {
        sum.findings.push_back(finding);
      } else {
        ++left_out;
      }
    }
  }
  if (sum.kernel.empty()) {
    sum.kernel = fmt::format("{} launches of several kernels", Grouped(sum.launches));
  }
  for (const auto& [where, counters] : lines) sum.lines.push_back({where, counters});
  if (left_out != 0) {
    Finding rest = sum.findings.back();
    rest.message = fmt::format("{} further findings are not listed", Grouped(left_out));
    sum.findings.push_back(std::move(rest));
  }
  return sum;
}

}  // namespace

std::size_t LaunchRecords::Take(std::span<const LaunchRecord> launches) {
  std::size_t alone = 0;
  for (; alone < launches.size() && IsShort(launches[alone]); ++alone) {
    const std::size_t bytes = BytesOf(launches[alone]);
    if (bytes > left_) break;
    left_ -= bytes;
  }
  return alone;
}

std::vector<LaunchRecord> LaunchRecords::Written(std::span<const LaunchRecord> launches,
                                                 std::size_t alone) {
  std::vector<LaunchRecord> written(launches.begin(),
                                    launches.begin() + static_cast<std::ptrdiff_t>(alone));
  if (alone < launches.size()) written.push_back(SumOf(launches.subspan(alone)));
  return written;
}

namespace {

LaunchResources ResourcesOf(const KernelResources& kernel, const LaunchRecord& record,
                            const DeviceProperties& properties) {
  KernelInfo info;
  info.registers = kernel.registers;
  const auto threads = static_cast<std::uint32_t>(record.block.Count());
  LaunchResources resources{.registers = kernel.registers, .local_bytes = kernel.stack_bytes};
  resources.active_blocks = MaxActiveBlocks(properties, info, threads, record.shared_bytes);
  resources.occupancy =
      static_cast<double>(resources.active_blocks * RoundUp(threads, properties.warp_size)) /
      properties.max_threads_per_multiprocessor;
  return resources;
}

void SetLocalSectors(LaunchRecord& record, std::uint64_t sectors) {
  if (!record.counters[Counter::kLocalSectors]) return;
  record.counters.Set(Counter::kLocalSectors, sectors);
}

// Arrays of the PTX that ptxas keeps in registers.
void DropLocalSectors(LaunchRecord& record) {
  SetLocalSectors(record, 0);
  for (LineCounters& line : record.lines) line.counters.Set(Counter::kLocalSectors, 0);
}

// PTX has no instructions that spill. Each is counted once a warp: 32 lanes that move a byte each
// are a sector. They belong to no line.
void AddSpills(const KernelResources& kernel, const DeviceProperties& properties,
               LaunchRecord& record) {
  const auto counted = record.counters[Counter::kLocalSectors];
  if (!counted) return;
  const std::uint64_t lanes = properties.warp_size;
  const std::uint64_t warps = record.grid.Count() * ((record.block.Count() + lanes - 1) / lanes);
  const std::uint64_t bytes = std::uint64_t{kernel.spill_store_bytes} + kernel.spill_load_bytes;
  SetLocalSectors(record, *counted + warps * bytes);
  if (record.lines.empty() || record.lines.front().where.known()) {
    record.lines.insert(record.lines.begin(), {.where = {}, .counters = record.counters * 0});
  }
  CounterSet& line = record.lines.front().counters;
  line.Set(Counter::kLocalSectors, line[Counter::kLocalSectors].value_or(0) + warps * bytes);
}

}  // namespace

void ResourceLog::OnModule(ModuleId module, std::string_view ptx) {
  const auto known = std::ranges::find(modules_, compile::PtxDigest(ptx), &ModuleResources::digest);
  if (known == modules_.end()) {
    knows_all_ = false;
  } else {
    for (const KernelResources& kernel : known->kernels) Add(kernel);
  }
  log_.OnModule(module, ptx);
}

// Kernels of one name in two files cannot be told apart: the one that takes more counts.
void ResourceLog::Add(const KernelResources& kernel) {
  const auto [known, is_new] = kernels_.try_emplace(Demangle(kernel.name), &kernel);
  const KernelResources& other = *known->second;
  if (is_new || (other.spills() && !kernel.spills())) return;
  if (kernel.spills() != other.spills() || kernel.stack_bytes > other.stack_bytes) {
    known->second = &kernel;
  }
}

std::uint32_t ResourceLog::RegistersOf(const std::string& kernel) const {
  const auto known = kernels_.find(Demangle(kernel));
  return knows_all_ && known != kernels_.end() ? known->second->registers : 0;
}

void ResourceLog::OnLaunch(const LaunchRecord& record) {
  // A submission may load PTX that no build made: then nobody knows what a GPU would do.
  if (!knows_all_) {
    LaunchRecord unknown = record;
    unknown.unseen = "code that was not compiled with the submission";
    return log_.OnLaunch(unknown);
  }
  const auto known = kernels_.find(record.kernel);
  if (known == kernels_.end()) return log_.OnLaunch(record);
  const KernelResources& kernel = *known->second;
  LaunchRecord complete = record;
  complete.resources = ResourcesOf(kernel, record, properties_);
  if (kernel.spills()) {
    AddSpills(kernel, properties_, complete);
  } else if (kernel.stack_bytes == 0) {
    DropLocalSectors(complete);
  }
  log_.OnLaunch(complete);
}

namespace {

// Totals that were not measured say nothing about equality.
bool SameWork(const LaunchRecord& a, const LaunchRecord& b) {
  return SameShape(a, b) && a.counters == b.counters && a.counters != CounterSet();
}

void Take(LaunchRecord& to, const LaunchRecord& counted) {
  to.counters = counted.counters;
  to.lines = counted.lines;
  to.not_measured = counted.not_measured;
}

// Why a launch that was made again to be counted was not; empty where it was.
std::string WhyNotCounted(const LaunchRecord& launch, const Result<LaunchRecord>& again) {
  if (!again) {
    const Error& error = again.error();
    return error.hint.empty() ? error.message : error.message + "; " + error.hint;
  }
  if (!SameShape(launch, *again)) return "the call launches other kernels when it is made again";
  return again->lines.empty() ? again->not_measured : "";
}

}  // namespace

std::size_t DifferentLaunches(const std::vector<LaunchRecord>& launches) {
  std::vector<const LaunchRecord*> different;
  for (const LaunchRecord& launch : launches) {
    const bool known = std::ranges::any_of(
        different, [&](const LaunchRecord* other) { return SameWork(launch, *other); });
    if (!known && launch.error == DeviceError::kSuccess) different.push_back(&launch);
  }
  return different.size();
}

std::vector<LaunchRecord> Recounted(std::vector<LaunchRecord> launches, const CountOne& count) {
  struct Counted {
    LaunchRecord before;
    LaunchRecord after;
  };
  std::vector<Counted> counted;
  std::size_t tried = 0;
  std::string failure;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    LaunchRecord& launch = launches[i];
    if (launch.error != DeviceError::kSuccess) continue;
    const auto known = std::ranges::find_if(
        counted, [&](const Counted& other) { return SameWork(launch, other.before); });
    if (known != counted.end()) {
      Take(launch, known->after);
    } else if (!failure.empty()) {
      launch.not_measured = failure;
    } else if (launch.launches > 1) {
      launch.not_measured = "it is the sum of many launches, which are not counted by line";
    } else if (tried == kMaxRecounts) {
      launch.not_measured =
          fmt::format("only the first {} different launches of a call are measured", kMaxRecounts);
    } else {
      ++tried;
      const auto again = count(i);
      failure = WhyNotCounted(launch, again);
      if (again && failure.empty()) {
        counted.push_back({launch, *again});
        Take(launch, *again);
      } else {
        launch.not_measured = failure;
      }
    }
  }
  return launches;
}

}  // namespace warpcheck
