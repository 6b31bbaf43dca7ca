# SPDX-License-Identifier: GPL-2.0-only
#
# The top-level Makefile, which calls the Makefile of each part.  "make help" lists
# the targets.

PREFIX ?= /usr
KDIR ?= /lib/modules/$(shell uname -r)/build
# The oldest and the newest supported kernel, and the others that .ci/run tests.
KERNELS ?= 5.10 backports
OTHERS := 6.1 6.1-rt 6.12 6.12-rt 7.2-rt arm64-6.12

VERSION := $(shell sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)
DKMS_DIR := /usr/src/taskrt-$(VERSION)
UDEV_RULES := /usr/lib/udev/rules.d/60-taskrt.rules
SYSUSERS := /usr/lib/sysusers.d/taskrt.conf
INSTALL ?= install

export PREFIX

all: lib tools

help:
	@echo 'make all            build the library and the command, into build/'
	@echo 'make module         build the kernel module for the running kernel, or for KDIR=, into build/module/'
	@echo 'make lib            build only the library'
	@echo 'make tools          build only the command, and the library that it needs'
	@echo 'make tests          build the test programs, without running them'
	@echo 'make demo           boot a kernel in QEMU and see five late threads explained'
	@echo 'make check          run the tests on this machine, then in QEMU for each of KERNELS="$(KERNELS)"'
	@echo 'make check-unit     run only the tests on this machine'
	@echo 'make check-guest    run only the tests in QEMU'
	@echo 'make check-others   run the other tests of .ci/run: the test bed, JACK, $(OTHERS)'
	@echo 'make check-matrix   run the tests in QEMU on all kernels of tests/vm/run --list, or on KERNELS=; print a table'
	@echo 'make check-claims   run the long tests on 6.12: 10^7 reads, 20000 threads in top, 30 s of forking'
	@echo 'make check-jack     run JACK clients that explain why they are late, on 6.1-rt and 7.2-rt, or on KERNELS='
	@echo 'make check-packages test the Debian packages on clean bookworm and trixie systems; as root, half an hour'
	@echo 'make bench          measure the cost of the module, in instructions'
	@echo 'make install        install the library and the command below DESTDIR and PREFIX ($(PREFIX)); see "uninstall"'
	@echo 'make dkms-install   install the module as source and let dkms build it; see "dkms-uninstall"'
	@echo 'make deb            build the Debian packages, into build/deb/'
	@echo 'make clean          remove build/'

# Installs the packages that are missing for a build; fast if none are missing.
setup:
	@tests/setup build

lib: setup
	@$(MAKE) --no-print-directory -C userlib

tools: lib
	@$(MAKE) --no-print-directory -C tools

tests: lib tools
	@tests/setup check
	@$(MAKE) --no-print-directory -C tests/unit
	@$(MAKE) --no-print-directory -C tests/cli
	@$(MAKE) --no-print-directory -C tests/guest
	@$(MAKE) --no-print-directory -C tests/demo
	@$(MAKE) --no-print-directory -C tests/bench

# Kbuild writes its output next to the sources, so it works on a copy of them.
module:
	@mkdir -p build/module
	@cp -a Kbuild dkms.conf module uapi build/module/
	@$(MAKE) --no-print-directory -C $(KDIR) M=$(CURDIR)/build/module modules

demo:
	@$(MAKE) -s --no-print-directory all
	@$(MAKE) -s --no-print-directory -C tests/demo run

# tests/check builds the programs itself, so that it can count build failures.
check check-unit check-guest:
	@KERNELS="$(KERNELS)" tests/check $(@:check-%=%)

check-others:
	@KERNELS="$(if $(filter file,$(origin KERNELS)),$(OTHERS),$(KERNELS))" tests/check others

# Resumes after an interruption; AGAIN=yes starts from the beginning.
check-matrix:
	@KERNELS="$(if $(filter file,$(origin KERNELS)),,$(KERNELS))" tests/matrix $(if $(AGAIN),--again)

check-claims:
	@tests/claims

check-jack:
	@tests/jack/run $(if $(filter file,$(origin KERNELS)),,$(KERNELS))

check-packages:
	@tests/packaging/run

bench: all
	@tests/bench/run

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

.PHONY: all help setup lib tools tests module demo check check-unit check-guest \
	check-others check-matrix check-claims check-jack check-packages bench install uninstall dkms-install dkms-uninstall deb clean
