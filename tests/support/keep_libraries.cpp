// Open MPI unloads its plugins before the leak check, which then cannot name them: without names,
// lsan.supp could not tell their leaks from ours. So sanitized programs never unload a library.
extern "C" int dlclose(void*) {
  return 0;
}
