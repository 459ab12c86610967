// A program, because a precompiled header serves those alone that are compiled as it was.
int main() {
  return 0;
}
