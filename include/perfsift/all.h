/// \file
/// All headers of the C++ interface. perfsift.h is the interface for C.
#pragma once

#include <perfsift/columns.h>
#include <perfsift/error.h>
#include <perfsift/filter.h>
#include <perfsift/memory.h>
#include <perfsift/offcpu.h>
#include <perfsift/payloads.h>
#include <perfsift/profile.h>
#include <perfsift/record.h>
#include <perfsift/recording.h>
#include <perfsift/sample.h>
#include <perfsift/sampling.h>
#include <perfsift/symbolizer.h>
#include <perfsift/timeline.h>
#include <perfsift/unwinder.h>
