#include "cudart/order/watched_pages.h"

#include <pthread.h>

#include <algorithm>
#include <utility>

#include "base/result.h"
#include "base/round_up.h"

namespace warpcheck::cudart {
namespace {

using Kind = HostEvent::Kind;

// Ranges of pageable memory that are watched at a time.
constexpr std::size_t kMostPageable = 1024;

// Returns true if some of the bytes may lie on the stack of the calling thread, whose functions
// share its pages.
bool IsOnStack(std::uintptr_t begin, std::uintptr_t end) {
  struct Stack {
    std::uintptr_t begin = 0;
    std::uintptr_t end = UINTPTR_MAX;
    Stack() {
      pthread_attr_t attributes;
      if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return;
      void* start = nullptr;
      std::size_t bytes = 0;
      if (::pthread_attr_getstack(&attributes, &start, &bytes) == 0) {
        this->begin = Address(start);
        this->end = this->begin + bytes;
      }
      ::pthread_attr_destroy(&attributes);
    }
  };
  thread_local const Stack stack;
  return begin < stack.end && end > stack.begin;
}

// Returns a range that an unfinished operation uses, as a use.
MemoryUse UseOf(DeviceAddress begin, DeviceAddress end, bool written) {
  return {written ? MemoryUse::Kind::kWrite : MemoryUse::Kind::kRead, begin, end};
}

}  // namespace

void WatchedPages::Read(const HostEvent& event) {
  if (event.kind == Kind::kStart) started_ = true;
  if (!started_) return;
  if (event.IsOperation()) return ReadOperation(event);
  switch (event.kind) {
    case Kind::kHostFunction:
      if (event.thread != 0) ReadHostFunction();
      break;
    case Kind::kHostFunctionEnd:
      stale_ = true;
      break;
    case Kind::kHostFree:
    case Kind::kPoolFree:
      if (event.uses.uses.empty()) break;
      guard_.Clear();
      stale_ = true;
      break;
    case Kind::kReset:
      guard_.Clear();
      pageable_.clear();
      started_ = stale_ = false;
      host_waits_ = 0;
      break;
    default:
      break;
  }
}

void WatchedPages::ReadOperation(const HostEvent& event) {
  if (event.kind == Kind::kFree) {
    guard_.Clear();
    stale_ = true;
  }
  const bool may_be_running = event.kind == Kind::kCopy && event.asynchronous &&
                              order::PromisedWait(event) == HostCall::WaitsFor::kNothing &&
                              PageGuard::KnowsOfFrees();
  const auto is_pageable = [&](const MemoryUse& use) {
    const bool reads = use.kind == MemoryUse::Kind::kRead;
    return may_be_running && (reads ? event.from : event.to) == HostCall::Memory::kPageable;
  };
  for (const MemoryUse& use : event.uses.uses) {
    is_pageable(use) ? WatchPageable(use) : WatchUse(use);
  }
}

void WatchedPages::ReadHostFunction() {
  // After the function, WatchAgain() forgets these pages.
  WatchAgain();
  memory_.EachOnTheHost([&](const Allocation& allocation) {
    const std::uintptr_t begin = Address(allocation.host);
    WatchUse({MemoryUse::Kind::kWrite, begin, begin + allocation.bytes});
  });
}

void WatchedPages::WatchUse(const MemoryUse& use) {
  const Allocation* const allocation = memory_.Find(reinterpret_cast<const void*>(use.begin));
  if (allocation == nullptr || allocation->host == nullptr) return;
  const std::uintptr_t page = PageBytes();
  const std::uintptr_t start = Address(allocation->host);
  std::uintptr_t begin = use.begin / page * page;
  std::uintptr_t end = RoundUp(use.end, page);
  if (allocation->kind == MemoryKind::kRegistered) {
    // Other data of the program may lie on its first and its last page.
    begin = std::max<std::uintptr_t>(begin, RoundUp(start, page));
    end = std::min(end, (start + allocation->bytes) / page * page);
  }
  if (begin >= end) return;
  guard_.Add({begin, end, use.kind == MemoryUse::Kind::kRead});
}

void WatchedPages::WatchPageable(const MemoryUse& use) {
  if (IsOnStack(use.begin, use.end)) return;
  if (pageable_.size() >= kMostPageable) {
    return notes_.limit("buffers of asynchronous copies in pageable memory");
  }
  std::erase(pageable_, use);
  pageable_.push_back(use);
  WatchWholePages(use);
}

// Other data of the program lies on the first and the last page.
void WatchedPages::WatchWholePages(const MemoryUse& use) {
  const std::uintptr_t page = PageBytes();
  const std::uintptr_t begin = RoundUp(use.begin, page);
  const std::uintptr_t end = use.end / page * page;
  if (begin < end) guard_.Add({begin, end, use.kind == MemoryUse::Kind::kRead});
}

void WatchedPages::WatchAgain() {
  const order::Order& order = checker_.order();
  host_waits_ = order.host_waits();
  stale_ = false;
  guard_.Clear();
  std::erase_if(pageable_, [&](const MemoryUse& use) {
    bool pending = false;
    order.EachPending(use.begin, use.end,
                      [&](DeviceAddress first, DeviceAddress last, bool written) {
                        pending = true;
                        WatchWholePages(UseOf(first, last, written));
                      });
    return !pending;
  });
  memory_.EachOnTheHost([&](const Allocation& allocation) {
    const std::uintptr_t begin = Address(allocation.host);
    order.EachPending(begin, begin + allocation.bytes,
                      [&](DeviceAddress first, DeviceAddress last, bool written) {
                        WatchUse(UseOf(first, last, written));
                      });
  });
}

const MemoryUse* WatchedPages::PageableAt(std::uintptr_t address) const {
  const auto found = std::ranges::find_if(
      pageable_, [&](const MemoryUse& use) { return use.begin <= address && address < use.end; });
  return found == pageable_.end() ? nullptr : &*found;
}

void WatchedPages::Open(order::HostLog& log) {
  if (!started_) return;
  for (const PageGuard::Touch& touch : guard_.Open()) Append(log, touch);
  if (guard_.TakeLeftOut()) notes_.limit("accesses of the host to pages that the device uses");
  if (guard_.TakeUndone()) notes_.undone();
}

void WatchedPages::Append(order::HostLog& log, const PageGuard::Touch& touch) {
  const bool known = memory_.Find(reinterpret_cast<const void*>(touch.address)) != nullptr;
  const MemoryUse* const pageable = known ? nullptr : PageableAt(touch.address);
  if (!known && pageable == nullptr) return;
  const MemoryUse byte{touch.writes ? MemoryUse::Kind::kWrite : MemoryUse::Kind::kRead,
                       touch.address, touch.address + 1};
  const std::uintptr_t page = touch.address / PageBytes() * PageBytes();
  const MemoryUse buffer = pageable == nullptr ? MemoryUse{} : *pageable;
  log.Append({.kind = touch.frees ? Kind::kLibraryFree : Kind::kHostAccess,
              .site = {.function = touch.frees ? "free()" : "the host",
                       .caller = {},
                       .address = PlaceOf(touch)},
              .thread = static_cast<std::uint64_t>(touch.thread),
              .uses = {.uses = {byte}},
              .page = {byte.kind, page, page + PageBytes()},
              .buffer = buffer});
  if (pageable == nullptr) return;
  std::erase(pageable_, buffer);
  stale_ = true;
}

std::uint64_t WatchedPages::PlaceOf(const PageGuard::Touch& touch) const {
  // As for a call, the place is the address behind the instruction.
  const std::uint64_t behind = touch.code + 1;
  if (lines_.OfCall(behind).known()) return behind;
  for (const std::uint64_t caller : touch.callers) {
    if (lines_.OfCall(caller).known()) return caller;
  }
  return behind;
}

void WatchedPages::Close() {
  if (!started_) return;
  if (stale_ || host_waits_ != checker_.order().host_waits()) WatchAgain();
  guard_.Close();
}

}  // namespace warpcheck::cudart
