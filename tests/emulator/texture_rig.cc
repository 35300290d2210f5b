#include "emulator/texture_rig.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "base/round_up.h"

namespace warpcheck::emulator {
namespace {

std::uint64_t Rows(const TextureDescriptor& t) { return std::max(t.height, 1U); }
std::uint64_t Slices(const TextureDescriptor& t) { return std::max({t.depth, t.layers, 1U}); }

// Calls body with the offsets of each row among packed rows, and in the layout of `t`.
template <class Body>
void ForEachRow(const TextureDescriptor& t, Body body) {
  for (std::uint64_t z = 0; z < Slices(t); ++z) {
    for (std::uint64_t y = 0; y < Rows(t); ++y) {
      body((z * Rows(t) + y) * t.RowBytes(), z * t.layer + y * t.pitch);
    }
  }
}

std::string KernelOf(const std::string& line) {
  return fmt::format(R"(
.visible .entry k(.param .u64 object, .param .u64 data)
{{
  .reg .pred %p<32>;
  .reg .b16 %h<32>;
  .reg .b32 %r<32>;
  .reg .f32 %f<32>;
  .reg .b64 %rd<32>;
  .loc 1 1 1
  ld.param.u64 %rd1, [object];
  ld.param.u64 %rd2, [data];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 32;
  add.u64 %rd4, %rd2, %rd3;
  ld.global.v4.u32 {{%r4, %r5, %r6, %r7}}, [%rd4];
  ld.global.v4.f32 {{%f4, %f5, %f6, %f7}}, [%rd4];
  mov.u32 %r8, 0; mov.u32 %r9, 0; mov.u32 %r10, 0; mov.u32 %r11, 0;
  .loc 1 7 3
  {}
  .loc 1 8 3
  st.global.v4.u32 [%rd4+16], {{%r8, %r9, %r10, %r11}};
  ret;
}}
.file 1 "student.cu"
)",
                     line);
}

}  // namespace

DeviceAddress TextureRig::Make(TextureDescriptor texture, const std::vector<std::byte>& texels) {
  texture.pitch = RoundUp(texture.RowBytes(), 32);
  texture.layer = texture.pitch * Rows(texture);
  texture.texels = device.device->Allocate(texture.layer * Slices(texture)).value();
  ForEachRow(texture, [&](std::uint64_t packed, std::uint64_t offset) {
    if (texels.empty()) return;  // there is nothing to write
    const std::span row(texels.data() + packed, texture.RowBytes());
    EXPECT_EQ(device.device->Write(texture.texels + offset, row), DeviceError::kSuccess);
  });
  return device.Upload(std::vector<TextureDescriptor>{texture});
}

TextureDescriptor TextureRig::Read(DeviceAddress object) {
  return device.Download<TextureDescriptor>(object, 1)[0];
}

std::vector<std::byte> TextureRig::TexelsOf(DeviceAddress object) {
  const TextureDescriptor texture = Read(object);
  std::vector<std::byte> texels(Slices(texture) * Rows(texture) * texture.RowBytes());
  ForEachRow(texture, [&](std::uint64_t packed, std::uint64_t offset) {
    const std::span row(texels.data() + packed, texture.RowBytes());
    EXPECT_EQ(device.device->Read(texture.texels + offset, row), DeviceError::kSuccess);
  });
  return texels;
}

std::vector<TextureRig::Thread> TextureRig::Run(
    const std::string& line, DeviceAddress object,
    const std::vector<std::array<std::uint32_t, 4>>& inputs) {
  std::vector<Thread> threads;
  for (const auto& input : inputs) threads.push_back({.in = input});
  const DeviceAddress data = device.Upload(threads);
  device.Load(KernelOf(line));
  error = device.Launch("k", {blocks, 1, 1}, {static_cast<std::uint32_t>(inputs.size()), 1, 1},
                        Parameters().Add(object).Add(data));
  return error == DeviceError::kSuccess ? device.Download<Thread>(data, threads.size()) : threads;
}

std::array<std::uint32_t, 4> TextureRig::Fetch(const std::string& line, DeviceAddress object,
                                               const std::array<float, 4>& input) {
  return Run(line, object, {std::bit_cast<std::array<std::uint32_t, 4>>(input)})[0].out;
}

std::array<std::uint32_t, 4> TextureRig::Access(const std::string& line, DeviceAddress object,
                                                const std::array<int, 4>& input) {
  return Run(line, object, {std::bit_cast<std::array<std::uint32_t, 4>>(input)})[0].out;
}

}  // namespace warpcheck::emulator
