// Smooths numbers until they change no more.
#pragma once

// Each round moves every number but the first and the last half way to the mean of its neighbours,
// all at once. The rounds end after the first one in which no number changes by more than
// `tolerance`. `start` and `out` have n numbers in memory of the device; `out` gets the result.
void settle(const float* start, float* out, int n, float tolerance);
