#include "order/clock.h"

#include <algorithm>

namespace warpcheck::order {

bool Clock::Includes(const Clock& other) const {
  for (std::uint32_t line = 0; line < other.times_.size(); ++line) {
    if (At(line) < other.times_[line]) return false;
  }
  return true;
}

void Clock::Join(const Moment& moment) {
  if (moment.line >= times_.size()) times_.resize(moment.line + 1);
  times_[moment.line] = std::max(times_[moment.line], moment.time);
}

void Clock::Join(const Clock& other) {
  if (other.times_.size() > times_.size()) times_.resize(other.times_.size());
  for (std::size_t i = 0; i < other.times_.size(); ++i) {
    times_[i] = std::max(times_[i], other.times_[i]);
  }
}

}  // namespace warpcheck::order
