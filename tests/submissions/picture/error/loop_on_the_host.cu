// score: 0
// says: signal 11
// The program loops on the host over pointers to the device.
#include "picture.h"

void scale_picture(const float* in, float* out, int width, int height) {
  for (int i = 0; i < width * height; ++i) out[i] = 2 * in[i];
}
