# Launch Atlas
#
#   make                  build the programs: build/bin/atlas-*
#   make demo             build, then predict what switching KDA off does to the study's step
#   make check            all tests: check-unit check-golden check-readme check-layers hdr-check
#   make check-unit       unit tests (CK_RUN_SUITE=name runs one suite, CK_VERBOSITY=verbose)
#   make check-golden     command lines and what they print (tests/golden/run --update rewrites)
#   make check-readme     the commands shown in README.md print what it says
#   make check-layers     a folder includes only what stands above it; sizes of files
#   make hdr-check        every header compiles alone
#   make check-gpu        what needs a GPU: programs on its driver, replays, capture plans,
#                         recordings, races (tests/gpu/); says when it skips
#   make check-deep       the tests of the checker on random programs, more than 100,000 of them;
#                         whether they find the faults of tests/mutants.txt; the checker beside
#                         SPIN and Rumur, where it says which of these it skips
#   make valgrind         unit tests under valgrind (UNIT_SKIP="lp leave" leaves two suites out)
#   make fuzz             run each fuzz target for FUZZ_TIME seconds (fuzz-build: only build them)
#   make bench            build and run the benchmarks
#   make bundle           build/bundle/launch-atlas, one folder that runs without GLib and the rest
#                         installed, and build/bundle/launch-atlas.tar.gz
#   make install          programs to PREFIX/bin, models to PREFIX/share/launch-atlas, what is
#                         loaded into recorded programs to PREFIX/lib/launch-atlas
#   make uninstall        remove what install put there
#   make packages         install the packages that a build and the tests need (apt-get)
#   make format           clang-format every source
#   make compile_commands.json     for editors; lands in the build folder, where clangd looks
#   make clean            remove the build folder
#   make help             this text
#
# demo and check, too, install packages that are missing; no other target calls apt-get.
#
# Knobs, given as make NAME=VALUE or in the environment:
#
#   O=build               the folder that everything is built in
#   V=1                   show whole commands
#   CC=clang              the compiler (cc)
#   CFLAGS, LDFLAGS       optimisation and what else the builder wants (-g -O2, fortified)
#   WERROR=0              warnings are only warnings
#   SAN=1                 address and undefined-behaviour sanitizers
#   FUZZ_TIME=60          seconds for each fuzz target; FUZZ_CC=clang builds them
#   FUZZ_LIMIT=...        how far, instead: "-seed=1 -runs=20000" tries the same every time
#   CUDA_HOME=...         a CUDA toolkit, for the kernels of replays on a GPU; without one, and
#                         without nvcc on the PATH or in /usr/local/cuda, clang builds them
#   KERNEL_CC=clang       what builds those kernels: nvcc, clang, or none, which leaves them out
#   PREFIX=/usr/local     where install puts things; DESTDIR stands before it
#   NO_INSTALL=1          demo and check name missing packages instead of installing them
#
# A source needs no line here: .c files of the folders below go into one library, a file named
# atlas-NAME.c becomes the program NAME, tests/bench/NAME.c and tests/fuzz/fuzz_NAME.c likewise.
# A library that is new to the project has one line in tests/bootstrap and one at LIB_PC.

O ?= build
PREFIX ?= /usr/local
WERROR ?= 1
FUZZ_CC ?= clang
FUZZ_TIME ?= 60
FUZZ_LIMIT = -max_total_time=$(FUZZ_TIME)
PKG_CONFIG ?= pkg-config
CLANG_FORMAT ?= clang-format
CFLAGS ?= -g $(if $(SAN),-O1,-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)

all:

# --- Sources -------------------------------------------------------------------------------------

FOLDERS = model/* sim graphs backends backends/*
SRC := $(sort $(foreach d,$(FOLDERS),$(wildcard $d/*.c)))
MAIN := $(filter sim/atlas-%.c backends/atlas-%.c,$(SRC))
LIB_SRC := $(filter-out $(MAIN),$(SRC))
UNIT_SRC := $(sort $(wildcard tests/unit/*.c))
PEER_SRC := $(sort $(wildcard tests/peers/*.c))
BENCH_SRC := $(sort $(wildcard tests/bench/*.c))
FUZZ_SRC := $(sort $(wildcard tests/fuzz/fuzz_*.c))
HEADERS := $(sort $(foreach d,$(FOLDERS) backends/record/inject tests/*,$(wildcard $d/*.h)))
SPECS := $(sort $(foreach e,yaml tsv json,$(wildcard specs/*.$e specs/*/*.$e)))

obj = $(patsubst %.c,$(O)/%.o,$(1))
LIB := $(O)/libatlas.a
BIN := $(addprefix $(O)/bin/,$(notdir $(MAIN:.c=)))
UNIT := $(O)/tests/unit/unit
PEERS := $(O)/tests/peers/peers
BENCH := $(BENCH_SRC:%.c=$(O)/%)
FUZZ := $(FUZZ_SRC:tests/fuzz/%.c=$(O)/fuzz/%)
SHARE := $(O)/share/launch-atlas
KERNELS := $(O)/backends/cuda/kernels.image
INJECT := $(O)/lib/launch-atlas/libatlas-record.so
INJECT_SRC := $(sort $(wildcard backends/record/inject/*.c)) backends/cuda/cupti_library.c
FAKE := $(O)/tests/gpu/libcuda.so.1
FAKE_DEVICE := $(O)/tests/gpu/device/libcuda.so.1
FAKE_NVTX := $(O)/tests/gpu/nvtx.so
FAKE_RECORDED := $(O)/tests/gpu/recorded/libcuda.so.1
RECORDED := $(O)/tests/gpu/recorded/recorded
LAUNCHES := $(O)/tests/gpu/launches
UNBUILT := $(O)/tests/gpu/unbuilt/atlas-check
BUNDLE := $(O)/bundle/launch-atlas

# --- Flags ---------------------------------------------------------------------------------------

# pkg-config is asked when a recipe first needs the answer, because the rule `packages` may have to
# install it and the libraries first; the answer then replaces the question.
ask = $(eval $(1) := $$(shell $$(PKG_CONFIG) $(2)))$($(1))
LIB_PC = glib-2.0 libfyaml jansson zlib sqlite3 libcgraph
PC_CFLAGS = $(call ask,PC_CFLAGS,--cflags $(LIB_PC))
PC_LIBS = $(call ask,PC_LIBS,--libs $(LIB_PC))
CHECK_CFLAGS = $(call ask,CHECK_CFLAGS,--cflags check)
CHECK_LIBS = $(call ask,CHECK_LIBS,--libs check)
# lp_solve has no .pc file. Debian's is a static library that orders columns with colamd and can
# load readers of other formats with dlopen.
LPSOLVE_LIBS = -llpsolve55 -lcolamd -ldl

WARN = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
	-Wformat=2 -Wundef -Wwrite-strings $(if $(filter 0,$(WERROR)),,-Werror)
# Debian 12's GLib is the oldest and the newest whose interface we use.
GLIB = -DGLIB_VERSION_MIN_REQUIRED=GLIB_VERSION_2_74 -DGLIB_VERSION_MAX_ALLOWED=GLIB_VERSION_2_74
SANITIZE = $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer)
# No fused multiply-add: predicted numbers are the same on every machine.
BASE_CFLAGS = -std=c11 $(WARN) -ffp-contract=off -I. -I$(O) $(GLIB) $(PC_CFLAGS) \
	-DATLAS_KERNELS='"$(KERNELS)"'
ALL_CFLAGS = $(BASE_CFLAGS) $(CPPFLAGS) $(CFLAGS) $(SANITIZE)
LINK = $(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS)
LIBS = $(PC_LIBS) $(LPSOLVE_LIBS) -lm
FUZZ_SAN = -fno-sanitize-recover=undefined -fsanitize=address,undefined
# A fuzz target has no header.
FUZZ_CFLAGS = $(BASE_CFLAGS) -Wno-missing-prototypes -g -O1 $(FUZZ_SAN)
comma = ,

# What tests run under. GLib's own allocator would hide errors from sanitizers and valgrind; its
# warnings are bugs here. Sanitizers and valgrind take their time, so Check waits longer.
TEST_ENV = G_SLICE=always-malloc G_DEBUG=fatal-warnings UBSAN_OPTIONS=print_stacktrace=1
SLOWLY = CK_TIMEOUT_MULTIPLIER=20

Q = $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-6s %s\n' $(1) $(2);)

# --- Packages ------------------------------------------------------------------------------------

GOALS := $(or $(MAKECMDGOALS),all)
NEEDS := build $(if $(filter check check-deep check-unit hdr-check valgrind packages,$(GOALS)),test) \
	$(if $(filter fuzz fuzz-build,$(GOALS)),fuzz) $(if $(filter valgrind,$(GOALS)),valgrind)
MAY_INSTALL := $(if $(NO_INSTALL),,$(if $(filter check demo packages,$(GOALS)),--install))

packages:
	@CC='$(CC)' CPPFLAGS='$(CPPFLAGS)' PKG_CONFIG='$(PKG_CONFIG)' tests/bootstrap $(MAY_INSTALL) $(NEEDS)

# --- Building ------------------------------------------------------------------------------------

all: $(LIB) $(BIN) $(SHARE) $(INJECT)

# These two change only when what they hold does: other flags rebuild every object; a source that
# went away leaves the library.
$(O)/flags: FORCE | packages
	$(call keep,$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(LIBS) $(FUZZ_CC))
$(O)/sources: FORCE
	$(call keep,$(SRC) $(SPECS))
keep = @mkdir -p $(@D); printf '%s\n' '$(subst ','\'',$(1))' | cmp -s - $@ || \
	printf '%s\n' '$(subst ','\'',$(1))' >$@
FORCE:

PLAIN_OBJ := $(call obj,$(SRC) $(PEER_SRC) $(BENCH_SRC))
UNIT_OBJ := $(call obj,$(UNIT_SRC))
$(PLAIN_OBJ) $(UNIT_OBJ): $(O)/%.o: %.c $(O)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(ALL_CFLAGS) $(EXTRA) -MMD -MP -c -o $@ $<
$(UNIT_OBJ): EXTRA = $(CHECK_CFLAGS)

# The device's code, which image.c holds, by whatever could build it here.
$(KERNELS): backends/cuda/build-kernels backends/cuda/kernels.cu backends/cuda/kernels.h \
	sim/fingerprint.h $(O)/nvcc
	@mkdir -p $(@D)
	$(call say,NVCC,backends/cuda/kernels.cu)KERNEL_CC='$(KERNEL_CC)' backends/cuda/build-kernels $@
$(O)/nvcc: FORCE
	$(call keep,$(KERNEL_CC) $(CUDA_HOME) $(shell command -v nvcc) $(wildcard /usr/local/cuda/bin/nvcc))
$(O)/backends/cuda/image.o $(O)/fuzz/obj/backends/cuda/image.o: $(KERNELS)

$(LIB): $(call obj,$(LIB_SRC)) $(O)/sources
	@rm -f $@
	$(call say,AR,$@)$(AR) rcs $@ $(filter %.o,$^)

$(BIN): $(O)/bin/%: $(LIB)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(LINK) -o $@ $(filter %.o,$^) $(LIB) $(LIBS)
$(foreach m,$(MAIN),$(eval $(O)/bin/$(notdir $(m:.c=)): $(call obj,$m)))

# What atlas-record loads into other people's programs: C and nothing else, no sanitizers, no
# names but the entry points.
INJECT_OBJ := $(INJECT_SRC:%.c=$(O)/inject/%.o)
$(INJECT_OBJ): $(O)/inject/%.o: %.c $(O)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) -std=c11 -D_GNU_SOURCE $(WARN) -I. -g -O2 -fPIC -fvisibility=hidden \
	-MMD -MP -c -o $@ $<
$(INJECT): $(INJECT_OBJ)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -shared -Wl,-z,nodelete,-z,now,--no-undefined -o $@ $^ -ldl -lpthread

# Programs find the models we ship at ../share/launch-atlas/specs, in the build folder too.
$(SHARE): $(SPECS) $(O)/sources
	$(Q)rm -rf $@ && mkdir -p $@ $(if $(SPECS),&& cp --parents $(SPECS) $@)

# --- Tests ---------------------------------------------------------------------------------------

check: check-unit check-golden check-readme check-layers hdr-check

# The table of suites is every line "Suite *NAME(void);" of tests/unit/suites.h.
$(O)/tests/unit/suites.inc: tests/unit/suites.h
	@mkdir -p $(@D)
	$(Q)sed -n 's/^Suite \*\([a-z0-9_]*\)(void);.*/SUITE(\1)/p' $< >$@
$(O)/tests/unit/main.o: $(O)/tests/unit/suites.inc

$(UNIT): $(UNIT_OBJ) $(LIB)
	$(call say,LINK,$@)$(LINK) -o $@ $(UNIT_OBJ) $(LIB) $(CHECK_LIBS) $(LIBS)

# The programs are built first: a unit test may run one.
check-unit: $(UNIT) all
	$(Q)$(TEST_ENV) $(if $(SAN),$(SLOWLY)) $(UNIT)

$(PEERS): $(call obj,$(PEER_SRC) tests/unit/random_flow.c) $(LIB)
	$(call say,LINK,$@)$(LINK) -o $@ $(filter %.o,$^) $(LIB) $(LIBS)

# Random programs of each kind, by suite; then all that other checkers can be given, too.
check-deep: $(UNIT) $(PEERS) all
	$(Q)set -e; for s in search:17000 cutoff:20000 prove:10000 legal_random:10000 trail:2000 \
	threads:20000; do \
	ATLAS_RANDOM=$${s#*:} CK_RUN_SUITE=$${s%:*} $(TEST_ENV) $(if $(SAN),$(SLOWLY)) $(UNIT); done
	$(Q)tests/mutants
	$(Q)$(TEST_ENV) $(PEERS) $(wildcard tests/programs/corpus/*.txt) tests/peers/models.txt

valgrind: $(UNIT) all
	$(Q)$(TEST_ENV) $(SLOWLY) valgrind -q --leak-check=full --error-exitcode=9 $(UNIT)

check-golden: all $(FAKE) $(FAKE_DEVICE) $(FAKE_NVTX) $(FAKE_RECORDED) $(RECORDED) $(UNBUILT)
	$(Q)$(TEST_ENV) tests/golden/run --bin $(O)/bin

# What looks like the CUDA driver's library, for command lines that run programs on it; and with a
# device and CUPTI, for replays.
$(FAKE): tests/gpu/fake.c backends/cuda/abi.h $(O)/flags
$(FAKE_DEVICE): tests/gpu/fake_device.c tests/gpu/fake.c $(wildcard backends/cuda/*.h) \
	sim/fingerprint.h $(O)/flags
$(FAKE_NVTX): tests/gpu/fake_nvtx.c backends/cuda/nvtx_abi.h $(O)/flags
$(FAKE_RECORDED): tests/gpu/fake_recorded.c tests/gpu/fake_recorded.h backends/record/calls.h \
	$(wildcard backends/cuda/*_abi.h) backends/cuda/abi.h $(O)/flags
$(FAKE) $(FAKE_DEVICE) $(FAKE_NVTX) $(FAKE_RECORDED):
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -std=c11 -D_GNU_SOURCE -g $(WARN) -Wno-unused-parameter -I. -shared \
	-fPIC -Wl,-Bsymbolic,-soname,$(@F) -o $@ $<
	$(if $(filter %/device %/recorded,$(@D)),$(Q)ln -sf $(@F) $(@D)/libcupti.so.13)

# Programs to be recorded: without a GPU, on the last of them, and with one.
$(RECORDED): tests/gpu/recorded.c tests/gpu/fake_recorded.h backends/record/calls.h \
	backends/cuda/nvtx_abi.h backends/cuda/abi.h $(O)/flags
$(LAUNCHES): tests/gpu/launches.c backends/cuda/abi.h $(O)/flags
$(RECORDED) $(LAUNCHES):
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -std=c11 -D_GNU_SOURCE -g $(WARN) -I. -o $@ $< -ldl -lpthread

# The program as it is where nothing can build kernels.
$(UNBUILT): $(O)/bin/atlas-check backends/cuda/build-kernels
	@mkdir -p $(@D)
	$(call say,LINK,$@)KERNEL_CC=none backends/cuda/build-kernels $(@D)/image >/dev/null
	$(Q)$(CC) $(ALL_CFLAGS) -UATLAS_KERNELS -DATLAS_KERNELS='"$(@D)/image"' -c -o $(@D)/image.o \
	backends/cuda/image.c
	$(Q)$(LINK) -o $@ $(@D)/image.o $(call obj,backends/atlas-check.c) $(LIB) $(LIBS)

check-gpu: all $(FAKE_NVTX) $(LAUNCHES) $(O)/tests/bench/replay
	$(Q)tests/gpu/run --bin $(O)/bin
	$(Q)tests/gpu/replay --bin $(O)/bin
	$(Q)tests/gpu/plans --bin $(O)/bin
	$(Q)tests/gpu/record --bin $(O)/bin
	$(Q)tests/gpu/races --bin $(O)/bin

check-readme: all
	$(Q)$(TEST_ENV) tests/golden/run --label readme --bin $(O)/bin README.md

check-layers:
	$(Q)tests/layers

HDR := $(HEADERS:%=$(O)/hdr/%.o)
hdr-check: $(HDR)
$(HDR): $(O)/hdr/%.o: % $(O)/flags
	@mkdir -p $(@D)
	$(call say,HDR,$<)printf '#include "%s"\ntypedef int not_empty;\n' $< | \
	$(CC) $(ALL_CFLAGS) $(if $(filter tests/unit/%,$<),$(CHECK_CFLAGS)) \
	-MMD -MP -MF $(@:.o=.d) -MT $@ -c -o $@ -x c -

bench: $(BENCH)
	$(Q)set -e; for b in $(BENCH); do echo "== $${b##*/}"; $$b; done
$(BENCH): %: %.o $(LIB)
	$(call say,LINK,$@)$(LINK) -o $@ $< $(LIB) $(LIBS)

# --- Fuzzing: the library once more, with coverage counters ---------------------------------------

FUZZ_OBJ := $(patsubst %.c,$(O)/fuzz/obj/%.o,$(LIB_SRC) $(FUZZ_SRC))
$(FUZZ_OBJ): $(O)/fuzz/obj/%.o: %.c $(O)/flags
	@mkdir -p $(@D)
	$(call say,FUZZCC,$<)$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

$(O)/fuzz/libatlas.a: $(patsubst %.c,$(O)/fuzz/obj/%.o,$(LIB_SRC)) $(O)/sources
	@rm -f $@
	$(call say,AR,$@)$(AR) rcs $@ $(filter %.o,$^)

$(FUZZ): $(O)/fuzz/%: $(O)/fuzz/obj/tests/fuzz/%.o $(O)/fuzz/libatlas.a
	$(call say,LINK,$@)$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

fuzz-build: $(FUZZ)

# What a run learns stays in the build folder; seeds are files in tests/fuzz/seeds/NAME/.
fuzz: $(FUZZ:%=%.run)
$(FUZZ:%=%.run): %.run: %
	@mkdir -p $*.corpus
	$(call say,FUZZ,$*)$(TEST_ENV) $* $(FUZZ_LIMIT) -rss_limit_mb=4096 \
	-timeout=20 -print_final_stats=1 -verbosity=0 -print_funcs=0 -artifact_prefix=$*. \
	$*.corpus $(wildcard tests/fuzz/seeds/$(*F))

# --- The rest ------------------------------------------------------------------------------------

demo: all
	$(O)/bin/atlas-sim --toggle no-kda

AT = $(DESTDIR)$(PREFIX)
install: all
	install -d '$(AT)/bin'
	install $(BIN) '$(AT)/bin'
	install -D $(INJECT) '$(AT)/lib/launch-atlas/$(notdir $(INJECT))'
	$(foreach s,$(SPECS),install -D -m 644 $s '$(AT)/share/launch-atlas/$s'$(newline)	)
uninstall:
	rm -f $(foreach b,$(notdir $(BIN)),'$(AT)/bin/$b')
	rm -rf '$(AT)/share/launch-atlas' '$(AT)/lib/launch-atlas'
define newline


endef

# Programs look for libraries beside them first. The path must hold for the libraries that those
# libraries need, too: hence the old kind of tag. What belongs to glibc or to the driver is the
# machine's own; all else comes along.
BUNDLED := $(patsubst $(O)/bin/%,$(O)/bundled/%,$(BIN))
$(BUNDLED): $(O)/bundled/%: $(O)/bin/%
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(LINK) -Wl,-rpath,'$$ORIGIN/../lib' -Wl,--disable-new-dtags -o $@ \
	$(call obj,$(filter %/$*.c,$(MAIN))) $(LIB) $(LIBS)

# The benchmark of replays lies one folder deeper.
$(O)/bundled/tests/bench/replay: $(O)/tests/bench/replay.o $(LIB)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(LINK) -Wl,-rpath,'$$ORIGIN/../../lib' -Wl,--disable-new-dtags -o $@ $^ $(LIBS)

GPU_FILES = $(addprefix tests/gpu/,run replay plans races record replays.txt abi.c cupti_abi.c nvtx_abi.c \
	record_abi.c) $(addprefix backends/cuda/,abi.h cupti_abi.h nvtx_abi.h) \
	backends/record/calls.h tests/programs/plans/properties.txt \
	tests/programs/races/races.txt $(wildcard tests/programs/*.txt)
bundle: $(BUNDLED) $(SHARE) $(INJECT) $(O)/bundled/tests/bench/replay $(FAKE_NVTX) $(LAUNCHES)
	$(call say,BUNDLE,$(BUNDLE))rm -rf $(BUNDLE) && mkdir -p $(BUNDLE)/bin $(BUNDLE)/lib/launch-atlas
	$(Q)cp $(INJECT) $(BUNDLE)/lib/launch-atlas
	$(Q)cp $(BUNDLED) $(BUNDLE)/bin
	$(Q)ldd $(BUNDLED) | awk '$$2 == "=>" && $$3 ~ /^\// && $$1 !~ /$(OWN_LIBS)/ { print $$3 }' | \
	sort -u | xargs cp -L -t $(BUNDLE)/lib
	$(Q)mkdir -p $(BUNDLE)/share && cp -R $(SHARE) $(BUNDLE)/share && cp LICENSE $(BUNDLE)
	$(Q)cp --parents $(GPU_FILES) $(BUNDLE)
	$(Q)mkdir $(BUNDLE)/tests/bench && cp $(O)/bundled/tests/bench/replay $(BUNDLE)/tests/bench
	$(Q)cp $(FAKE_NVTX) $(LAUNCHES) $(BUNDLE)/tests/gpu
	$(Q)tar -C $(O)/bundle -czf $(BUNDLE).tar.gz launch-atlas
OWN_LIBS = ^(ld-linux.*|lib(c|m|dl|pthread|rt|resolv|util|cuda))[.]so

COMPILED := $(SRC) $(INJECT_SRC) $(UNIT_SRC) $(PEER_SRC) $(BENCH_SRC) $(FUZZ_SRC)
compile_commands.json: $(O)/compile_commands.json
$(O)/compile_commands.json: $(O)/flags $(O)/sources
	$(call say,GEN,$@){ sep=[; for f in $(COMPILED); do \
	printf '%s\n{"directory": "%s", "file": "%s", "command": "%s"}' "$$sep" '$(CURDIR)' $$f \
	'$(subst ",\",$(CC) $(ALL_CFLAGS) $(CHECK_CFLAGS)) -c '$$f; sep=,; done; echo; echo ]; } >$@

format:
	$(CLANG_FORMAT) -i $(COMPILED) $(HEADERS)

clean:
	rm -rf $(O)

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//; p' Makefile

.PHONY: all bench bundle check check-deep check-golden check-gpu check-layers check-readme
.PHONY: check-unit clean compile_commands.json demo format fuzz fuzz-build hdr-check help install packages
.PHONY: uninstall valgrind FORCE $(FUZZ:%=%.run)
.DELETE_ON_ERROR:
.SUFFIXES:

-include $(patsubst %.o,%.d,$(PLAIN_OBJ) $(INJECT_OBJ) $(UNIT_OBJ) $(HDR) $(FUZZ_OBJ))
