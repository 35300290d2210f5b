// score: 0
// says: no element of the output was written
// A legal launch of a kernel that does nothing.
#include "picture.h"

__global__ void nothing() {}

void scale_picture(const float*, float*, int, int) { nothing<<<1, 1>>>(); }
