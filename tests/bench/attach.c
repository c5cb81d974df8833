/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * attach OBJECT: loads a BPF object and attaches its programs, those that the kernel takes, until
 * it is killed.
 */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <bpf/libbpf.h>

int main(int argc, char **argv)
{
	struct bpf_object *object = argc > 1 ? bpf_object__open_file(argv[1], NULL) : NULL;
	struct bpf_program *program;
	int attached = 0;

	/* A shell starts what runs in the background deaf to it. */
	signal(SIGINT, SIG_DFL);
	if (!object || bpf_object__load(object)) {
		fprintf(stderr, "attach: cannot load\n");
		return 1;
	}
	bpf_object__for_each_program(program, object)
		attached += !libbpf_get_error(bpf_program__attach(program));
	if (!attached)
		return 1;
	pause();
	return 0;
}
