#include "symbolize/demangle.h"
