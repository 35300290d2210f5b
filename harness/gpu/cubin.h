// The machine code that the driver makes of PTX when it loads it, which is what nvcc would make for
// this GPU. The driver hands it out to CUPTI alone: its linker (cuLink...) compiles otherwise, with
// the addresses of shared memory unknown, and then merges fewer accesses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "gpu/cupti_api.h"

namespace warpcheck::gpu {

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

class CodePlaces {
 public:
  // Both outlive this.
  CodePlaces(const CuptiApi& api, std::span<const std::byte> cubin) : api_(api), cubin_(cubin) {}

  // File, as the PTX's .file names it, and line; empty where the table has none for the
  // instruction. Fails where the cubin cannot be read or has no such function.
  Result<SourceLocation> Of(const std::string& function, std::uint32_t offset) const;

 private:
  const CuptiApi& api_;
  std::span<const std::byte> cubin_;
};

}  // namespace warpcheck::gpu
