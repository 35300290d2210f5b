#include "gpu/cupti/cubin.h"

#include <fmt/format.h>

#include <cstdlib>

namespace warpcheck::gpu {

void CubinCapture::OnEvent(void* capture, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                           const void* data) {
  if (domain != CUPTI_CB_DOMAIN_RESOURCE || id != CUPTI_CBID_RESOURCE_MODULE_LOADED) return;
  const auto& resource = *static_cast<const CUpti_ResourceData*>(data);
  const auto& module = *static_cast<const CUpti_ModuleResourceData*>(resource.resourceDescriptor);
  const auto* const first = reinterpret_cast<const std::byte*>(module.pCubin);
  static_cast<CubinCapture*>(capture)->cubin_.assign(first, first + module.cubinSize);
}

Result<std::unique_ptr<CubinCapture>> CubinCapture::Start(const CuptiApi& api) {
  std::unique_ptr<CubinCapture> capture(new CubinCapture(api));
  auto subscribed = Call(api.Subscribe, &capture->subscriber_, &CubinCapture::OnEvent,
                         static_cast<void*>(capture.get()));
  if (!subscribed) {
    capture->subscriber_ = nullptr;
    return Fail(subscribed.error());
  }
  WARPCHECK_TRY(Call(api.EnableCallback, 1, capture->subscriber_, CUPTI_CB_DOMAIN_RESOURCE,
                     CUPTI_CBID_RESOURCE_MODULE_LOADED));
  return capture;
}

CubinCapture::~CubinCapture() {
  if (subscriber_ != nullptr) (void)api_.Unsubscribe.pointer(subscriber_);
}

Result<SourceLocation> PlaceOf(const CuptiApi& api, std::span<const std::byte> cubin,
                               const std::string& function, std::uint32_t offset) {
  CUpti_GetSassToSourceCorrelationParams params{};
  params.size = CUpti_GetSassToSourceCorrelationParamsSize;
  params.cubin = cubin.data();
  params.cubinSize = cubin.size();
  params.functionName = function.c_str();
  params.pcOffset = offset;
  const auto found = Call(api.GetSassToSourceCorrelation, &params);
  // CUPTI allocates both texts, and the caller frees them.
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
