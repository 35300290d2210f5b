// Keeps the PTX of loaded modules, to show an instruction as it was written.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "emulator/code/program.h"
#include "emulator/core/launch.h"

namespace warpcheck::run {

class ModuleTexts {
 public:
  void Add(ModuleId module, std::string_view ptx);

  // Returns an instruction's PTX, such as "ld.global.f32 %f1, [%rd4]"; empty if the module is
  // unknown.
  std::string Instruction(const emulator::Launch& launch, const emulator::Program& program,
                          std::uint32_t instruction) const;

 private:
  std::map<ModuleId, std::vector<std::string>> lines_;
};

}  // namespace warpcheck::run
