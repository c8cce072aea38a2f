/* Names of kernels, short enough to be read.
 *
 * A profiler names a kernel as the C++ compiler does, often in hundreds of characters, most of
 * which are the same for all kernels of a library:
 *
 *     void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>,
 *         std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>, ...)
 *
 * Its short name is the function's own, without namespaces, arguments and parameters, and what its
 * template is about, where an argument says so: "vectorized_elementwise_kernel CUDAFunctor_add".
 * That is the most deeply nested argument named like a functor or an operation, else like a kernel
 * or a function. So a short name can stand for several kernels, which differ in types and sizes; it
 * never hides what a kernel does. A name that is no C++ is short already; of a mangled one the
 * last part of its path is taken. Names are cut to ATLAS_KERNEL_LONGEST characters.
 *
 * The caller frees what is returned.
 */
#ifndef ATLAS_MODEL_MEASURE_KERNEL_NAME_H
#define ATLAS_MODEL_MEASURE_KERNEL_NAME_H

#include <glib.h>

enum { ATLAS_KERNEL_LONGEST = 50 };

/* Never empty. What is no UTF-8 is replaced. */
char *atlas_kernel_short(const char *name);

/* A text as it is, or its first characters and "..." where it has more than `longest`. */
char *atlas_name_cut(const char *text, guint longest);

/* Any text as a name that specs and programs may hold (names.h), in lower case:
 * "vectorized_elementwise_kernel_cudafunctor_add", "stage_fwd"; "x" where nothing is left of it. */
char *atlas_kernel_identifier(const char *text);

#endif
