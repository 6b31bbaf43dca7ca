# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# How the programs of this version and the next meet the libraries, modules and files of
# both.  To be sourced; $out is what was built, $work a folder, $emulator what runs it.
# shellcheck disable=SC2154

versions='1.0 next'
emulator=()

# with LIBRARY PROGRAM...
with() {
	LD_LIBRARY_PATH=$out/$1/lib timeout 60 "${emulator[@]}" "${@:2}"
}

write_golden() {	# VERSION OF THE MODULE
	mkdir -p "$work/golden/$1"
	with 1.0 "$out/1.0/golden" "$out/$1/module.so" "$work/golden/$1"
}

golden_names='alert exits exits-default file page page-ended process-coarse process-coarse-2
	process-groups thread-3 thread-default'

# golden_bytes FOLDER: what was written there, as golden/bytes has it.
golden_bytes() {
	local name

	for name in $golden_names; do
		echo "== $name"
		od -A x -t x1 -w16 "$1/$name" || return
	done
}

# All files that there are to read: 1.0's are the golden ones.
write_files() {
	cp "$work/golden/1.0/file" "$work/file-1.0"
	with next "$out/next/program" next next next "$out/next/module.so" \
		"$work/golden/1.0/file" "$work/file-next" >"$work/written" 2>&1
	[ -s "$work/file-next" ]
}

meet() {		# PROGRAM LIBRARY MODULE FILE
	with "$2" "$out/$1/program" "$2" "$3" "$4" "$out/$3/module.so" "$work/file-$4" \
		"$work/file-of-$1-$2-$3"
}

sizes() {		# PROGRAM LIBRARY MODULE
	with "$2" "$out/$1/program" "$2" "$3" "$3" "$out/$3/module.so"
}

names() {
	echo "program $1, library $2, module $3"
}

# each_meeting COMMAND...: with what is met and how.
each_meeting() {
	local program library module file

	for program in $versions; do
		for library in $versions; do
			for module in $versions; do
				for file in $versions; do
					"$@" "$(names "$program" "$library" "$module"), file $file" \
						meet "$program" "$library" "$module" "$file"
				done
				"$@" "sizes: $(names "$program" "$library" "$module")" \
					sizes "$program" "$library" "$module"
			done
		done
	done
}
MEETINGS=24
