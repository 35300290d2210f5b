// Provides an emulator with its log, for tests.
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/checkers/checkers.h"
#include "emulator/emulator.h"

namespace warpcheck::emulator {

inline constexpr Dim3 kSingle{1, 1, 1};

class RecordingLog : public DeviceLog {
 public:
  void OnLaunch(const LaunchRecord& record) override { launches.push_back(record); }
  void OnFinding(const Finding& finding) override { findings.push_back(finding); }
  void OnPrint(std::string_view text) override { printed += text; }

  std::vector<LaunchRecord> launches;
  std::vector<Finding> findings;
  std::string printed;
};

// Builds a parameter block, with each value at the next multiple of its size.
class Parameters {
 public:
  template <class T>
  Parameters& Add(T value) {
    bytes_.resize((bytes_.size() + sizeof value - 1) / sizeof value * sizeof value);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
    return *this;
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

class TestDevice {
 public:
  explicit TestDevice(Options options = {});

  // Loads `ptx`, which is a whole module, or the text after the .version, .target and .address_size
  // lines.
  void Load(std::string_view ptx);
  void LoadFile(const std::string& name);  // a file of tests/emulator/data
  DeviceError Launch(const std::string& kernel, const Dim3& grid, const Dim3& block,
                     const Parameters& parameters, std::uint32_t dynamic_shared_bytes = 0,
                     bool cooperative = false);

  template <class T>
  DeviceAddress Upload(const std::vector<T>& values) {
    const DeviceAddress address = device->Allocate(values.size() * sizeof(T)).value();
    const auto bytes = std::as_bytes(std::span(values));
    if (device->Write(address, bytes) != DeviceError::kSuccess) return 0;
    return address;
  }
  template <class T>
  std::vector<T> Download(DeviceAddress from, std::size_t count) {
    std::vector<T> values(count);
    if (device->Read(from, std::as_writable_bytes(std::span(values))) != DeviceError::kSuccess) {
      values.clear();
    }
    return values;
  }

  const LaunchRecord& last() const { return log.launches.back(); }
  // Returns the findings of the last launch as "out_of_bounds_read: reads ...".
  std::vector<std::string> Findings() const;

  RecordingLog log;
  std::unique_ptr<Device> device;
  ModuleInfo module;
};

// Returns a kernel "k" with one pointer parameter. `body` finds it in %rd1, and the thread's index
// in %r1; registers %r, %rd, %f and %p up to 31 are declared. `before` is put before the kernel.
std::string SmallKernel(std::string_view body, std::string_view before = "");

}  // namespace warpcheck::emulator
