// How common an opcode is in the kernels of courses (usage.def), and which ones the emulator knows.
#pragma once

#include <cstdint>
#include <string>

#include "ptx/types.h"

namespace warpcheck::ptx {

// Files with kernels that were looked through.
inline constexpr std::uint32_t kSurveyedFiles = 1300;

// Those that contain the opcode, at least; 0 where the survey has no row for it.
std::uint32_t FilesWith(Opcode opcode);

// "in 6 of 1,300 surveyed kernels", "in no row of a survey of ...".
std::string HowCommon(Opcode opcode);

// docs/ptx_support.md: a table of every row of opcodes.def.
std::string SupportDocument();

}  // namespace warpcheck::ptx
