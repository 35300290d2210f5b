// Makes textures and surfaces on an emulator, and runs kernels of one instruction on them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "device/texture_descriptor.h"
#include "emulator/test_device.h"

namespace warpcheck::emulator {

class TextureRig {
 public:
  // The inputs and outputs of a thread. `in` is put into the registers %r4 to %r7 and %f4 to %f7.
  // `out` has the values that the instruction leaves in %r8 to %r11.
  struct Thread {
    std::array<std::uint32_t, 4> in = {};
    std::array<std::uint32_t, 4> out = {};
  };

  explicit TextureRig(Options options = {}) : device(std::move(options)) {}

  // Makes an object with these texels, row after row, and sets its addresses and distances.
  DeviceAddress Make(TextureDescriptor texture, const std::vector<std::byte>& texels);
  template <class T>
  DeviceAddress Make(const TextureDescriptor& texture, const std::vector<T>& texels) {
    const auto bytes = std::as_bytes(std::span(texels));
    return Make(texture, std::vector<std::byte>(bytes.begin(), bytes.end()));
  }
  // Returns the bytes of the rows, without the gaps between them.
  std::vector<std::byte> TexelsOf(DeviceAddress object);

  // Runs `line`, which is line 7 of student.cu, with one thread for each input. It finds the object
  // in %rd1; registers %p, %h, %r, %f and %rd up to 31 are declared.
  std::vector<Thread> Run(const std::string& line, DeviceAddress object,
                          const std::vector<std::array<std::uint32_t, 4>>& inputs);
  // Does the same for one thread, with floats as inputs.
  std::array<std::uint32_t, 4> Fetch(const std::string& line, DeviceAddress object,
                                     const std::array<float, 4>& input);
  std::array<std::uint32_t, 4> Access(const std::string& line, DeviceAddress object,
                                      const std::array<int, 4>& input);

  TestDevice device;
  DeviceError error = DeviceError::kSuccess;  // the error of the last launch
  // The number of blocks of each launch, all with the same inputs.
  std::uint32_t blocks = 1;

 private:
  TextureDescriptor Read(DeviceAddress object);
};

}  // namespace warpcheck::emulator
