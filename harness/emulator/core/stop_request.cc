#include "emulator/core/stop_request.h"

#include <atomic>

namespace warpcheck::emulator {
namespace {

std::atomic<bool> asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

void AskToStop() { asked.store(true, std::memory_order_relaxed); }

bool IsAskedToStop() { return asked.load(std::memory_order_relaxed); }

}  // namespace warpcheck::emulator
