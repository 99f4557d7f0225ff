// What the sample of the API test is about: a call from foo to bar.
int bar(void) { return 1; }
int foo(void) { return bar(); }
int main(void) { return foo() - 1; }
