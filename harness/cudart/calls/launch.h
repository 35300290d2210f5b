// RunKernel() launches a kernel, for a launch of the program and for a node of a graph.
#pragma once

#include <cstdint>

#include "cudart/graphs/node.h"
#include "cudart/runtime.h"

namespace warpcheck::cudart {

// Packs the arguments of kernel->function, which are given as pointers in order, by the sizes and
// offsets in its PTX. Fails with cudaErrorInvalidDeviceFunction, cudaErrorInvalidValue, or the
// error of loading its module.
cudaError_t PackArguments(Runtime& runtime, void** arguments, KernelNode* kernel);

// Runs a kernel in a stream. `place` is where the program goes on after the call; 0 if unknown.
cudaError_t RunKernel(Runtime& runtime, Lane lane, KernelNode kernel, std::uint64_t place);

}  // namespace warpcheck::cudart
