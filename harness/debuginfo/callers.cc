#include "debuginfo/callers.h"

#include <unwind.h>

namespace warpcheck {
namespace {

struct Callers {
  std::uint64_t code = 0;
  std::span<std::uint64_t> addresses;
  bool below = false;  // the walk has passed the handler, and reached the instruction
  std::size_t count = 0;
};

_Unwind_Reason_Code AddCaller(_Unwind_Context* context, void* data) {
  auto& callers = *static_cast<Callers*>(data);
  const std::uint64_t address = _Unwind_GetIP(context);
  if (callers.below) {
    if (callers.count == callers.addresses.size()) return _URC_END_OF_STACK;
    callers.addresses[callers.count++] = address;
  }
  callers.below = callers.below || address == callers.code;
  return _URC_NO_REASON;
}

}  // namespace

std::size_t CallersOf(std::uint64_t code, std::span<std::uint64_t> callers) {
  Callers found{.code = code, .addresses = callers};
  _Unwind_Backtrace(&AddCaller, &found);
  return found.count;
}

}  // namespace warpcheck
