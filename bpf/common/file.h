/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a system call to the file system: the kernel structs on the way. */
#ifndef IOTOP_BPF_COMMON_FILE_H
#define IOTOP_BPF_COMMON_FILE_H

#include "bpf/common/kernel.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct file {
	struct inode *f_inode;
};

struct kiocb {
	struct file *ki_filp;
};

struct qstr {
	const unsigned char *name;
};

struct dentry {
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
	struct super_block *d_sb;
};

struct path {
	struct dentry *dentry;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct task_struct___files {
	struct files_struct *files;
};

/*
 * The registers that hold the first arguments of a system call, and what tells a call by another
 * table of numbers.
 */
#if defined(__TARGET_ARCH_x86)
struct pt_regs___call {
	unsigned long di, si, dx, r10, cs;
};
#define CALL_ARGUMENT1(regs) ((regs)->di)
#define CALL_ARGUMENT2(regs) ((regs)->si)
#define CALL_ARGUMENT3(regs) ((regs)->dx)
#define CALL_ARGUMENT4(regs) ((regs)->r10)
#define CALL_FOREIGN(regs) ((regs)->cs == 0x23)	/* code of 32 bits */
#elif defined(__TARGET_ARCH_arm64)
struct pt_regs___call {
	__u64 regs[31], orig_x0, pstate;
};
#define CALL_ARGUMENT1(regs) ((regs)->orig_x0)
#define CALL_REGISTERS(regs) ((regs)->regs)
#define CALL_FOREIGN(regs) ((regs)->pstate & 0x10)
#elif defined(__TARGET_ARCH_s390)
struct pt_regs___call {
	unsigned long orig_gpr2, gprs[16];
};
#define CALL_ARGUMENT1(regs) ((regs)->orig_gpr2)
#define CALL_REGISTERS(regs) ((regs)->gprs + 2)
#elif defined(__TARGET_ARCH_riscv)
struct pt_regs___call {
	unsigned long orig_a0, a1, a2, a3;
};
#define CALL_ARGUMENT1(regs) ((regs)->orig_a0)
#define CALL_ARGUMENT2(regs) ((regs)->a1)
#define CALL_ARGUMENT3(regs) ((regs)->a2)
#define CALL_ARGUMENT4(regs) ((regs)->a3)
#elif defined(__TARGET_ARCH_loongarch)
struct pt_regs___call {
	unsigned long orig_a0, regs[32];
};
#define CALL_ARGUMENT1(regs) ((regs)->orig_a0)
#define CALL_REGISTERS(regs) ((regs)->regs + 4)
#elif defined(__TARGET_ARCH_powerpc)
struct pt_regs___call {
	unsigned long orig_gpr3, gpr[32];
};
#define CALL_ARGUMENT1(regs) ((regs)->orig_gpr3)
#define CALL_REGISTERS(regs) ((regs)->gpr + 3)
#elif defined(__TARGET_ARCH_arm)
struct pt_regs___call {
	unsigned long uregs[18];
};
#define CALL_ARGUMENT1(regs) ((regs)->uregs[17])
#define CALL_REGISTERS(regs) ((regs)->uregs)
#elif defined(__TARGET_ARCH_mips)
struct pt_regs___call {
	unsigned long regs[32];
};
#define CALL_REGISTERS(regs) ((regs)->regs + 4)
#define CALL_ARGUMENT1(regs) (CALL_REGISTERS(regs)[0])
#else
#error "where are the arguments of a system call?"
#endif
#ifdef CALL_REGISTERS
#define CALL_ARGUMENT2(regs) (CALL_REGISTERS(regs)[1])
#define CALL_ARGUMENT3(regs) (CALL_REGISTERS(regs)[2])
#define CALL_ARGUMENT4(regs) (CALL_REGISTERS(regs)[3])
#endif
#ifndef CALL_FOREIGN
#define CALL_FOREIGN(regs) false
#endif

#pragma clang attribute pop

#define KERNEL_S_IFDIR 0040000

#define KERNEL_FS_REQUIRES_DEV 1

/*
 * Is what is read from such a file system read from storage? One without a disk of its own is known
 * by its number.
 */
_always_ bool is_storage(const struct super_block *sb)
{
	switch ((__u32)BPF_CORE_READ(sb, s_magic)) {
	case 0x00006969:	/* nfs */
	case 0x65735546:	/* fuse */
	case 0x794c7630:	/* overlay */
	case 0x2fc12fc1:	/* zfs */
	case 0xca451a4e:	/* bcachefs */
	case 0xff534d42:	/* cifs */
	case 0xfe534d42:	/* smb2 */
	case 0x00c36400:	/* ceph */
	case 0x01021997:	/* 9p */
		return true;
	}
	return BPF_CORE_READ(sb, s_type, fs_flags) & KERNEL_FS_REQUIRES_DEV;
}

/* What a file system lies on; one on several devices, or on none, has a number of its own. */
_always_ __u32 sb_dev(const struct super_block *sb)
{
	const struct block_device *bdev = BPF_CORE_READ(sb, s_bdev);

	return bdev ? BPF_CORE_READ(bdev, bd_dev) : BPF_CORE_READ(sb, s_dev);
}

#endif
