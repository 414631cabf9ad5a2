/**
 * What the generated C stands on: the type of a lane value and the few operations that are not operators of C. The
 * native one works on WIDTH lanes at a time with GNU vector types, for whatever the compiler makes of them (SSE2,
 * AVX2, AVX-512, NEON); with WIDTH 1 and in CUDA a lane value is a plain double.
 */

/** Operations on one double, the same for plain C and CUDA. `FN` marks a function. */
const single = `FN int64_t bits_of(double x) { int64_t b; memcpy(&b, &x, 8); return b; }
FN double of_bits(int64_t b) { double x; memcpy(&x, &b, 8); return x; }
FN double abs_r(double x) { return of_bits(bits_of(x) & INT64_MAX); }
FN double sqrt_r(double x) { return SQRT(x); }
FN double min_r(double a, double b) { return a < b ? a : b; }
FN double max_r(double a, double b) { return a > b ? a : b; }
FN double copysign_r(double a, double b) { return of_bits((bits_of(a) & INT64_MAX) | (bits_of(b) & INT64_MIN)); }
FN double pow2_r(double k) { return of_bits((int64_t)((uint64_t)bits_of(k + 4503599627371519.0) << 52)); }
FN double exponent_r(double x) {
	return of_bits(((bits_of(x) & 0x7ff0000000000000) >> 52) | 0x4330000000000000) - 4503599627371519.0;
}
FN double mantissa_r(double x) { return of_bits((bits_of(x) & 0x000fffffffffffff) | 0x3ff0000000000000); }
FN double select_r(int m, double a, double b) { return m ? a : b; }
`;

/** One lane: lane operations are those on one double. */
const oneLane = `typedef double lanes;
typedef int mask;
#define WIDTH 1
#define SPREAD(x) (x)
#define LT(a, b) ((a) < (b))
#define LE(a, b) ((a) <= (b))
#define EQ(a, b) ((a) == (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define NOT(a) (!(a))
#define ANY(m) (m)
#define LANE(v, i) (v)
#define abs_l abs_r
#define sqrt_l sqrt_r
#define min_l min_r
#define max_l max_r
#define copysign_l copysign_r
#define pow2_l pow2_r
#define exponent_l exponent_r
#define mantissa_l mantissa_r
#define select_l select_r
#define LOAD(p) (*(p))
#define STORE(p, v) (*(p) = (v))
`;

const manyLanes = `typedef double lanes __attribute__((vector_size(8 * WIDTH)));
typedef int64_t mask __attribute__((vector_size(8 * WIDTH)));
#define SPREAD(x) ((x) - (lanes){0})
#define LT(a, b) ((mask)((a) < (b)))
#define LE(a, b) ((mask)((a) <= (b)))
#define EQ(a, b) ((mask)((a) == (b)))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define NOT(a) (~(a))
#define LANE(v, i) ((v)[i])
#define LOAD(p) load_l(p)
#define STORE(p, v) store_l(p, v)
FN int any_l(mask m) { int64_t any = 0; for (int i = 0; i < WIDTH; i++) any |= m[i]; return any != 0; }
#define ANY(m) any_l(m)
FN lanes load_l(const double *p) { lanes v; memcpy(&v, p, sizeof v); return v; }
FN void store_l(double *p, lanes v) { memcpy(p, &v, sizeof v); }
FN lanes select_l(mask m, lanes a, lanes b) { return (lanes)((m & (mask)a) | (~m & (mask)b)); }
FN lanes abs_l(lanes x) { return (lanes)((mask)x & INT64_MAX); }
FN lanes sqrt_l(lanes x) { lanes r; for (int i = 0; i < WIDTH; i++) r[i] = SQRT(x[i]); return r; }
FN lanes min_l(lanes a, lanes b) { return select_l(LT(a, b), a, b); }
FN lanes max_l(lanes a, lanes b) { return select_l(LT(b, a), a, b); }
FN lanes copysign_l(lanes a, lanes b) { return (lanes)(((mask)a & INT64_MAX) | ((mask)b & INT64_MIN)); }
FN lanes pow2_l(lanes k) { return (lanes)((mask)(k + 4503599627371519.0) << 52); }
FN lanes exponent_l(lanes x) {
	return (lanes)((((mask)x & 0x7ff0000000000000) >> 52) | 0x4330000000000000) - 4503599627371519.0;
}
FN lanes mantissa_l(lanes x) { return (lanes)(((mask)x & 0x000fffffffffffff) | 0x3ff0000000000000); }
`;

export const nativePreamble = `#include <stdint.h>
#include <string.h>
#ifndef WIDTH
#define WIDTH 2
#endif
#define FN static inline __attribute__((always_inline))
#define CALLED static __attribute__((noinline))
#define TABLE static const
#define SQRT(x) __builtin_sqrt(x)
${single}#if WIDTH == 1
#undef WIDTH
${oneLane}#else
${manyLanes}#endif
`;

export const cudaPreamble = `#ifdef __CUDACC_RTC__
typedef int int32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#define INT64_MAX 0x7fffffffffffffffLL
#define INT64_MIN (-INT64_MAX - 1)
#else
#include <stdint.h>
#endif
#define FN static __device__ __forceinline__
#define CALLED static __device__ __noinline__
#define TABLE static __device__ const
#define SQRT(x) __dsqrt_rn(x)
${single
	.replace(/\{ int64_t b; memcpy.*\}/, "{ return __double_as_longlong(x); }")
	.replace(/\{ double x; memcpy.*\}/, "{ return __longlong_as_double(b); }")}${oneLane}`;
