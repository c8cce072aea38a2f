/* Compiled, never run: whether backends/cuda/nvtx_abi.h says what a toolkit's headers say, as abi.c
 * does for the driver. */
#include <nvtx3/nvToolsExt.h>

#include "backends/cuda/nvtx_abi.h"

#define SAME_NUMBER(ours, theirs)                                                                  \
    _Static_assert((unsigned)(ours) == (unsigned)(theirs), #ours " is not " #theirs);
SAME_NUMBER(NVTX_GIVES_MODULES, NVTX_ETID_CALLBACKS)
SAME_NUMBER(NVTX_GIVES_VERSION, NVTX_ETID_VERSIONINFO)
SAME_NUMBER(NVTX_SPOKEN, NVTX_VERSION)
SAME_NUMBER(NVTX_CORE, NVTX_CB_MODULE_CORE)
SAME_NUMBER(NVTX_CORE2, NVTX_CB_MODULE_CORE2)
SAME_NUMBER(NVTX_RANGE_START_EX, NVTX_CBID_CORE_RangeStartEx)
SAME_NUMBER(NVTX_RANGE_START, NVTX_CBID_CORE_RangeStartA)
SAME_NUMBER(NVTX_RANGE_START_W, NVTX_CBID_CORE_RangeStartW)
SAME_NUMBER(NVTX_RANGE_END, NVTX_CBID_CORE_RangeEnd)
SAME_NUMBER(NVTX_RANGE_PUSH_EX, NVTX_CBID_CORE_RangePushEx)
SAME_NUMBER(NVTX_RANGE_PUSH, NVTX_CBID_CORE_RangePushA)
SAME_NUMBER(NVTX_RANGE_PUSH_W, NVTX_CBID_CORE_RangePushW)
SAME_NUMBER(NVTX_RANGE_POP, NVTX_CBID_CORE_RangePop)
SAME_NUMBER(NVTX_DOMAIN_RANGE_START, NVTX_CBID_CORE2_DomainRangeStartEx)
SAME_NUMBER(NVTX_DOMAIN_RANGE_END, NVTX_CBID_CORE2_DomainRangeEnd)
SAME_NUMBER(NVTX_DOMAIN_RANGE_PUSH, NVTX_CBID_CORE2_DomainRangePushEx)
SAME_NUMBER(NVTX_DOMAIN_RANGE_POP, NVTX_CBID_CORE2_DomainRangePop)
SAME_NUMBER(NVTX_REGISTER_STRING, NVTX_CBID_CORE2_DomainRegisterStringA)
SAME_NUMBER(NVTX_REGISTER_STRING_W, NVTX_CBID_CORE2_DomainRegisterStringW)
SAME_NUMBER(NVTX_DOMAIN_CREATE, NVTX_CBID_CORE2_DomainCreateA)
SAME_NUMBER(NVTX_DOMAIN_CREATE_W, NVTX_CBID_CORE2_DomainCreateW)
SAME_NUMBER(NVTX_IS_TEXT, NVTX_MESSAGE_TYPE_ASCII)
SAME_NUMBER(NVTX_IS_WIDE, NVTX_MESSAGE_TYPE_UNICODE)
SAME_NUMBER(NVTX_IS_REGISTERED, NVTX_MESSAGE_TYPE_REGISTERED)
SAME_NUMBER(NVTX_UNTRACKED, NVTX_NO_PUSH_POP_TRACKING)

#define SAME_MODULE(module, number, places)                                                        \
    SAME_NUMBER(number, NVTX_CB_MODULE_##module)                                                   \
    SAME_NUMBER(places, NVTX_CBID_##module##_SIZE)
NVTX_MODULES(SAME_MODULE)
#define COUNT_MODULE(module, number, places) +1
SAME_NUMBER(1 + (0 NVTX_MODULES(COUNT_MODULE)), NVTX_CB_MODULE_SIZE)

#define SAME_TYPE(ours, theirs)                                                                    \
    _Static_assert(__builtin_types_compatible_p(ours, theirs), #ours " is not " #theirs);
SAME_TYPE(NvtxFunction, NvtxFunctionPointer)
SAME_TYPE(NvtxFunction **, NvtxFunctionTable)
SAME_TYPE(NvtxGetTable *, NvtxGetExportTableFunc_t)
SAME_TYPE(NvtxInitialize *, NvtxInitializeInjectionNvtxFunc_t)
SAME_TYPE(NvtxRangePush *, nvtxRangePushA_impl_fntype)
SAME_TYPE(NvtxRangePop *, nvtxRangePop_impl_fntype)
SAME_TYPE(NvtxDomain, nvtxDomainHandle_t)
SAME_TYPE(NvtxString, nvtxStringHandle_t)
SAME_TYPE(NvtxRangeId, nvtxRangeId_t)
SAME_TYPE(NvtxGetModule *, __typeof__(((NvtxExportTableCallbacks *)0)->GetModuleFunctionTable))

#define SAME_PLACE(ours, our_field, theirs, their_field)                                           \
    _Static_assert(offsetof(ours, our_field) == offsetof(theirs, their_field) &&                   \
                       sizeof(((ours *)0)->our_field) == sizeof(((theirs *)0)->their_field),       \
                   #our_field " is not where " #their_field " is");
SAME_PLACE(NvtxModules, size, NvtxExportTableCallbacks, struct_size)
SAME_PLACE(NvtxModules, get, NvtxExportTableCallbacks, GetModuleFunctionTable)
SAME_PLACE(NvtxVersion, size, NvtxExportTableVersionInfo, struct_size)
SAME_PLACE(NvtxVersion, version, NvtxExportTableVersionInfo, version)
SAME_PLACE(NvtxVersion, set, NvtxExportTableVersionInfo, SetInjectionNvtxVersion)
SAME_PLACE(NvtxAttributes, message_type, nvtxEventAttributes_t, messageType)
SAME_PLACE(NvtxAttributes, message, nvtxEventAttributes_t, message)
