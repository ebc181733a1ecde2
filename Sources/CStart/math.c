/*
 * Swift's library refers to a hundred functions of libm, and a server of pages calls hardly any. Needed, libm costs each start
 * 50 us: it is looked for, mapped and relocated. So each of these is here and finds the real one when it is called first.
 */
#define _GNU_SOURCE
#include "Replaceable.h"

#include <math.h>
#include <stdlib.h>

#if defined(__linux__) && defined(__GLIBC__)
#include <dlfcn.h>

static void *find(const char *name) {
  void *library = dlopen("libm.so.6", RTLD_LAZY);
  void *found = library ? dlsym(library, name) : NULL;
  /* glibc is never without it. */
  if (!found) abort();
  return found;
}

#define REAL(name)                                              \
  ({                                                            \
    static void *kept;                                          \
    void *found = __atomic_load_n(&kept, __ATOMIC_ACQUIRE);     \
    if (!found) {                                               \
      found = find(#name);                                      \
      __atomic_store_n(&kept, found, __ATOMIC_RELEASE);         \
    }                                                           \
    (__typeof__(&name))found;                                   \
  })

#define OF_ONE(type, name) \
  REPLACEABLE type name(type x) { return REAL(name)(x); }
#define OF_TWO(type, name) \
  REPLACEABLE type name(type x, type y) { return REAL(name)(x, y); }
#define OF_THREE(type, name) \
  REPLACEABLE type name(type x, type y, type z) { return REAL(name)(x, y, z); }
#define WITH_INT(type, name) \
  REPLACEABLE type name(type x, int *n) { return REAL(name)(x, n); }
#define OF_TWO_WITH_INT(type, name) \
  REPLACEABLE type name(type x, type y, int *n) { return REAL(name)(x, y, n); }
#define OF_ORDER(type, name) \
  REPLACEABLE type name(int n, type x) { return REAL(name)(n, x); }

#define DOUBLE(form, name) form(double, name)
#define OTHERS(form, name) form(float, name##f) form(long double, name##l)
#define ALL(form, name) DOUBLE(form, name) OTHERS(form, name)

/* Dictionaries and sets ask for this one whenever they grow. From 2^52 on there is nothing behind the point. */
REPLACEABLE double ceil(double x) {
  if (!(__builtin_fabs(x) < 0x1p52)) return x;
  double whole = (double)(long long)x;
  return __builtin_copysign(whole < x ? whole + 1 : whole, x);
}

/* What Swift's own library refers to, in all three widths. */
OTHERS(OF_ONE, ceil)
ALL(OF_ONE, cos)
ALL(OF_ONE, exp)
ALL(OF_ONE, exp2)
ALL(OF_ONE, floor)
ALL(OF_ONE, log)
ALL(OF_ONE, log10)
ALL(OF_ONE, log2)
ALL(OF_ONE, nearbyint)
ALL(OF_ONE, rint)
ALL(OF_ONE, round)
ALL(OF_ONE, sin)
ALL(OF_ONE, sqrt)
ALL(OF_ONE, trunc)
ALL(OF_TWO, fmod)
ALL(OF_TWO, remainder)
ALL(OF_THREE, fma)

/* And its module for glibc. */
OTHERS(OF_ONE, acos)
OTHERS(OF_ONE, acosh)
OTHERS(OF_ONE, asin)
OTHERS(OF_ONE, asinh)
OTHERS(OF_ONE, atan)
OTHERS(OF_ONE, atanh)
OTHERS(OF_ONE, cbrt)
OTHERS(OF_ONE, cosh)
OTHERS(OF_ONE, erf)
OTHERS(OF_ONE, erfc)
OTHERS(OF_ONE, expm1)
OTHERS(OF_ONE, log1p)
OTHERS(OF_ONE, logb)
OTHERS(OF_ONE, sinh)
OTHERS(OF_ONE, tan)
OTHERS(OF_ONE, tanh)
OTHERS(OF_ONE, tgamma)
OTHERS(OF_TWO, atan2)
OTHERS(OF_TWO, fdim)
OTHERS(OF_TWO, hypot)
OTHERS(OF_TWO, nextafter)
OTHERS(OF_TWO, pow)
OF_TWO(long double, fmaxl)
OF_TWO(long double, fminl)
ALL(OF_TWO_WITH_INT, remquo)
WITH_INT(double, lgamma_r)
WITH_INT(float, lgammaf_r)
WITH_INT(long double, lgammal_r)
OF_ORDER(double, jn)
OF_ORDER(double, yn)
REPLACEABLE float nanf(const char *tag) { return REAL(nanf)(tag); }
REPLACEABLE long double nanl(const char *tag) { return REAL(nanl)(tag); }
#endif
