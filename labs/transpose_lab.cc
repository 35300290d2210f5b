#include "labs/transpose_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>

#include "host/gpu_host.h"

namespace warpcheck {
namespace {

constexpr std::uint32_t kTile = 32;
constexpr std::uint32_t kBlockRows = 8;
constexpr std::uint32_t kMaxSize = 16384;
constexpr std::uint32_t kMaxCheckedSize = 1024;

struct Variant {
  const char* name;
  const char* kernel;
};
constexpr std::array kVariants = {
    Variant{"naive", "transpose_naive"},
    Variant{"shared", "transpose_shared"},
    Variant{"padded", "transpose_padded"},
    Variant{"padded and unrolled", "transpose_unrolled"},
};

struct Log : DeviceLog {
  void OnLaunch(const LaunchRecord& record) override { records.push_back(record); }
  void OnFinding(const Finding&) override {}
  void OnPrint(std::string_view) override {}

  std::vector<LaunchRecord> records;
};

tl::unexpected<Error> Failed(std::string_view what, DeviceError error) {
  return Fail(fmt::format("{} failed: {}", what, CudaErrorName(error)));
}

Result<> CheckTransposed(Device& device, DeviceAddress out, std::uint32_t size) {
  std::vector<std::uint32_t> got(std::size_t{size} * size);
  const DeviceError error = device.Read(out, std::as_writable_bytes(std::span(got)));
  if (error != DeviceError::kSuccess) return Failed("reading the result", error);
  for (std::uint32_t i = 0; i < got.size(); ++i) {
    if (got[i] != i % size * size + i / size) {
      return Fail(
          fmt::format("the result is not the transpose: element {} of {} x {}", i, size, size));
    }
  }
  return {};
}

// Launches the variant on a matrix whose element i is the number i.
Result<> Launch(Device& device, const Variant& variant, std::uint32_t size, std::string_view ptx) {
  const auto module = device.LoadModule(ptx);
  if (!module) return Failed("loading the lab's kernels", module.error());
  const std::uint64_t bytes = sizeof(float) * std::uint64_t{size} * size;
  const auto in = device.Allocate(bytes);
  const auto out = device.Allocate(bytes);
  if (!in) return Failed("allocating the input", in.error());
  if (!out) return Failed("allocating the output", out.error());
  const bool checked = size <= kMaxCheckedSize;
  if (checked) {
    std::vector<std::uint32_t> numbers(std::size_t{size} * size);
    for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    const DeviceError error = device.Write(*in, std::as_bytes(std::span(numbers)));
    if (error != DeviceError::kSuccess) return Failed("writing the input", error);
  }
  LaunchRequest request;
  request.module = module->id;
  request.kernel = variant.kernel;
  request.grid = {size / kTile, size / kTile, 1};
  request.block = {kTile, kBlockRows, 1};
  request.parameters.resize(2 * sizeof(DeviceAddress) + sizeof size);
  std::memcpy(request.parameters.data(), &*in, sizeof *in);
  std::memcpy(&request.parameters[sizeof *in], &*out, sizeof *out);
  std::memcpy(&request.parameters[sizeof *in + sizeof *out], &size, sizeof size);
  const DeviceError error = device.Launch(request);
  if (error != DeviceError::kSuccess) return Failed(variant.kernel, error);
  return checked ? CheckTransposed(device, *out, size) : Result<>();
}

std::optional<double> Bandwidth(const LabRun& run) {
  if (!run.record.timing || run.record.timing->median_us <= 0) return std::nullopt;
  // Bytes per microsecond, converted to GB/s.
  return run.Bytes() / run.record.timing->median_us / 1e3;
}

std::optional<double> CopyBandwidth(const LabRun& run) {
  if (!run.record.timing) return std::nullopt;
  return run.record.timing->copy_bytes_per_second / 1e9;
}

const LabRun* Find(const std::vector<LabRun>& runs, std::string_view variant, std::uint32_t size) {
  for (const LabRun& run : runs) {
    if (run.variant == variant && run.size == size) return &run;
  }
  return nullptr;
}

std::vector<std::uint32_t> Sizes(const std::vector<LabRun>& runs) {
  std::set<std::uint32_t> sizes;
  for (const LabRun& run : runs) sizes.insert(run.size);
  return {sizes.begin(), sizes.end()};
}

// Returns the median of the copies that the runs of this size measured.
std::optional<double> CopyBandwidthAt(const std::vector<LabRun>& runs, std::uint32_t size) {
  std::vector<double> copies;
  for (const LabRun& run : runs) {
    if (run.size != size) continue;
    if (const auto copy = CopyBandwidth(run)) copies.push_back(*copy);
  }
  if (copies.empty()) return std::nullopt;
  std::nth_element(copies.begin(), copies.begin() + std::ssize(copies) / 2, copies.end());
  return copies[copies.size() / 2];
}

std::string CountersOf(const LaunchRecord& record) {
  const CounterSet& counters = record.counters;
  const auto coalescing = Coalescing(counters);
  const auto excess = ExcessiveWavefronts(counters);
  return fmt::format("{}, {}",
                     coalescing ? fmt::format("{:.1f} %", 100 * *coalescing) : std::string("-"),
                     excess ? fmt::format("{}", *excess) : std::string("-"));
}

// Makes a table with a row for each size and a column for each variant.
std::string Table(const std::vector<LabRun>& runs,
                  const std::function<std::string(const LabRun&)>& cell) {
  std::string text = fmt::format("{:<12}", "size");
  for (const Variant& variant : kVariants) text += fmt::format("{:>22}", variant.name);
  text += '\n';
  for (const std::uint32_t size : Sizes(runs)) {
    text += fmt::format("{:<12}", fmt::format("{} x {}", size, size));
    for (const Variant& variant : kVariants) {
      const LabRun* run = Find(runs, variant.name, size);
      text += fmt::format("{:>22}", run == nullptr ? "-" : cell(*run));
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::vector<std::string> TransposeVariants() {
  std::vector<std::string> names;
  for (const Variant& variant : kVariants) names.emplace_back(variant.name);
  return names;
}

bool IsTransposeSize(std::uint32_t size) {
  return size > 0 && size % kTile == 0 && size <= kMaxSize;
}

Result<LabRun> RunTranspose(const std::string& name, std::uint32_t size, std::string_view ptx,
                            const std::vector<std::string>& arguments) {
  const auto variant = std::find_if(kVariants.begin(), kVariants.end(),
                                    [&](const Variant& other) { return other.name == name; });
  if (variant == kVariants.end()) return Fail("there is no transpose named " + name);
  Log log;
  const auto used = UseGpuHost(arguments, log,
                               [&](Device& device) { return Launch(device, *variant, size, ptx); });
  if (!used) {
    Error error = used.error();
    error.message = fmt::format("{} at {} x {}: {}", name, size, size, error.message);
    return Fail(std::move(error));
  }
  if (log.records.empty()) return Fail("the device reported no launch");
  return LabRun{name, size, log.records.front()};
}

std::string BandwidthTable(const std::vector<LabRun>& runs) {
  return "GB/s read and written, and their share of a copy's bandwidth\n\n" +
         Table(runs, [](const LabRun& run) {
           const auto reached = Bandwidth(run);
           const auto copy = CopyBandwidth(run);
           if (!reached) return std::string("-");
           const std::string share =
               copy && *copy > 0 ? fmt::format(" ({:.0f} %)", 100 * *reached / *copy) : "";
           return fmt::format("{:.0f}{}", *reached, share);
         });
}

std::string CounterTable(const std::vector<LabRun>& runs) {
  return "Coalescing, and wavefronts lost to bank conflicts\n\n" +
         Table(runs, [](const LabRun& run) { return CountersOf(run.record); });
}

LinePlot BandwidthPlot(const std::vector<LabRun>& runs, const std::string& device) {
  LinePlot plot;
  plot.title = "Transposing n x n floats: " + device;
  plot.x_label = "n";
  plot.y_label = "GB/s read and written";
  for (const std::uint32_t size : Sizes(runs)) plot.places.push_back(std::to_string(size));
  for (const Variant& variant : kVariants) {
    PlotLine& line = plot.lines.emplace_back();
    line.name = variant.name;
    for (const std::uint32_t size : Sizes(runs)) {
      const LabRun* run = Find(runs, variant.name, size);
      line.values.push_back(run == nullptr ? std::nullopt : Bandwidth(*run));
    }
  }
  PlotLine& copy = plot.lines.emplace_back();
  copy.name = "copy";
  copy.dashed = true;
  for (const std::uint32_t size : Sizes(runs)) copy.values.push_back(CopyBandwidthAt(runs, size));
  return plot;
}

}  // namespace warpcheck
