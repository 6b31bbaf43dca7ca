# SPDX-License-Identifier: GPL-2.0-only
#
# The top-level Makefile, which calls the Makefile of each part.  "make help" lists
# the targets.

PREFIX ?= /usr
KDIR ?= /lib/modules/$(shell uname -r)/build
# The oldest and the newest supported kernel, and the others that .ci/run tests.
KERNELS ?= 5.10 backports
OTHERS := 6.1-rt 6.12 7.2-rt arm64-6.12

VERSION := $(shell sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)
DKMS_DIR := /usr/src/taskrt-$(VERSION)
UDEV_RULES := /usr/lib/udev/rules.d/60-taskrt.rules
SYSUSERS := /usr/lib/sysusers.d/taskrt.conf
INSTALL ?= install
PKG_CONFIG ?= pkg-config

export PREFIX

all: lib tools

help:
	@echo 'make all            build the library and the command, into build/'
	@echo 'make deps           install the packages that the build needs and that are missing'
	@echo 'make module         build the kernel module for the running kernel, or for KDIR=, into build/module/'
	@echo 'make lib            build only the library'
	@echo 'make tools          build only the command, and the library that it needs'
	@echo 'make tests          build the test programs, without running them'
	@echo 'make demo           boot a kernel in QEMU and see five late threads explained'
	@echo 'make check          run the tests on this machine, then in QEMU for each of KERNELS="$(KERNELS)"'
	@echo 'make check-unit     run only the tests on this machine'
	@echo 'make check-guest    run only the tests in QEMU'
	@echo 'make check-debug    run all tests in QEMU on debug-6.1, debug-7.2, kcsan-6.1 and kcsan-7.2'
	@echo 'make check-others   run the other tests of .ci/run: the test bed, the benchmark, JACK, $(OTHERS)'
	@echo 'make check-matrix   run the tests in QEMU on all kernels of tests/vm/run --list, or on KERNELS=; print a table'
	@echo 'make check-claims   run the whole suite on the newest kernel, and the long tests on 6.12: 10^7 reads, 30 s of forking'
	@echo 'make soak           insert and remove the module for SECONDS=600 under everything at once, on KERNEL=6.12'
	@echo 'make check-jack     run JACK clients that explain why they are late, on 6.1-rt and 7.2-rt, or on KERNELS='
	@echo 'make check-mutations make NUMBER=200 lines wrong, one at a time, and see which of them the tests notice'
	@echo 'make check-coverage see which lines of the module the tests in QEMU reach, on debug-6.1, by gcov'
	@echo 'make check-fuzz     run the fuzzers, SECONDS=60 each'
	@echo 'make check-fuzz-kernel fuzz the module in QEMU, on debug-6.1, guided by kcov, for SECONDS=60'
	@echo 'make check-packages test the Debian packages on clean bookworm and trixie systems; as root, half an hour'
	@echo 'make check-builds   build the module for kernels of clang, with -Werror, and with odd configurations'
	@echo 'make bench          measure what taskrt and others cost, in instructions, on 6.1, 6.12 and 7.2'
	@echo 'make bench-check    measure on 6.12, and fail if a row costs 5 % more than it did'
	@echo 'make bench-native   measure its hot path on this machine, in ns, cache misses and cache lines'
	@echo 'make measure        measure what it costs others: locks in the life of a task, interrupts off, waits beside a greedy user'
	@echo 'make install        install the library and the command below DESTDIR and PREFIX ($(PREFIX)); see "uninstall"'
	@echo 'make dkms-install   install the module as source and let dkms build it; see "dkms-uninstall"'
	@echo 'make deb            build the Debian packages, into build/deb/'
	@echo 'make clean          remove build/'

# Only this and the targets that test install anything.
deps:
	@tests/setup build

# need NAMES: stop, with one line, if pkg-config or one of these libraries is missing.
missing = $(strip $(shell command -v $(PKG_CONFIG) >/dev/null || { echo pkg-config; exit; }; \
	for name in $(1); do $(PKG_CONFIG) --exists $$name || echo $$name; done))
need = $(if $(call missing,$(1)),$(error $(call missing,$(1)): missing, or without the files to \
build with; 'make deps' installs the Debian packages))

lib:
	$(call need,libnl-genl-3.0)@$(MAKE) --no-print-directory -C userlib

tools: lib
	$(call need,libkmod libseccomp ncursesw)@$(MAKE) --no-print-directory -C tools

tests:
	@tests/setup build check bench
	@$(MAKE) --no-print-directory lib tools
	@$(MAKE) --no-print-directory -C tests/unit
	@$(MAKE) --no-print-directory -C tests/cli
	@$(MAKE) --no-print-directory -C tests/guest
	@$(MAKE) --no-print-directory -C tests/demo
	@$(MAKE) --no-print-directory -C tests/bench
	@$(MAKE) --no-print-directory -C tests/native
	@$(MAKE) --no-print-directory -C tests/measure

# Kbuild writes its output next to the sources, so it works on a copy of them.  A kernel that
# clang has built wants its modules built by clang; without LLVM= or CC=, its make takes gcc.
module:
	@mkdir -p build/module
	@cp -a Kbuild dkms.conf module uapi build/module/
	@$(MAKE) --no-print-directory -C $(KDIR) M=$(CURDIR)/build/module \
		$(if $(LLVM)$(filter command,$(origin CC)),,$(shell module/compat/llvm $(KDIR))) modules

demo: deps
	@$(MAKE) -s --no-print-directory all
	@$(MAKE) -s --no-print-directory -C tests/demo run

# tests/check builds the programs itself, so that it can count build failures.
check check-unit check-guest:
	@KERNELS="$(KERNELS)" tests/check $(@:check-%=%)

check-debug:
	@KERNELS="$(if $(filter file,$(origin KERNELS)),debug-6.1 debug-7.2 kcsan-6.1 kcsan-7.2,$(KERNELS))" tests/check debug

check-others:
	@KERNELS="$(if $(filter file,$(origin KERNELS)),$(OTHERS),$(KERNELS))" tests/check others

# Resumes after an interruption; AGAIN=yes starts from the beginning.
check-matrix:
	@KERNELS="$(if $(filter file,$(origin KERNELS)),,$(KERNELS))" tests/matrix $(if $(AGAIN),--again)

check-claims:
	@tests/claims

soak:
	@tests/soak/run --seconds $(or $(SECONDS),600) $(or $(KERNEL),6.12)

check-jack:
	@tests/jack/run $(if $(filter file,$(origin KERNELS)),,$(KERNELS))

check-mutations:
	@tests/mutation/run --seed $(or $(SEED),1) --number $(or $(NUMBER),200)

check-coverage:
	@tests/coverage/run $(TESTS)

check-fuzz:
	@tests/fuzz/run $(or $(SECONDS),60)

check-fuzz-kernel:
	@tests/fuzz/kernel/run $(or $(SECONDS),60)

check-packages:
	@tests/packaging/run

check-builds:
	@tests/builds/module $(CASES)

bench: deps
	@$(MAKE) --no-print-directory all
	@tests/bench/run

bench-check: deps
	@$(MAKE) --no-print-directory all
	@UNIT_TIMEOUT=3600 tests/unit/run "tests/bench/run --quick --check"

bench-native:
	@tests/native/run

measure: deps
	@$(MAKE) --no-print-directory all
	@tests/measure/run

install: all
	@$(MAKE) --no-print-directory -C userlib install
	@$(MAKE) --no-print-directory -C tools install

uninstall:
	@$(MAKE) --no-print-directory -C userlib uninstall
	@$(MAKE) --no-print-directory -C tools uninstall

# Installs the source of the module for dkms, and the rules for its device.  Then
# dkms builds the module for all kernels whose headers are installed.  dkms exits
# with 77 for a kernel that the module does not support.
dkms-install: dkms-uninstall
	$(INSTALL) -d $(DESTDIR)$(DKMS_DIR)
	cp -R Kbuild dkms.conf module uapi $(DESTDIR)$(DKMS_DIR)
	$(INSTALL) -D -m 644 dist/udev/60-taskrt.rules $(DESTDIR)$(UDEV_RULES)
	$(INSTALL) -D -m 644 dist/sysusers.d/taskrt.conf $(DESTDIR)$(SYSUSERS)
	@[ -n "$(DESTDIR)" ] || ! command -v systemd-sysusers >/dev/null || systemd-sysusers $(SYSUSERS)
	@[ -n "$(DESTDIR)" ] || for build in /lib/modules/*/build/; do \
		[ ! -d "$$build" ] || dkms install taskrt/$(VERSION) -k "$$(basename "$${build%/build/}")" || \
			[ $$? = 77 ] || exit 1; \
	done

# Removes earlier builds, which dkms would otherwise reuse if the version is the same.
dkms-uninstall:
	@[ -n "$(DESTDIR)" ] || ! dkms status taskrt/$(VERSION) | grep . || \
		dkms remove taskrt/$(VERSION) --all
	rm -rf $(DESTDIR)$(DKMS_DIR)
	rm -f $(DESTDIR)$(UDEV_RULES) $(DESTDIR)$(SYSUSERS)

# Works on a copy, because building packages cleans the tree first.
deb:
	@tests/setup build deb
	@rm -rf build/deb
	@mkdir -p build/deb/taskrt-$(VERSION)
	@tar -c --exclude=./build --exclude=./.git . | tar -x -C build/deb/taskrt-$(VERSION)
	@cd build/deb/taskrt-$(VERSION) && dpkg-buildpackage -us -uc -b
	@rm -rf build/deb/taskrt-$(VERSION)

clean:
	rm -rf build

.PHONY: all help deps lib tools tests module demo check check-unit check-guest \
	check-debug check-others check-matrix check-claims check-jack check-mutations check-coverage \
	check-fuzz check-fuzz-kernel check-packages check-builds soak bench bench-check bench-native measure install uninstall \
	dkms-install dkms-uninstall deb clean
