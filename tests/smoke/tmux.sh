# SPDX-License-Identifier: GPL-2.0-or-later
#
# The real program in a real terminal. For test scripts, after tests/lib.sh:
#	term_start WIDTH HEIGHT    a shell in a terminal of its own
#	run COMMAND    keys NAME…    type TEXT    resize WIDTH HEIGHT
#	screen [-e]    await TEXT    await_top TEXT    await_not TEXT    await_shell

need_command tmux

# Sanitizers and slow machines.
patience=${IOTOP_SMOKE_SECONDS:-60}
work=$(mktemp -d) || exit 1
TMUX_TMPDIR=$work
export TMUX_TMPDIR
# Settings of whoever runs the tests are not ours.
XDG_CONFIG_HOME=$work/config
XDG_STATE_HOME=$work/state
export XDG_CONFIG_HOME XDG_STATE_HOME
unset TMUX

in_tmux() {
	tmux -u -L iotop -f /dev/null "$@"
}

# What ran in the terminal is waited for: it may be writing its history still.
term_stop() {
	_session=$(in_tmux list-panes -a -F '#{pane_pid}' 2>/dev/null | tr '\n' ',')
	in_tmux kill-server 2>/dev/null
	_end=$(($(date +%s) + patience))
	while [ -n "$_session" ] && pgrep -s "${_session%,}" >/dev/null &&
		[ "$(date +%s)" -lt "$_end" ]; do
		sleep 0.05
	done
	rm -rf "$work"
}
trap term_stop EXIT
trap 'exit 1' INT TERM HUP

term_start() {
	in_tmux kill-server 2>/dev/null
	# The prompt begins a line: where a picture was left it could break at the edge.
	in_tmux new-session -d -x "$1" -y "$2" "env PS1='$(printf '\r')ready> ' ENV= sh" ||
		skip "tmux cannot start a terminal"
	in_tmux set -g default-terminal tmux-256color
	in_tmux set -g remain-on-exit on
	await 'ready>'
}

# The marker tells the shell's answer from the line that asked for it.
run() {
	in_tmux send-keys -l "clear; $1"
	in_tmux send-keys Enter
}

keys() {
	in_tmux send-keys "$@"
}

type_text() {
	in_tmux send-keys -l -- "$1"
}

resize() {
	in_tmux resize-window -x "$1" -y "$2"
}

screen() {
	in_tmux capture-pane -p "$@"
}

# poll WANTED TEXT [LINES]: waits until the screen (its first lines) has (0) or has not (1) the
# text.
poll() {
	_end=$(($(date +%s) + patience))
	while :; do
		screen | head -n "${3:-1000}" >"$work/screen"
		grep -qF -e "$2" "$work/screen"
		[ $? -eq "$1" ] && return 0
		[ "$(date +%s)" -lt "$_end" ] || return 1
		sleep 0.05
	done
}

await() {
	poll 0 "$1" && return
	cat "$work/screen" >&2
	fail "the screen never showed: $1"
}

# In the first line, which says what the numbers mean.
await_top() {
	poll 0 "$1" 1 && return
	cat "$work/screen" >&2
	fail "the first line never showed: $1"
}

await_not() {
	poll 1 "$1" && return
	cat "$work/screen" >&2
	fail "the screen went on showing: $1"
}

# Back in the shell, the program's picture gone.
await_shell() {
	await 'ready>'
	await_not '[1 Tasks]'
}
