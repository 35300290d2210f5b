// Where machine instructions come from in the source, by the line table of a cubin.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "base/source_location.h"
#include "gpu/cupti_api.h"

namespace warpcheck::gpu {

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
