// score: 0
// says: longer than
#include <unistd.h>

#include "transpose.h"

void transpose(const float*, float*, int, int) {
  for (;;) pause();
}
