# Sourced by ./kafkasim, ./test and .ci/run: installs the packages a build needs and builds.
# Needs `root`, the top of the tree. Speaks on stderr only; stdout belongs to the program.
# shellcheck shell=bash disable=SC2154

program_packages=(cmake ninja-build g++ pkg-config libabsl-dev libfmt-dev libcli11-dev
  libyaml-cpp-dev nlohmann-json3-dev libxxhash-dev libmimalloc-dev)
test_packages=("${program_packages[@]}" ccache libgtest-dev libgmock-dev librapidcheck-dev
  python3-jsonschema python3-yaml)
# shellcheck disable=SC2034  # used by the scripts that source this file
ci_packages=("${test_packages[@]}" clang-14 clang-format-14)

# What one clone has compiled serves the next one, wherever it lies.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=true

# All that a build reads in the tree.
sources=("$root"/{CMakeLists.txt,CMakePresets.json,cmake,sim,broker,coordinator,client,scenarios,cli})

# What one compilation takes of one processor, for the estimate; measured on a small machine.
seconds_per_step=12

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# Prints those of the packages $@ that are not installed.
missing_packages() {
  local package status
  for package in "$@"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)
    [[ $status == installed ]] || printf '%s\n' "$package"
  done
}

# Installs those of the packages $@ that are missing, as root or through sudo.
require_packages() {
  local missing as_root=()
  if ! command -v dpkg-query >/dev/null; then
    say "this is no Debian: if the build fails, install what Debian 12 calls $*"
    return 0
  fi
  mapfile -t missing < <(missing_packages "$@")
  [[ ${#missing[@]} -gt 0 ]] || return 0
  if [[ $EUID -ne 0 ]]; then
    if ! command -v sudo >/dev/null; then
      say "packages are missing, and this user is neither root nor has sudo. Ask for:"
      say "  apt-get install ${missing[*]}"
      return 1
    fi
    as_root=(sudo)
  fi
  say "Installing ${missing[*]}"
  local install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o=Dpkg::Use-Pty=0
    install -y --no-install-recommends "${missing[@]}") log
  log=$(mktemp) || return 1
  # The first try spares the download of the package lists where they are fresh enough.
  if "${install[@]}" </dev/null 2>&1 | show_installation "$log" ||
    { "${as_root[@]}" apt-get -q update && "${install[@]}"; } </dev/null 2>&1 |
    show_installation "$log"; then
    rm -f "$log"
    return 0
  fi
  tail -n 15 "$log" >&2
  rm -f "$log"
  say "the installation failed. By hand: apt-get install ${missing[*]}"
  return 1
}

# Copies apt-get's output to the log $1 and shows on a terminal what it is at.
show_installation() {
  local line
  while IFS= read -r line; do
    printf '%s\n' "$line"
    [[ ! -t 2 || ! $line =~ ^(Get:|Unpacking|Setting up) ]] || printf '\r\033[K  %.76s' "$line" >&2
  done >>"$1"
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

# Copies ninja's output to the log $1 and shows how much there is to do and its progress: on a
# terminal one line that changes, otherwise a line each time another tenth is done.
show_progress() {
  local log=$1 line tenth=0 done_steps all_steps=0
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    # Step 0 is ninja's look at its own input.
    [[ $line =~ ^\[([1-9][0-9]*)/([0-9]+)\] ]] || continue
    if ((all_steps == 0 && BASH_REMATCH[2] > 20)); then
      printf '  %d steps, about %d minutes\n' "${BASH_REMATCH[2]}" \
        $((BASH_REMATCH[2] * seconds_per_step / $(nproc) / 60 + 1)) >&2
    fi
    done_steps=${BASH_REMATCH[1]} all_steps=${BASH_REMATCH[2]}
    if [[ -t 2 ]]; then
      printf '\r  %d of %d steps' "$done_steps" "$all_steps" >&2
    elif ((done_steps * 10 / all_steps > tenth)); then
      tenth=$((done_steps * 10 / all_steps))
      printf '  %d of %d steps\n' "$done_steps" "$all_steps" >&2
    fi
  done
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

# Prints what went wrong: the log $1 from its first error on, at most 40 lines.
show_failure() {
  local from
  from=$(grep -n -m1 -E '^(FAILED:|CMake Error|ninja: error)' "$1" | cut -d: -f1)
  if [[ -n $from ]]; then
    tail -n "+$from" "$1" | head -n 40 >&2
  else
    tail -n 40 "$1" >&2
  fi
  say "the build failed; the whole log is $1"
}

# True if the program $2 was built by preset $1 and nothing that the build reads has changed since it
# began. Looks at the time of the last status change, which an edit, a new name, a removal and a
# restored old file all move. Takes a few milliseconds.
is_up_to_date() {
  local stamp=$root/build/$1/up_to_date program=$2 built_in changed watched=("${sources[@]}")
  [[ -x $program && -e $stamp ]] && read -r built_in <"$stamp" || return 1
  [[ $built_in == "$root" ]] || return 1
  # Libraries and the compiler may have been upgraded.
  [[ ! -e /var/lib/dpkg/status ]] || watched+=(/var/lib/dpkg/status)
  changed=$(find "${watched[@]}" -cnewer "$stamp" -print -quit 2>&1) && [[ -z $changed ]]
}

# Builds $1 by preset $2 in build/<preset>, after configuring it if need be: all of it, with the
# settings `-D NAME=VALUE` that follow; or `--target NAME` alone, whatever settings it was configured
# with. One build of a preset at a time: whoever comes second waits. Leaves there the log `build.log`
# and, after success, `up_to_date`: its time is when the build began, its content the place of the
# tree.
build_preset() {
  local what=$1 preset=$2 dir=$root/build/$2 log=$root/build/$2/build.log
  local settings=("${@:3}") targets=()
  if [[ ${settings[0]} == --target ]]; then
    targets=("${settings[1]}")
    settings=()
  fi
  local cache=${CCACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/ccache}
  # ccache refuses to work without a place of its own.
  if ! mkdir -p "$cache" 2>/dev/null || [[ ! -w $cache ]]; then export CCACHE_DISABLE=1; fi
  if ! mkdir -p "$dir" 2>/dev/null || ! [[ -w $dir ]]; then
    say "$what must be built, but $dir cannot be written to"
    return 1
  fi
  (
    if ! flock --nonblock 9; then
      say "Waiting for another build of $what"
      flock 9
    fi
    # A tree that was moved or copied cannot be configured again over its old cache.
    if [[ -e $dir/CMakeCache.txt ]] &&
      ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
      find "$dir" -mindepth 1 ! -name .lock -delete
    fi
    printf '%s\n' "$root" >"$dir/began"
    # ninja goes by the time of an edit, so a file put back with its old time must look new to it.
    if [[ -e $dir/up_to_date ]]; then
      find "${sources[@]}" "$root/tests" -type f -cnewer "$dir/up_to_date" ! -newer "$dir/up_to_date" \
        -exec touch {} + 2>/dev/null
    fi
    : >"$log"
    say "Building $what"
    if [[ ! -e $dir/build.ninja || $root/CMakePresets.json -nt $dir/configured ]] ||
      [[ ${#targets[@]} -eq 0 && "${settings[*]}" != "$(<"$dir/configured")" ]]; then
      (cd "$root" && cmake --preset "$preset" "${settings[@]}") </dev/null >>"$log" 2>&1 || exit 1
      printf '%s\n' "${settings[*]}" >"$dir/configured"
    fi
    NINJA_STATUS='[%f/%t] ' ninja -C "$dir" -j "$(nproc)" "${targets[@]}" </dev/null 2>&1 | show_progress "$log" || exit 1
    mv "$dir/began" "$dir/up_to_date"
  ) 9>"$dir/.lock" && return 0
  show_failure "$log"
  return 1
}
