// Provides a GPU device over the fake driver, and a log of its messages.
#pragma once

#include <gmock/gmock.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/fake_driver.h"
#include "gpu/gpu_device.h"

namespace warpcheck::gpu {

class KeepLog : public DeviceLog {
 public:
  void OnLaunch(const LaunchRecord& record) override { launches.push_back(record); }
  void OnFinding(const Finding& finding) override { findings.push_back(finding); }
  void OnPrint(std::string_view text) override { printed += text; }

  std::vector<LaunchRecord> launches;
  std::vector<Finding> findings;
  std::string printed;
};

class DeviceTest : public testing::Test {
 protected:
  // The first call makes the device from what the test has set in `driver` and `options`.
  Device& device() {
    if (device_ == nullptr) {
      auto made = MakeGpuDevice(driver.api(), log, options, tools);
      if (!made) throw std::runtime_error(made.error().Text());
      device_ = std::move(*made);
    }
    return *device_;
  }
  void Destroy() { device_.reset(); }

  // Adds a kernel with one pointer, and its module.
  FakeKernel& AddKernel(std::function<CUresult(std::span<const std::byte>)> body) {
    return driver.Add({.name = "_Z5scalePf", .parameters = {{0, 8}}, .body = std::move(body)});
  }

  DeviceAddress Array(std::uint64_t bytes) {
    const auto address = device().Allocate(bytes);
    EXPECT_TRUE(address.has_value());
    return address.value_or(0);
  }

  // Returns a launch of the only kernel, with one pointer.
  LaunchRequest Request(DeviceAddress pointer) {
    if (module_ == 0) {
      std::string ptx;
      for (const auto& kernel : driver.kernels) {
        ptx += ".visible .entry " + kernel->name + "() " + kernel->ptx;
      }
      const auto module = device().LoadModule(ptx);
      EXPECT_TRUE(module.has_value());
      module_ = module ? module->id : 0;
    }
    LaunchRequest request;
    request.module = module_;
    request.kernel = "_Z5scalePf";
    request.parameters.resize(sizeof pointer);
    std::memcpy(request.parameters.data(), &pointer, sizeof pointer);
    return request;
  }

  DeviceError Launch(DeviceAddress pointer) { return device().Launch(Request(pointer)); }

  FakeDriver driver;
  KeepLog log;
  Options options;
  CountingTools tools;

  ModuleId module_ = 0;  // the module of Request(); 0 if it is not loaded

 private:
  std::unique_ptr<Device> device_;
};

// Returns the pointer in a parameter block, as memory of this process.
inline unsigned char* BytesAt(std::span<const std::byte> parameters) {
  unsigned char* pointer = nullptr;
  std::memcpy(&pointer, parameters.data(), sizeof pointer);
  return pointer;
}

}  // namespace warpcheck::gpu
