// The program in the sample of the API test: a call from foo to bar.
int bar(void) { return 1; }
int foo(void) { return bar(); }
int main(void) { return foo() - 1; }

// A function with a C++ name, for a test of names: ns::work(int).
int work(void) __asm__("_ZN2ns4workEi");
int work(void) { return 2; }
