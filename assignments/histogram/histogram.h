// This function counts how often each value of a byte occurs in an array of bytes.
#pragma once

// A bin counts the bytes of one value, 0 to 255.
constexpr int kBins = 256;

// Afterwards, bins[v] is the number of i with bytes[i] == v. `bytes` has n elements and `bins` has
// kBins, both in device memory; n is at least 1. Both begin at a multiple of 256 bytes. The values
// in `bins` before the call are undefined. On return, the work must be finished, or under way on
// the default stream.
void histogram(const unsigned char* bytes, unsigned* bins, int n);
