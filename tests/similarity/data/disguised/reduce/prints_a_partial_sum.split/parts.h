#pragma once

void Launch(const float* in, float* out, int blocks, int n);
