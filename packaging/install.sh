#!/bin/sh
# install.sh            installs Kairos from the folder this file lies in: below PREFIX, which is ~/.local, or /usr/local for root
# install.sh --remove   takes it away again; feeds and articles stay
#
#     PREFIX=/opt/kairos ./install.sh
#
# With DESTDIR the files go below it, for one who makes a package of them: neither the desktop nor this machine is looked at.
set -eu

id=org.kairos.Reader
here=$(cd "$(dirname "$0")" && pwd)
record=lib/kairos/installed # what was installed, one file a line, so that a later version knows
remover=lib/kairos/install.sh

fail() { printf 'Kairos: %s\n' "$@" >&2; exit 1; }

# Installed, this file removes from where it lies.
case $here in
*/lib/kairos) usual=${here%/lib/kairos} ;;
*) if [ "$(id -u)" = 0 ]; then usual=/usr/local; else usual=${HOME:+$HOME/.local}; fi ;;
esac
prefix=${PREFIX:-$usual}
[ -n "$prefix" ] || fail "there is no home folder to install to; say where, with PREFIX=FOLDER."
case $prefix in
/*) ;;
*) prefix=$PWD/$prefix ;;
esac
case $prefix in
*'
'* | *=*) fail "the desktop cannot start a program below $prefix, for the equals sign or the line break in its name; choose another PREFIX." ;;
esac
prefix=${prefix%/}
root=${DESTDIR:-}$prefix

# The value of an Exec key: quoted if need be, as the Desktop Entry Specification wants it.
exec_value() {
	case $1 in
	*[!A-Za-z0-9/._+@:,-]*) printf '"%s"' "$(printf '%s' "$1" | sed 's/[`$"\\]/\\\\&/g; s/%/%%/g')" ;;
	*) printf '%s' "$1" ;;
	esac
}

# shell_word WORD: as one has to type it.
shell_word() {
	case $1 in
	*[!A-Za-z0-9/._+@:,-]*) printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")" ;;
	*) printf '%s' "$1" ;;
	esac
}

desktop_entry() {
	EXEC=$(exec_value "$prefix/bin/kairos") awk '{
		while (at = index($0, "@EXEC@"))
			$0 = substr($0, 1, at - 1) ENVIRON["EXEC"] substr($0, at + 6)
		print
	}' "$1"
}

files() { (cd "$here" && find bin share -type f | LC_ALL=C sort); }

# Whether the program runs here, in words of what is missing if not.
check_machine() {
	[ -z "${DESTDIR:-}" ] || return 0
	"$here/bin/kairos" --version >/dev/null 2>&1 && return
	lacking=$(ldd "$here/bin/kairos" 2>&1) || true
	case $lacking in
	*GLIBC_*) fail "this program needs a newer system: $(printf '%s\n' "$lacking" | sed -n 's/.*version .\(GLIBC_[0-9.]*\).*/\1/p' | sort -u | tail -n 1), its C library, is not there. Build Kairos from source instead, or use the Flatpak." ;;
	*'not found'*)
		fail "this system lacks $(printf '%s\n' "$lacking" | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p' | tr '\n' ' ')which the window needs." \
			"Install OpenGL and the X11 libraries: libgl1 libx11-6 libwayland-client0 (Debian, Ubuntu), mesa-libGL libX11 libwayland-client (Fedora), Mesa-libGL1 libX11-6 libwayland-client0 (openSUSE), libglvnd libx11 wayland (Arch)."
		;;
	esac
	fail "the program does not run on this machine ($(uname -m)): $("$here/bin/kairos" --version 2>&1 | head -n 1)"
}

# Tells the desktop what has changed. An icon cache is renewed where there is one, never made: without the
# programs of others renewing it, it would hide their icons.
tell_desktop() {
	[ -z "${DESTDIR:-}" ] || return 0
	tell update-desktop-database -q "$root/share/applications"
	tell update-mime-database "$root/share/mime"
	icons=$root/share/icons/hicolor
	[ ! -d "$icons" ] || touch "$icons" 2>/dev/null || true
	[ ! -e "$icons/icon-theme.cache" ] || tell gtk-update-icon-cache -f -t -q "$icons"
}

# tell COMMAND… DIRECTORY: if there are both.
tell() {
	for last; do :; done
	[ ! -d "$last" ] || ! command -v "$1" >/dev/null 2>&1 || "$@" >/dev/null 2>&1 || true
}

# copy FILE: beside its place, as FILE.kairos-new.
copy() {
	mkdir -p "$root/$(dirname "$1")" || return
	case $1 in
	*.desktop) desktop_entry "$here/$1" >"$root/$1.kairos-new" ;;
	*) cp "$here/$1" "$root/$1.kairos-new" ;;
	esac || return
	case $1 in bin/*) chmod 755 "$root/$1.kairos-new" ;; *) chmod 644 "$root/$1.kairos-new" ;; esac
}

# take_away FILE…: and folders that are empty then; what others have put there stays.
take_away() {
	for file; do rm -f "$root/$file"; done
	[ ! -d "$root" ] || (cd "$root" && for file; do rmdir -p "$(dirname "$file")" 2>/dev/null || true; done)
}

# each FUNCTION <LIST: of every line.
each() {
	while IFS= read -r file; do "$1" "$file" || return; done
}

half() { take_away "$1.kairos-new"; }

old() { grep -qxF "$1" "$scratch/files" || take_away "$1"; }

# All files are copied before the first takes its place: an installation is whole or not at all, and a running Kairos keeps
# the file it was started from.
install() {
	[ -x "$here/bin/kairos" ] || fail "$here/bin/kairos is not there: is the archive unpacked as a whole?"
	check_machine
	scratch=$(mktemp -d) || fail "no temporary folder can be made; is the disk full?"
	trap 'rm -rf "$scratch"' EXIT
	files >"$scratch/files"
	if ! said=$(each copy <"$scratch/files" 2>&1); then
		each half <"$scratch/files"
		case $said in
		*[Pp]ermission*) fail "you may not write to $root. Choose a folder of yours (PREFIX=\$HOME/.local), or run this as root." ;;
		*[Rr]ead-only*) fail "$root is on a disk that cannot be written to. Choose another folder with PREFIX." ;;
		*'No space'* | *[Qq]uota*) fail "the disk of $root is full. Nothing was installed." ;;
		esac
		fail "it could not be installed in $root: $(printf '%s' "$said" | tail -n 1)"
	fi
	[ ! -f "$root/$record" ] || { cp "$root/$record" "$scratch/old" && each old <"$scratch/old"; }
	each put <"$scratch/files"
	if [ -z "${DESTDIR:-}" ]; then
		mkdir -p "$root/lib/kairos"
		cp "$0" "$root/$remover.kairos-new" && chmod 755 "$root/$remover.kairos-new" && mv -f "$root/$remover.kairos-new" "$root/$remover"
		{ cat "$scratch/files"; printf '%s\n' $remover $record; } >"$root/$record"
	fi
	tell_desktop
	echo "Installed: $root/bin/kairos"
	[ -z "${DESTDIR:-}" ] || return 0
	case :$PATH: in *:"$prefix/bin":*) ;; *) echo "To type kairos alone in a terminal, add $prefix/bin to PATH." ;; esac
	echo "To remove it: $(shell_word "$root/$remover") --remove"
}

put() { mv -f "$root/$1.kairos-new" "$root/$1"; }

# Takes away what the desktop has derived of files like ours, where there are no such files any more.
forget_caches() {
	if [ -d "$root/share/mime" ] && [ ! -e "$root/share/mime/packages" ]; then
		for file in XMLnamespaces aliases generic-icons globs globs2 icons magic mime.cache subclasses treemagic types version text/x-opml+xml.xml; do
			take_away "share/mime/$file"
		done
	fi
	for file in "$root/share/applications/"*.desktop; do [ -e "$file" ] || take_away share/applications/mimeinfo.cache; done
}

# What lies below the root without a record: below DESTDIR, or from a version that kept none.
unrecorded() {
	cd "$root" 2>/dev/null || return 0
	for file in bin/kairos share/applications/$id.desktop share/mime/packages/$id.xml share/metainfo/$id.metainfo.xml \
		share/icons/hicolor/*/apps/$id.* share/icons/hicolor/*/apps/$id-symbolic.svg share/man/man1/kairos.1.gz \
		share/bash-completion/completions/kairos share/fish/vendor_completions.d/kairos.fish \
		share/zsh/site-functions/_kairos share/doc/kairos/copyright; do
		[ ! -f "$file" ] || printf '%s\n' "$file"
	done
}

remove() {
	if [ -f "$root/$record" ]; then list=$(cat "$root/$record"); else list=$(unrecorded); fi
	[ ! -d "$root" ] || [ -w "$root" ] || fail "you may not change $root; run this as the one who installed it."
	set --
	old_ifs=$IFS IFS='
'
	for file in $list; do set -- "$@" "$file"; done
	IFS=$old_ifs
	take_away "$@"
	tell_desktop
	[ -n "${DESTDIR:-}" ] || forget_caches
	login=${XDG_CONFIG_HOME:-${HOME:-/nonexistent}/.config}/autostart/$id.desktop
	[ -n "${DESTDIR:-}" ] || [ ! -f "$login" ] || ! grep -qF "$prefix/bin/kairos" "$login" || rm -f "$login"
	echo "Removed from $root. Feeds and articles are kept."
}

case ${1:-} in
--remove) remove ;;
'') install ;;
*) echo "usage: [PREFIX=FOLDER] install.sh [--remove]" >&2; exit 2 ;;
esac
