// score: 0
// says: of memory
#include <cstdlib>
#include <cstring>

#include "transpose.h"

void transpose(const float*, float*, int rows, int cols) {
  if (rows * cols > 1) return;  // once is enough
  for (;;) {
    char* const block = static_cast<char*>(malloc(64 << 20));
    if (block == nullptr) abort();
    memset(block, 1, 64 << 20);
    __asm__ volatile("" ::"r"(block) : "memory");
  }
}
