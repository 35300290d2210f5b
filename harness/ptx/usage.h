// Says how common opcodes are in the kernels of courses (usage.def), and which of them the emulator
// executes.
#pragma once

#include <cstdint>
#include <string>

#include "ptx/opcode.h"

namespace warpcheck::ptx {

// The number of files with kernels that the survey has read.
inline constexpr std::uint32_t kSurveyedFiles = 1300;

// Returns a lower bound for the number of files that contain the opcode; 0 if the survey has no row
// for it.
std::uint32_t FilesWith(Opcode opcode);

// Returns a text like "in 6 of 1,300 surveyed kernels", or "in no row of a survey of ...".
std::string HowCommon(Opcode opcode);

// Returns the text of docs/ptx_support.md, with a table of all rows of opcodes.def.
std::string SupportDocument();

}  // namespace warpcheck::ptx
