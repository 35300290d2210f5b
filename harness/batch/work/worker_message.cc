#include "batch/work/worker_message.h"

#include <fmt/format.h>

#include <exception>

#include "base/files.h"

namespace warpcheck::batch {
namespace {

constexpr std::size_t kMaxLogTail = 2000;  // bytes

}  // namespace

decltype(Delivery::what) DeliveryOf(const nlohmann::json& grade) try {
  return GradeFrom(grade);
} catch (const std::exception& exception) {
  return Died{fmt::format("the grader's answer is malformed: {}", exception.what())};
}

std::string LogTail(const std::filesystem::path& log) {
  std::string text = ReadFile(log).value_or("");
  if (text.size() > kMaxLogTail) text.erase(0, text.size() - kMaxLogTail);
  while (text.ends_with('\n')) text.pop_back();
  return text.empty() ? "" : ": " + text;
}

}  // namespace warpcheck::batch
