# SPDX-License-Identifier: GPL-2.0-only
#
# The top of the tree: hands on to the Makefile of each part.  "make help" lists
# what there is.

PREFIX ?= /usr
KDIR ?= /lib/modules/$(shell uname -r)/build
# The oldest and the newest; and those that .ci/run has besides.
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
	@echo 'make all            library and command, into build/'
	@echo 'make module         the kernel module for the running kernel, or for KDIR=, into build/module/'
	@echo 'make lib, tools     one of them'
	@echo 'make tests          the test programs, without running them'
	@echo 'make demo           boot a kernel in QEMU and see five late threads explained'
	@echo 'make check          the tests on this machine, then in QEMU for each of KERNELS="$(KERNELS)"'
	@echo 'make check-unit     only those on this machine'
	@echo 'make check-guest    only those in QEMU'
	@echo 'make check-others   what .ci/run does after that: the test bed, JACK, $(OTHERS)'
	@echo 'make check-matrix   those in QEMU on every kernel of tests/vm/run --list, or KERNELS=, as a table'
	@echo 'make check-claims   10^7 reads, 20000 threads in top, 30 s of forking, on 6.12'
	@echo 'make check-jack     late clients of JACK, which say why, in QEMU on 6.1-rt and 7.2-rt, or KERNELS='
	@echo 'make check-packages the Debian packages, on clean systems of bookworm and trixie; as root, half an hour'
	@echo 'make bench          what the module costs, in instructions'
	@echo 'make install        library and command, below DESTDIR and PREFIX ($(PREFIX)); "uninstall" removes them'
	@echo 'make dkms-install   the module as source for dkms, which builds it; "dkms-uninstall" removes all of that'
	@echo 'make deb            Debian packages, into build/deb/'
	@echo 'make clean          remove build/'

# What this machine lacks for building; quick when it lacks nothing.
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

# Kbuild writes beside the sources, so it gets a copy of them.
module:
	@mkdir -p build/module
	@cp -a Kbuild dkms.conf module uapi build/module/
	@$(MAKE) --no-print-directory -C $(KDIR) M=$(CURDIR)/build/module modules

demo:
	@$(MAKE) -s --no-print-directory all
	@$(MAKE) -s --no-print-directory -C tests/demo run

# Builds what it tests by itself, so that it can count what does not build.
check check-unit check-guest:
	@KERNELS="$(KERNELS)" tests/check $(@:check-%=%)

check-others:
	@KERNELS="$(if $(filter file,$(origin KERNELS)),$(OTHERS),$(KERNELS))" tests/check others

# Goes on where it was; AGAIN=yes begins anew.
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

# The module's source, where dkms looks for it, and who may open its device.
# Built for all kernels that have headers here; 77 is dkms' word for one that is
# out of range.
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

# What dkms has built of an earlier state of the same version would be taken for this one.
dkms-uninstall:
	@[ -n "$(DESTDIR)" ] || ! dkms status taskrt/$(VERSION) | grep . || \
		dkms remove taskrt/$(VERSION) --all
	rm -rf $(DESTDIR)$(DKMS_DIR)
	rm -f $(DESTDIR)$(UDEV_RULES) $(DESTDIR)$(SYSUSERS)

# In a copy: building packages makes a tree clean first.
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
