// score: 0
// says: of CPU time
// The function never returns.
#include "transpose.h"

void transpose(const float*, float*, int, int) {
  for (volatile int i = 0;; i = i + 1) {
  }
}
