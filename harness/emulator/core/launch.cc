#include "emulator/core/launch.h"

namespace warpcheck::emulator {

void PrepareCounts(Launch& launch) {
  for (const auto& [id, program] : launch.kernel->programs) {
    Launch::Counts& counts = launch.counts[program.get()];
    counts.sites.resize(program->memory.size());
    counts.blocks.resize(program->blocks.size() + 1);
  }
}

}  // namespace warpcheck::emulator
