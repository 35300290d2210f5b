// Loads CUPTI, NVIDIA's profiling interface, at run time, so that a build also works on machines
// without it, and so that tests can replace the table of functions.
#pragma once

#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"

namespace warpcheck::gpu {

// A function with its name, which messages use.
template <class... Arguments>
struct CuptiFunction {
  const char* name;
  CUptiResult (*pointer)(Arguments...) = nullptr;
};
template <class... Arguments>
CuptiFunction<Arguments...> FunctionLike(CUptiResult (*)(Arguments...));  // only its type is used

struct CuptiApi {
#define CUPTI_FUNCTION(Name) decltype(FunctionLike(&cupti##Name)) Name{"cupti" #Name};
#include "gpu/cupti/cupti_api.def"
#undef CUPTI_FUNCTION
};

// The GPU to be measured, and the context in which its kernels run.
struct CuptiDevice {
  std::uint32_t ordinal = 0;
  CUcontext context = nullptr;
};

// Loads CUPTI once for each process; needs no GPU. Fails with advice if CUPTI is missing or too
// old.
Result<const CuptiApi*> LoadCupti();

// Returns the places to look in, in order: the library path, $CUDA_HOME, $CUDA_PATH,
// /usr/local/cuda.
std::vector<std::string> CuptiPaths();
// Loads the first of `paths` that exists. It stays loaded.
Result<CuptiApi> LoadCuptiFrom(std::span<const std::string> paths);

// Turns a status code of CUPTI into a text that says why counters cannot be read, with advice:
// "counters cannot be read: another profiler is at work (cuptiXxx: CUPTI_ERROR_..., 39)".
Error CuptiError(std::string_view function, CUptiResult status);

// Returns the metrics that CUPTI does not know on this chip. `ask` calls `function` for one metric
// and returns its status. Fails if CUPTI does not know any of them: "CUPTI has no smsp__sass_...
// for GH100".
Result<std::vector<std::string_view>> UnknownOf(
    const std::vector<std::string_view>& metrics, std::string_view chip, std::string_view function,
    const std::function<CUptiResult(std::string_view metric)>& ask);

// Calls a function of the table, and turns its failure into an Error.
template <class... Arguments>
Result<> Call(const CuptiFunction<Arguments...>& function,
              std::type_identity_t<Arguments>... arguments) {
  const CUptiResult status = function.pointer(arguments...);
  if (status != CUPTI_SUCCESS) return Fail(CuptiError(function.name, status));
  return {};
}

// Declares the parameter block of a function, with its size; everything else is zero.
#define CUPTI_PARAMETERS(Function, name) \
  CUpti_##Function##_Params name{};      \
  name.structSize = CUpti_##Function##_Params_STRUCT_SIZE

// Returns the name by which CUPTI knows the device's metrics, such as "GH100".
Result<std::string> ChipName(const CuptiApi& api, const CuptiDevice& device);

}  // namespace warpcheck::gpu
