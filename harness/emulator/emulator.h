// The emulator is a Device that runs PTX on the CPU, in warps of 32 lanes. It is deterministic, and
// counts what the hardware would count (docs/counters.md).
//
// It works as follows. A module's text is parsed once (ptx/), its kernels are decoded to steps, and
// a launch runs them block by block, warp by warp. A step is one instruction for all lanes of a
// warp: a function that computes 32 values at once. Each access to memory is checked, counted and
// shown to the observers. At the end the counts of instructions become counters of lines.
//
// The rooms, from the bottom up; each may know those above it in this list (tests/layering):
//
//   memory        device memory: allocations, addresses, and which bytes have been written
//   code          a function as it runs: steps, basic blocks, memory instructions
//   decode        a module becomes code: control flow, live registers, operands
//   lanes         what one lane computes: arithmetic, conversions, texture filtering
//   core          a launch while it runs, as data: its blocks and warps, and who watches them
//   record        what a launch tells: findings in the program's words, counters of lines
//   warps         how a warp runs: its paths, calls and subwarps, and where lanes wait for others
//   blocks        how a block runs: its warps in turns, its barriers, and the order of blocks
//   access        an access of a warp to memory: where it leads, whether it may, what it counts
//   instructions  the functions of all instructions, by family
//   checkers      observers that find mistakes: races, memory that nothing has written
//   trace         observers that record how values were made
//   parallel      a launch on several threads, with the results of one
//
// Whatever is decided goes by numbers of instructions and by the seed, never by time or threads, so
// that the same launch gives the same results, counters and findings on every machine.
#pragma once

#include <memory>

#include "device/device.h"
#include "emulator/core/options.h"

namespace warpcheck::emulator {

// Makes an emulator. `log` must outlive it.
std::unique_ptr<Device> MakeEmulator(DeviceLog& log, Options options = {});

}  // namespace warpcheck::emulator
