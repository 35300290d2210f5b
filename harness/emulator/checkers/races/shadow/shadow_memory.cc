#include "emulator/checkers/races/shadow/shadow_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <numeric>

#include "base/check.h"

namespace warpcheck::emulator {

void ShadowPage::FillIn(Group& group) {
  constexpr std::uint32_t kCells = kGroupBytes / 4;
  const auto first = static_cast<std::uint32_t>(&group - groups.data()) * kCells;
  const auto fill = [&](Epoch* epoch, AccessId* id, Epoch at, AccessId one) {
    std::fill_n(epoch + first, kCells, at);
    std::iota(id + first, id + first + kCells, one);
  };
  if (group.writer != kNotFolded) fill(written(), writer(), group.written, group.writer);
  if (group.reader != kNotFolded) fill(read(), reader(), group.read, group.reader);
  group.writer = group.reader = kNotFolded;
}

void ShadowPool::Release::operator()(AccessId* memory) const { ::munmap(memory, bytes); }

ShadowPool::Slab ShadowPool::MakeSlab(std::size_t bytes) {
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  WARPCHECK_CHECK(memory != MAP_FAILED, "no memory for shadows");
  ::madvise(memory, bytes, MADV_NOHUGEPAGE);
  return Slab(static_cast<AccessId*>(memory), Release{bytes});
}

ShadowPage* ShadowPool::Make(std::uint32_t shift) {
  std::vector<ShadowPage*>& made = shift == 2 ? free_words_ : free_bytes_;
  if (made.empty()) {
    const std::size_t words = ShadowPage::Words(shift);
    slabs_.push_back(MakeSlab(kSlabPages * words * sizeof(AccessId)));
    for (std::size_t i = kSlabPages; i-- > 0;) {
      made.push_back(&pages_.emplace_back(shift, slabs_.back().get() + i * words));
    }
  }
  ShadowPage* page = made.back();
  made.pop_back();
  return page;
}

bool ShadowPool::TakePlaces(std::size_t places) {
  if (kMostPages - used_ < places) {
    refused_ = true;
    return false;
  }
  used_ += places;
  return true;
}

ShadowPage* ShadowPool::Take() { return TakePlaces(1) ? Make(2) : nullptr; }

void ShadowPool::GiveBack(ShadowPage* page) {
  used_ -= PlacesOf(*page);
  if (used_ == 0) refused_ = false;
  (page->shift == 2 ? free_words_ : free_bytes_).push_back(page);
}

ShadowPage* ShadowPool::Split(ShadowPage* page) {
  if (!TakePlaces(3)) return nullptr;  // `page` has one place already, of the four that are needed
  ShadowPage* fine = Make(0);
  for (ShadowPage::Group& group : page->groups) page->Unfold(group);
  for (std::uint32_t array = 0; array < ShadowPage::kArrays; ++array) {
    const AccessId* from = page->ids(array);
    AccessId* to = fine->ids(array);
    for (std::uint32_t cell = 0; cell < page->cells(); ++cell) {
      std::fill_n(to + std::size_t{cell} * 4, 4, from[cell]);
    }
  }
  fine->groups = page->groups;
  fine->readers = page->readers;
  fine->hidden.Split(page->hidden);
  // The page still has epochs of this launch, which its next owner would take for valid.
  std::fill_n(page->memory_, ShadowPage::Words(page->shift), 0);
  page->groups = {};
  page->readers = {};
  page->hidden = {};
  ++used_;
  GiveBack(page);
  return fine;
}

void ShadowStretch::Clear() {
  for (ShadowPage*& page : pages_) {
    if (page != nullptr) pool_->GiveBack(page);
    page = nullptr;
  }
}

}  // namespace warpcheck::emulator
