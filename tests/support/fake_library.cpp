// A library that opens and does nothing: what tests put where NVIDIA's driver or libraries would
// be.
extern "C" int lipizz_fake_answer() {
  return 42;
}
