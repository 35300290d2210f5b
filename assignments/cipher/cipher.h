// This function replaces every letter of a text by the table's entry for it.
#pragma once

// A letter is a number from 0 to letters - 1, and letters is from 1 to kMostLetters.
constexpr int kMostLetters = 2048;

// The result is out[i] = table[text[i]] for every i from 0 to n - 1. `text` and `out` have n
// elements, `table` has `letters`; all of them are in device memory and do not overlap. n is at
// least 1. The text consists of runs of equal letters, of at least `run` letters each; only the
// last run may be shorter. If run is 1, neighbouring letters have nothing to do with each other. On
// return, the work must be finished, or under way on the default stream.
void substitute(const int* text, const int* table, int* out, int n, int letters, int run);
