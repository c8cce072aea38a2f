/* Short names of kernels: what is left out, what says more, and what a program can hold. */
#include "model/base/names.h"
#include "model/measure/kernel_name.h"
#include "tests/unit/suites.h"

START_TEST(test_short) {
    static const struct {
        const char *name, *brief;
    } cases[] = {
        {"embed", "embed"},
        {"", "(no name)"},
        {"_topk_forward", "_topk_forward"},
        {"volta_sgemm_32x32_sliced1x4_tn", "volta_sgemm_32x32_sliced1x4_tn"},
        /* path, return type, parameters */
        {"void lib::detail::scale(float*, float)", "scale"},
        {"ncclDevKernel_AllReduce_Sum_f32(ncclArgs<4096ul>)", "ncclDevKernel_AllReduce_Sum_f32"},
        {"void (anonymous namespace)::reduce<Half, 16>(Half*, unsigned int**)", "reduce"},
        /* a return type that compares */
        {"std::enable_if<(((8)>(0)))&&a::is<Half>::yes, void>::type v::add_norm<Half, 8>(Half*)",
         "add_norm"},
        /* the deepest functor says most; types and sizes say nothing */
        {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
         "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>)",
         "vectorized_elementwise_kernel CUDAFunctor_add"},
        {"void n::elementwise_kernel<128, 2, n::impl_nocast<n::BinaryFunctor<float, float, "
         "n::internal::MulFunctor<float> > >(n::Base&)::{lambda(int)#1}>(int)",
         "elementwise_kernel MulFunctor"},
        {"void n::reduce_kernel<512, 1, n::ReduceOp<float, n::MeanOps<float>, 4> >(int)",
         "reduce_kernel MeanOps"},
        /* else a function, but not what every lambda has */
        {"void n::vectorized_elementwise_kernel<4, n::exp_kernel_cuda(n::Base&)::{lambda()#2}::"
         "operator()() const::{lambda(float)#1}, std::array<char*, 2ul> >(int)",
         "vectorized_elementwise_kernel exp_kernel_cuda"},
        {"void n::k<4, n::(anonymous namespace)::launch_clamp(n::Base&)::{lambda()#1}>(int)",
         "k launch_clamp"},
        /* mangled */
        {"_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdEEEvT0_", "kentry"},
        {"_Z5scalePf", "scale"},
        {"_ZN99short", "_ZN99short"},
        /* unbalanced */
        {"void broken<int, (", "broken"},
        {"a>b)", "a>b)"},
        {"\377kernel", "\357\277\275kernel"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *brief = atlas_kernel_short(cases[i].name);
        ck_assert_str_eq(brief, cases[i].brief);
    }
}
END_TEST

/* 70 characters of two bytes each are cut to 50, the last three of which say so. */
START_TEST(test_long) {
    g_autoptr(GString) name = g_string_new(NULL), cut = g_string_new(NULL);
    for (guint i = 0; i < 70; i++)
        g_string_append(name, "\303\251");
    for (guint i = 0; i < ATLAS_KERNEL_LONGEST - 3; i++)
        g_string_append(cut, "\303\251");
    g_string_append(cut, "...");
    g_autofree char *brief = atlas_kernel_short(name->str);
    ck_assert_str_eq(brief, cut->str);
}
END_TEST

START_TEST(test_identifier) {
    static const struct {
        const char *text, *name;
    } cases[] = {
        {"embed", "embed"},
        {"stage:fwd", "stage_fwd"},
        {"elementwise_kernel MulFunctor", "elementwise_kernel_mul_functor"},
        {"CUDAFunctor_add", "cudafunctor_add"},
        {"Optimizer.step#AdamW.step", "optimizer_step_adam_w_step"},
        {"__memset__", "memset"},
        {"2d_conv", "x2d_conv"},
        {"\303\251", "x"},
        {"", "x"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *name = atlas_kernel_identifier(cases[i].text);
        ck_assert_str_eq(name, cases[i].name);
        ck_assert(atlas_name_valid(name, FALSE));
    }
}
END_TEST

Suite *kernel_name_suite(void) {
    Suite *suite = suite_create("kernel_name");
    TCase *tests = tcase_create("names");
    tcase_add_test(tests, test_short);
    tcase_add_test(tests, test_long);
    tcase_add_test(tests, test_identifier);
    suite_add_tcase(suite, tests);
    return suite;
}
