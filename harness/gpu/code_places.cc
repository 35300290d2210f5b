#include "gpu/code_places.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "gpu/cupti_errors.h"

namespace warpcheck::gpu {

Result<SourceLocation> CodePlaces::Of(const std::string& function, std::uint32_t offset) const {
  CUpti_GetSassToSourceCorrelationParams params{};
  params.size = CUpti_GetSassToSourceCorrelationParamsSize;
  params.cubin = cubin_.data();
  params.cubinSize = cubin_.size();
  params.functionName = function.c_str();
  params.pcOffset = offset;
  const auto found = Call(api_.GetSassToSourceCorrelation, &params);
  // CUPTI allocates both, the caller frees them.
  const std::unique_ptr<char, decltype(&std::free)> file(params.fileName, &std::free);
  const std::unique_ptr<char, decltype(&std::free)> folder(params.dirName, &std::free);
  if (!found) return Fail(found.error());
  if (file == nullptr || params.lineNumber == 0) return SourceLocation{};
  SourceLocation place;
  place.file = file.get();
  place.line = static_cast<int>(params.lineNumber);
  if (folder != nullptr && *folder != '\0') {
    const std::string path = folder.get();
    place.file = fmt::format("{}{}{}", path, path.ends_with('/') ? "" : "/", place.file);
  }
  return place;
}

}  // namespace warpcheck::gpu
