/* What Swift cannot reach through its Glibc or Darwin modules: macros, variadic calls, Linux-only calls. */
#ifndef CSYSTEM_H
#define CSYSTEM_H

#endif
