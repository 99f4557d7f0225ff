#include "reader/event.h"
