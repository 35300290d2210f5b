#include "checks/plan.h"

#include <dlfcn.h>

#include <algorithm>
#include <unordered_map>

#include "base/check.h"

namespace warpcheck {

// dladdr looks through all symbols of the program: a name is asked for once.
std::string MangledName(const void* function) {
  static std::unordered_map<const void*, std::string> names;
  if (const auto known = names.find(function); known != names.end()) return known->second;
  Dl_info info{};
  WARPCHECK_CHECK(dladdr(function, &info) != 0 && info.dli_sname != nullptr,
                  "the checks program does not export its functions: link it with -rdynamic");
  WARPCHECK_CHECK(info.dli_saddr == function, "dladdr found another function");
  return names[function] = info.dli_sname;
}

Plan::ArrayIndex Plan::Add(std::shared_ptr<const ArrayStart> array) {
  const auto known = std::find(arrays.begin(), arrays.end(), array);
  if (known != arrays.end()) return static_cast<ArrayIndex>(known - arrays.begin());
  arrays.push_back(std::move(array));
  return arrays.size() - 1;
}

std::shared_ptr<const Plan> Elsewhere(const std::shared_ptr<const Plan>& plan) {
  auto again = std::make_shared<Plan>(*plan);
  again->again_of = plan;
  for (auto& array : again->arrays) array = std::make_shared<ArrayStart>(*array);
  return again;
}

}  // namespace warpcheck
