/* Only the declaration in include/FuzzDriver.h is needed; the toolchain brings the function. */
#include "FuzzDriver.h"
