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

// From CUPTI's status codes to text for people: why counters cannot be read, and what to do.

// "counters cannot be read: another profiler is at work (cuptiXxx: CUPTI_ERROR_..., 39)".
Error CuptiError(std::string_view function, CUptiResult status);

// The metrics that CUPTI does not know on this chip. `ask` calls `function` for one, and gives its
// status. Fails where CUPTI knows none: "CUPTI has no smsp__sass_... for GH100".
Result<std::vector<std::string_view>> UnknownOf(
    const std::vector<std::string_view>& metrics, std::string_view chip, std::string_view function,
    const std::function<CUptiResult(std::string_view metric)>& ask);

// Calls a function of the table, whose failure becomes an Error.
template <class... Arguments>
Result<> Call(const CuptiFunction<Arguments...>& function,
              std::type_identity_t<Arguments>... arguments) {
  const CUptiResult status = function.pointer(arguments...);
  if (status != CUPTI_SUCCESS) return Fail(CuptiError(function.name, status));
  return {};
}

// The parameter block of a function that takes one, with its size; all else is zero.
#define CUPTI_PARAMETERS(Function, name) \
  CUpti_##Function##_Params name{};      \
  name.structSize = CUpti_##Function##_Params_STRUCT_SIZE

// "GH100": the name by which CUPTI knows the device's metrics.
Result<std::string> ChipName(const CuptiApi& api, const CuptiDevice& device);

// The machine code that the driver makes of PTX when it loads it, which is what nvcc would make for
// this GPU. The driver hands it out to CUPTI alone: its linker (cuLink...) compiles otherwise, with
// the addresses of shared memory unknown, and then merges fewer accesses.

class CubinCapture {
 public:
  // Watches until it is destroyed. CUPTI has room for one in a process: fails where another tool
  // watches. `api` outlives it.
  static Result<std::unique_ptr<CubinCapture>> Start(const CuptiApi& api);
  ~CubinCapture();
  CubinCapture(const CubinCapture&) = delete;
  CubinCapture& operator=(const CubinCapture&) = delete;

  // The cubin of the module that was loaded last since Start or the last Take; empty for none.
  std::vector<std::byte> Take() { return std::exchange(cubin_, {}); }

 private:
  explicit CubinCapture(const CuptiApi& api) : api_(api) {}
  static void OnEvent(void* capture, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                      const void* data);

  const CuptiApi& api_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  std::vector<std::byte> cubin_;
};

// Where machine instructions come from in the source, by the line table of a cubin.

// Of an instruction at `offset` in a function: file, as the PTX's .file names it, and line; empty
// where the table has none for it. Fails where the cubin cannot be read or has no such function.
Result<SourceLocation> PlaceOf(const CuptiApi& api, std::span<const std::byte> cubin,
                               const std::string& function, std::uint32_t offset);

}  // namespace warpcheck::gpu
