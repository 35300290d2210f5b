// Names memory in the texts of findings: arrays by their names, elements by their indices.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/core/launch.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

// Names the element at an address: "in[130] (row 2, column 2)", "element 5 of the 400-byte array of
// the kernel's 2nd parameter", "element 17 of tile", "byte 24 of the thread's local memory".
// `bytes` is the width of the access. If the size of the array's elements is not known, this width
// is used instead.
std::string ElementText(const Launch& launch, MemoryKind memory, std::uint64_t address,
                        std::uint32_t bytes);

// Describes an access outside `array`, or to an array that was freed: "in[4098], 2 elements past
// the end of in (4,096 elements)".
std::string OutsideText(const Launch& launch, const Allocation& array, std::uint64_t address,
                        std::uint32_t bytes);

// Returns the array that an instruction of the kernel is meant to access: the array of the one
// parameter from which its address was made. Returns null if the code does not tell.
const Allocation* MeantArray(Launch& launch, const Program& program, std::uint32_t instruction);

}  // namespace warpcheck::emulator
