// Calls a function, while the register for the frame pointer has another value.
void through(void (*function)(void)) {
#if defined(__x86_64__)
  __asm__ volatile("mov $1, %%ebp" ::: "rbp");
#endif
  function();
  __asm__ volatile("");
}
