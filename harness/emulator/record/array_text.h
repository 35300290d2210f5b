// What memory is called in what students are told: arrays by their names, elements by their
// indices.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/core/launch.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

// "in[130] (row 2, column 2)", "element 5 of the 400-byte array of the kernel's 2nd parameter",
// "element 17 of tile", "byte 24 of the thread's local memory". `bytes`: of the access, which are
// an element where the array does not say how large one is.
std::string ElementText(const Launch& launch, MemoryKind memory, std::uint64_t address,
                        std::uint32_t bytes);

// Of an access outside `array`, or to one that was freed: "in[4098], 2 elements past the end of in
// (4,096 elements)".
std::string OutsideText(const Launch& launch, const Allocation& array, std::uint64_t address,
                        std::uint32_t bytes);

// The array that an instruction of the kernel means: that of the one parameter which its address
// was made from. Null where the code does not tell.
const Allocation* MeantArray(Launch& launch, const Program& program, std::uint32_t instruction);

}  // namespace warpcheck::emulator
