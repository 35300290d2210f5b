#include "emulator/shadow_memory.h"

#include <algorithm>

namespace warpcheck::emulator {
namespace {

constexpr std::uint32_t kArrays = 6;

}  // namespace

ShadowPage::ShadowPage(std::uint32_t bytes_a_cell)
    : shift(bytes_a_cell == 4 ? 2 : 0),
      memory_(std::make_unique<Who[]>(std::size_t{kArrays} * stride())) {}

ShadowPage* ShadowPool::Take() {
  if (used_ == kMostPages) return nullptr;
  ++used_;
  if (free_words_.empty()) return std::make_unique<ShadowPage>(4U).release();
  ShadowPage* page = free_words_.back().release();
  free_words_.pop_back();
  return page;
}

void ShadowPool::GiveBack(ShadowPage* page) {
  --used_;
  (page->shift == 2 ? free_words_ : free_bytes_).emplace_back(page);
}

ShadowPage* ShadowPool::Split(ShadowPage* page) {
  std::unique_ptr<ShadowPage> fine;
  if (free_bytes_.empty()) {
    fine = std::make_unique<ShadowPage>(1U);
  } else {
    fine = std::move(free_bytes_.back());
    free_bytes_.pop_back();
  }
  for (std::uint32_t array = 0; array < kArrays; ++array) {
    const Who* from = page->whos(array);
    Who* to = fine->whos(array);
    for (std::uint32_t cell = 0; cell < page->cells(); ++cell) {
      std::fill_n(to + std::size_t{cell} * 4, 4, from[cell]);
    }
  }
  ++used_;
  GiveBack(page);
  return fine.release();
}

void ShadowStretch::Clear() {
  for (ShadowPage*& page : pages_) {
    if (page != nullptr) pool_->GiveBack(page);
    page = nullptr;
  }
}

}  // namespace warpcheck::emulator
