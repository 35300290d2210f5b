#include "results/speed_text.h"

#include <fmt/format.h>

namespace warpcheck {

std::string FiguresOf(const SpeedRatio& ratio) {
  return fmt::format(
      "{:.2f} of the reference's speed ({:.2f} to {:.2f} in {} pairs of calls; {:.4g} us, and the "
      "reference takes {:.4g} us)",
      ratio.ratio, ratio.low, ratio.high, ratio.pairs, ratio.submission_us, ratio.reference_us);
}

}  // namespace warpcheck
