// CUPTI, NVIDIA's profiling interface, loaded at run time: a build serves machines without it, and
// tests put a fake in place of the table.
#pragma once

#include <cuda.h>
#include <cupti_callbacks.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpcheck::gpu {

// A function with its name, for messages.
template <class... Arguments>
struct CuptiFunction {
  const char* name;
  CUptiResult (*pointer)(Arguments...) = nullptr;
};
template <class... Arguments>
CuptiFunction<Arguments...> FunctionLike(CUptiResult (*)(Arguments...));  // for its type

struct CuptiApi {
#define CUPTI_FUNCTION(Name) decltype(FunctionLike(&cupti##Name)) Name{"cupti" #Name};
#include "gpu/cupti_api.def"
#undef CUPTI_FUNCTION
};

// The GPU that is measured, and the context in which its kernels run.
struct CuptiDevice {
  std::uint32_t ordinal = 0;
  CUcontext context = nullptr;
};

// CUPTI, loaded once a process. Needs no GPU. Fails with what to do where it is missing or too old.
Result<const CuptiApi*> LoadCupti();

// Where it is looked for, in this order: the library path, $CUDA_HOME, $CUDA_PATH, /usr/local/cuda.
std::vector<std::string> CuptiPaths();
// Loads the first of `paths` that there is; it stays loaded.
Result<CuptiApi> LoadCuptiFrom(std::span<const std::string> paths);

}  // namespace warpcheck::gpu
