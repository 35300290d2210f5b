// Measures the transposes of a lecture (labs/transpose.cu) on a device.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/launch_record.h"
#include "labs/line_plot.h"

namespace warpcheck {

// The result of running one kernel on one size.
struct LabRun {
  std::string variant;     // such as "padded"
  std::uint32_t size = 0;  // the length of a side of the matrix, in elements
  LaunchRecord record;

  double Bytes() const { return 2.0 * sizeof(float) * size * size; }  // bytes read and written
};

// The variants in the order of the lecture.
std::vector<std::string> TransposeVariants();

// Returns true for a size that the kernels support: a multiple of 32, up to 16384.
bool IsTransposeSize(std::uint32_t size);

// Runs one variant on the device that `arguments` of gpu_host select. Fails if the device fails, or
// if the result of a size up to 1024 is not the transpose.
Result<LabRun> RunTranspose(const std::string& variant, std::uint32_t size, std::string_view ptx,
                            const std::vector<std::string>& arguments);

// Returns tables with a row for each size. Bandwidths need timing, counters need counters; missing
// values show as "-".
std::string BandwidthTable(const std::vector<LabRun>& runs);
std::string CounterTable(const std::vector<LabRun>& runs);

LinePlot BandwidthPlot(const std::vector<LabRun>& runs, const std::string& device);

}  // namespace warpcheck
