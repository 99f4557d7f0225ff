// Calls a function, with another value than a frame pointer in the register.
void through(void (*function)(void)) {
#if defined(__x86_64__)
  __asm__ volatile("mov $1, %%ebp" ::: "rbp");
#endif
  function();
  __asm__ volatile("");
}
