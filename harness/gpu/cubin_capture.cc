#include "gpu/cubin_capture.h"

#include "gpu/cupti_errors.h"

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
  auto enabled = Call(api.EnableCallback, 1, capture->subscriber_, CUPTI_CB_DOMAIN_RESOURCE,
                      CUPTI_CBID_RESOURCE_MODULE_LOADED);
  if (!enabled) return Fail(enabled.error());
  return capture;
}

CubinCapture::~CubinCapture() {
  if (subscriber_ != nullptr) (void)api_.Unsubscribe.pointer(subscriber_);
}

}  // namespace warpcheck::gpu
