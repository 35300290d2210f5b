// This object never finishes loading, because its constructor runs forever.
const int kForever = [] {
  for (volatile int i = 0;;) i = i + 1;
  return 0;
}();
void Function() {}
