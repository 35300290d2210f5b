#include "results/checks_order.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/json/record.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

std::string Objection(const ChecksOrder& order) {
  std::error_code error;
  for (const auto& file : {order.submission_host, order.shared_object}) {
    if (!std::filesystem::is_regular_file(file, error)) {
      return fmt::format("there is no file {}", file.string());
    }
  }
  if (order.plan.device != "emulator" && order.plan.device != "gpu") {
    return fmt::format("there is no device \"{}\"", order.plan.device);
  }
  if (order.plan.device == "gpu" && order.gpu_host.empty()) return "a GPU needs its gpu_host";
  if (!order.reference.empty() && order.plan.device != "gpu") return "only a GPU measures speed";
  if (!order.reference.empty() && !std::filesystem::is_regular_file(order.reference, error)) {
    return fmt::format("there is no file {}", order.reference.string());
  }
  return "";
}

}  // namespace

Result<> WriteOrder(const std::filesystem::path& path, const ChecksOrder& order) {
  return WriteFile(path, JsonText(ToJson(order)));
}

Result<ChecksOrder> ReadOrder(const std::filesystem::path& path) {
  const auto text = WARPCHECK_TRY(ReadFile(path, kMaxBytes));
  auto order = ParseRecord<ChecksOrder>(text);
  const std::string objection =
      order ? Objection(*order) : "an order that cannot be read: " + order.error().message;
  if (!objection.empty()) return Fail(objection, {.file = path.string()});
  return order;
}

}  // namespace warpcheck
