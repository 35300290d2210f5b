// score: 0
// says: never launched a kernel
// The program does nothing and relies on stale memory.
#include "transpose.h"

void transpose(const float*, float*, int, int) {}
