// What the transposes of a lecture (labs/transpose.cu) reach on a device.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/launch_record.h"
#include "labs/line_plot.h"

namespace warpcheck {

// One kernel over one size.
struct LabRun {
  std::string variant;     // "padded"
  std::uint32_t size = 0;  // of a side, in elements
  LaunchRecord record;

  double Bytes() const { return 2.0 * sizeof(float) * size * size; }  // read and written
};

// In the order of the lecture.
std::vector<std::string> TransposeVariants();

// A size that the kernels can do: a multiple of 32, up to 16384.
bool IsTransposeSize(std::uint32_t size);

// Runs one variant on a device that `arguments` of gpu_host ask for. Fails where the device does,
// and where the result of a size up to 1024 is no transpose.
Result<LabRun> RunTranspose(const std::string& variant, std::uint32_t size, std::string_view ptx,
                            const std::vector<std::string>& arguments);

// Tables for people, a row a size. Bandwidths need timing, counters need counters; what is missing
// shows as "-".
std::string BandwidthTable(const std::vector<LabRun>& runs);
std::string CounterTable(const std::vector<LabRun>& runs);

LinePlot BandwidthPlot(const std::vector<LabRun>& runs, const std::string& device);

}  // namespace warpcheck
