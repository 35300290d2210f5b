// score: 0
// says: printed more than
// The program prints without end.
#include <unistd.h>

#include "transpose.h"

void transpose(const float*, float*, int, int) {
  static char block[1 << 16];
  while (write(1, block, sizeof block) > 0) {
  }
}
