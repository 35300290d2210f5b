#include "emulator/test_device.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/files.h"

namespace warpcheck::emulator {

TestDevice::TestDevice(Options options) : device(MakeEmulator(log, std::move(options))) {}

void TestDevice::Load(std::string_view ptx) {
  std::string text(ptx);
  if (text.find(".version") == std::string::npos) {
    text = ".version 9.0\n.target sm_90\n.address_size 64\n" + text;
  }
  auto loaded = device->LoadModule(text);
  ASSERT_TRUE(loaded.has_value()) << (log.findings.empty() ? "" : log.findings.back().message);
  module = std::move(*loaded);
}

void TestDevice::LoadFile(const std::string& name) {
  const auto text = ReadFile(std::string(WARPCHECK_TEST_DATA "/") + name);
  ASSERT_TRUE(text.has_value()) << text.error().Text();
  Load(*text);
}

DeviceError TestDevice::Launch(const std::string& kernel, const Dim3& grid, const Dim3& block,
                               const Parameters& parameters, std::uint32_t dynamic_shared_bytes,
                               bool cooperative) {
  LaunchRequest request;
  request.module = module.id;
  request.kernel = kernel;
  request.grid = grid;
  request.block = block;
  request.dynamic_shared_bytes = request.allowed_shared_bytes = dynamic_shared_bytes;
  request.cooperative = cooperative;
  request.parameters = parameters.bytes();
  return device->Launch(request);
}

std::vector<std::string> TestDevice::Findings() const {
  std::vector<std::string> texts;
  for (const Finding& finding : last().findings) {
    texts.push_back(fmt::format("{}: {}", Name(finding.kind), finding.message));
  }
  return texts;
}

std::string SmallKernel(std::string_view body, std::string_view before) {
  return fmt::format(R"({}
.visible .entry k(.param .u64 k_param_0)
{{
  .reg .pred %p<32>;
  .reg .b32 %r<32>;
  .reg .f32 %f<32>;
  .reg .b64 %rd<32>;
  .loc 1 1 1
  ld.param.u64 %rd1, [k_param_0];
  mov.u32 %r1, %tid.x;
{}
  ret;
}}
.file 1 "student.cu"
)",
                     before, body);
}

}  // namespace warpcheck::emulator
