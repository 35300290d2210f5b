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

// CubinCapture captures the machine code that the driver makes from PTX when it loads it. nvcc
// would make the same code for this GPU. The driver gives the code only to CUPTI. The driver's
// linker (cuLink...) compiles differently: with unknown addresses of shared memory, it merges fewer
// accesses.
class CubinCapture {
 public:
  // Captures until it is destroyed. CUPTI allows one subscriber for each process: this fails if
  // another tool is subscribed. `api` must outlive this object.
  static Result<std::unique_ptr<CubinCapture>> Start(const CuptiApi& api);
  ~CubinCapture();
  CubinCapture(const CubinCapture&) = delete;
  CubinCapture& operator=(const CubinCapture&) = delete;

  // Returns the cubin of the module that was loaded last since Start() or the last Take(); empty if
  // no module was loaded.
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
// The file has the same name as in the PTX's .file. Returns an empty place if the table has no
// line. Fails if the cubin cannot be read or does not have the function.
Result<SourceLocation> PlaceOf(const CuptiApi& api, std::span<const std::byte> cubin,
                               const std::string& function, std::uint32_t offset);

}  // namespace warpcheck::gpu
