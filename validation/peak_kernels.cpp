// SPDX-License-Identifier: BSD-3-Clause
#include "validation/peak_kernels.h"

namespace holos::validation {
namespace {

template <std::size_t lanes>
struct VectorOf {
    typedef double Type __attribute__((vector_size(lanes * sizeof(double))));
};

/// One register for each chain: written out, as compilers keep arrays in memory.
template <std::size_t lanes>
[[gnu::always_inline]] inline double chains(std::uint64_t rounds, double factor, double addend) {
    using Vector = typename VectorOf<lanes>::Type;
    const Vector zero{};
    const Vector by = zero + factor, plus = zero + addend;
    Vector a = zero + 1.0, b = a, c = a, d = a, e = a, f = a, g = a, h = a, i = a, j = a;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        a = a * by + plus, b = b * by + plus, c = c * by + plus, d = d * by + plus, e = e * by + plus;
        f = f * by + plus, g = g * by + plus, h = h * by + plus, i = i * by + plus, j = j * by + plus;
        // Equal chains would become one otherwise.
#if defined(__x86_64__)
        asm volatile("" : "+x"(a), "+x"(b), "+x"(c), "+x"(d), "+x"(e));
        asm volatile("" : "+x"(f), "+x"(g), "+x"(h), "+x"(i), "+x"(j));
#elif defined(__aarch64__)
        asm volatile("" : "+w"(a), "+w"(b), "+w"(c), "+w"(d), "+w"(e));
        asm volatile("" : "+w"(f), "+w"(g), "+w"(h), "+w"(i), "+w"(j));
#endif
    }
    const Vector all = ((a + b) + (c + d)) + ((e + f) + (g + h)) + (i + j);
    double sum = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) sum += all[lane];
    return sum;
}

#if defined(__x86_64__)
[[gnu::target("avx512f")]] double chainsOf8(std::uint64_t rounds, double factor, double addend) {
    return chains<8>(rounds, factor, addend);
}
[[gnu::target("avx2,fma")]] double chainsOf4(std::uint64_t rounds, double factor, double addend) {
    return chains<4>(rounds, factor, addend);
}
#endif
double chainsOf2(std::uint64_t rounds, double factor, double addend) {
    return chains<2>(rounds, factor, addend);
}

}  // namespace

std::size_t vectorLanes() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return 8;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 4;
#endif
    return 2;
}

double multiplyAndAdd(std::uint64_t rounds, double factor, double addend) {
#if defined(__x86_64__)
    if (vectorLanes() == 8) return chainsOf8(rounds, factor, addend);
    if (vectorLanes() == 4) return chainsOf4(rounds, factor, addend);
#endif
    return chainsOf2(rounds, factor, addend);
}

void triad(std::span<double> a, std::span<const double> b, std::span<const double> c, double s) {
    double* __restrict const to = a.data();
    const double* const from = b.data();
    const double* const scaled = c.data();
    for (std::size_t i = 0; i < a.size(); ++i) to[i] = from[i] + s * scaled[i];
}

}  // namespace holos::validation
