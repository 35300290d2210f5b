#include "trial/devices/resource_log.h"

#include <algorithm>

#include "base/round_up.h"
#include "base/text/demangle.h"
#include "compile/embedded_ptx.h"
#include "hardware/occupancy.h"

namespace warpcheck {
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

// Subtracts the accesses to local arrays of the PTX that ptxas keeps in registers.
void DropLocalSectors(LaunchRecord& record) {
  const auto drop = [](CounterSet& counters) {
    for (const Counter counter : {Counter::kLocalSectors, Counter::kLocalArraySectors}) {
      if (counters[counter]) counters.Set(counter, 0);
    }
  };
  drop(record.counters);
  for (LineCounters& line : record.lines) drop(line.counters);
}

// Adds spills, for which PTX has no instructions. Each spill is counted once for each warp: 32
// lanes that move a byte each move a sector. Spills belong to no line of the source.
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
  line.Set(Counter::kLocalSectors, line.OrZero(Counter::kLocalSectors) + warps * bytes);
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

// Kernels with the same name in two files cannot be distinguished. The one that takes more memory
// counts.
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
  // A submission may load PTX that the build did not make. ptxas's figures for it are unknown.
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

}  // namespace warpcheck
