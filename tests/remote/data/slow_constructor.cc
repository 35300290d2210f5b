// Neither loading nor anything else comes to an end.
const int kForever = [] {
  for (volatile int i = 0;;) i = i + 1;
  return 0;
}();
void Function() {}
