// Gets machine code (cubins) from the driver, and finds the source lines of its instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "gpu/cupti/cupti_api.h"

namespace warpcheck::gpu {

// Captures the machine code that the driver makes from PTX as it loads it, which is also what nvcc
// would make for this GPU. The driver gives it to CUPTI only. Its linker (cuLink...) compiles
// differently: with the addresses of shared memory unknown, it merges fewer accesses.
class CubinCapture {
 public:
  // Captures until it is destroyed. CUPTI allows one subscriber a process: fails if another tool
  // watches. `api` must outlive this object.
  static Result<std::unique_ptr<CubinCapture>> Start(const CuptiApi& api);
  ~CubinCapture();
  CubinCapture(const CubinCapture&) = delete;
  CubinCapture& operator=(const CubinCapture&) = delete;

  // Returns the cubin of the module that was loaded last since Start() or the last Take(); empty if
  // there is none.
  std::vector<std::byte> Take() { return std::exchange(cubin_, {}); }

 private:
  explicit CubinCapture(const CuptiApi& api) : api_(api) {}
  static void OnEvent(void* capture, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                      const void* data);

  const CuptiApi& api_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  std::vector<std::byte> cubin_;
};

// Returns the source line of the instruction at `offset` in a function, by the cubin's line table.
// The file is named as in the PTX's .file. Returns an empty place if the table has no line. Fails
// if the cubin cannot be read or has no such function.
Result<SourceLocation> PlaceOf(const CuptiApi& api, std::span<const std::byte> cubin,
                               const std::string& function, std::uint32_t offset);

}  // namespace warpcheck::gpu
