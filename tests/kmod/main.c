// SPDX-License-Identifier: GPL-2.0-only
/* taskrt_test: the device.  taskrt_test.h says what it does. */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "internal.h"

static int test_open(struct inode *inode, struct file *filp)
{
	struct test_file *file = kzalloc(sizeof(*file), GFP_KERNEL);

	if (!file)
		return -ENOMEM;
	mutex_init(&file->guard);
	init_completion(&file->released);
	filp->private_data = file;
	return 0;
}

static int test_release(struct inode *inode, struct file *filp)
{
	struct test_file *file = filp->private_data;

	complete_all(&file->released);
	test_lock_unhold(file);
	test_packets_forget(&file->packets);
	test_idle_forget(&file->idle);
	test_free_show(&file->hidden);
	test_reader_end(file);
	kfree(file);
	return 0;
}

static int delay(struct test_file *file, struct taskrt_test_delay __user *arg)
{
	struct taskrt_test_delay delay;

	if (copy_from_user(&delay, arg, sizeof(delay)))
		return -EFAULT;
	return test_delay_check(delay.how, delay.ns) ?: test_delay(file, delay.how, delay.ns);
}

static int set_fault(struct test_file *file, struct taskrt_test_delay __user *arg)
{
	struct taskrt_test_delay delay;
	int err;

	if (copy_from_user(&delay, arg, sizeof(delay)))
		return -EFAULT;
	err = test_delay_check(delay.how, delay.ns);
	if (err)
		return err;
	WRITE_ONCE(file->fault.how, delay.how);
	WRITE_ONCE(file->fault.major, delay.major);
	WRITE_ONCE(file->fault.ns, delay.ns);
	return 0;
}

static int get_hold(struct taskrt_test_hold *hold, struct taskrt_test_hold __user *arg)
{
	if (copy_from_user(hold, arg, sizeof(*hold)))
		return -EFAULT;
	if (!test_lock_known(hold->lock) || hold->how == TASKRT_TEST_LOCKED)
		return -EINVAL;
	/* A thread must not sleep while it holds such a lock. */
	if (test_lock_is_atomic(hold->lock) && hold->how != TASKRT_TEST_BUSY)
		return -EINVAL;
	return test_delay_check(hold->how, hold->ns);
}

static int hold(struct test_file *file, struct taskrt_test_hold __user *arg)
{
	struct taskrt_test_hold hold;
	int err = get_hold(&hold, arg);

	if (err)
		return err;
	mutex_lock(&file->guard);
	err = test_lock_hold(file, &hold);
	mutex_unlock(&file->guard);
	return err;
}

static int release(struct test_file *file)
{
	/* Without the guard: a HOLD may wait under it. */
	complete_all(&file->released);
	mutex_lock(&file->guard);
	test_lock_unhold(file);
	mutex_unlock(&file->guard);
	return 0;
}

static int take(struct test_file *file, struct taskrt_test_hold __user *arg)
{
	struct taskrt_test_hold hold;
	int err = get_hold(&hold, arg);

	if (err)
		return err;
	test_take(hold.lock);
	err = hold.ns ? test_delay(file, hold.how, hold.ns) : 0;
	test_lock_drop(hold.lock);
	return err;
}

static int bench(struct taskrt_test_bench __user *arg)
{
	struct taskrt_test_bench bench;
	int err;

	if (copy_from_user(&bench, arg, sizeof(bench)))
		return -EFAULT;
	err = test_bench(&bench);
	if (err)
		return err;
	return copy_to_user(arg, &bench, sizeof(bench)) ? -EFAULT : 0;
}

static int die(struct taskrt_test_die __user *arg)
{
	struct taskrt_test_die die;
	int err;

	if (copy_from_user(&die, arg, sizeof(die)))
		return -EFAULT;
	err = test_die(&die);
	if (err)
		return err;
	return copy_to_user(arg, &die, sizeof(die)) ? -EFAULT : 0;
}

static int interrupt(struct taskrt_test_interrupt __user *arg)
{
	struct taskrt_test_interrupt interrupt;

	if (copy_from_user(&interrupt, arg, sizeof(interrupt)))
		return -EFAULT;
	return test_interrupt(&interrupt);
}

static int steal(struct taskrt_test_steal __user *arg)
{
	struct taskrt_test_steal steal;

	if (copy_from_user(&steal, arg, sizeof(steal)))
		return -EFAULT;
	return test_steal(&steal);
}

static int storm(struct taskrt_test_storm __user *arg)
{
	struct taskrt_test_storm storm;

	if (copy_from_user(&storm, arg, sizeof(storm)))
		return -EFAULT;
	return test_storm(&storm);
}

static int packets(struct test_file *file, struct taskrt_test_packets __user *arg)
{
	struct taskrt_test_packets packets;
	int err;

	if (copy_from_user(&packets, arg, sizeof(packets)))
		return -EFAULT;
	mutex_lock(&file->guard);
	err = test_packets_delay(&file->packets, &packets);
	mutex_unlock(&file->guard);
	return err;
}

static int taken(struct test_file *file, u32 __user *arg)
{
	return put_user(atomic_read(&file->packets.taken), arg);
}

static int idle(struct test_file *file, struct taskrt_test_idle __user *arg)
{
	struct taskrt_test_idle idle;
	int err;

	if (copy_from_user(&idle, arg, sizeof(idle)))
		return -EFAULT;
	mutex_lock(&file->guard);
	err = test_idle_deepen(&file->idle, &idle);
	mutex_unlock(&file->guard);
	return err;
}

static int slept(struct test_file *file, u32 __user *arg)
{
	return put_user(atomic_read(&file->idle.slept), arg);
}

static int hide_free(struct test_file *file, bool hide)
{
	int err;

	mutex_lock(&file->guard);
	err = hide ? test_free_hide(&file->hidden) : test_free_show(&file->hidden);
	mutex_unlock(&file->guard);
	return err;
}

static int reader(struct test_file *file, bool begin)
{
	int err;

	mutex_lock(&file->guard);
	err = begin ? test_reader_begin(file) : test_reader_end(file);
	mutex_unlock(&file->guard);
	return err;
}

static long test_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	void __user *user = (void __user *)arg;

	switch (cmd) {
	case TASKRT_TEST_DELAY:
		return delay(filp->private_data, user);
	case TASKRT_TEST_HOLD:
		return hold(filp->private_data, user);
	case TASKRT_TEST_TAKE:
		return take(filp->private_data, user);
	case TASKRT_TEST_SET_FAULT:
		return set_fault(filp->private_data, user);
	case TASKRT_TEST_BENCH:
		return bench(user);
	case TASKRT_TEST_RELEASE:
		return release(filp->private_data);
	case TASKRT_TEST_DIE:
		return die(user);
	case TASKRT_TEST_INTERRUPT:
		return interrupt(user);
	case TASKRT_TEST_STEAL:
		return steal(user);
	case TASKRT_TEST_STORM:
		return storm(user);
	case TASKRT_TEST_PACKETS:
		return packets(filp->private_data, user);
	case TASKRT_TEST_TAKEN:
		return taken(filp->private_data, user);
	case TASKRT_TEST_IDLE:
		return idle(filp->private_data, user);
	case TASKRT_TEST_SLEPT:
		return slept(filp->private_data, user);
	case TASKRT_TEST_HIDE_FREE:
	case TASKRT_TEST_SHOW_FREE:
		return hide_free(filp->private_data, cmd == TASKRT_TEST_HIDE_FREE);
	case TASKRT_TEST_READ:
	case TASKRT_TEST_READ_END:
		return reader(filp->private_data, cmd == TASKRT_TEST_READ);
	}
	return -ENOTTY;
}

static const struct file_operations test_fops = {
	.owner = THIS_MODULE,
	.open = test_open,
	.release = test_release,
	.unlocked_ioctl = test_ioctl,
	.mmap = test_fault_mmap,
};

static struct miscdevice test_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "taskrt_test",
	.fops = &test_fops,
	.mode = 0666,
};

static int __init test_init(void)
{
	int err = test_name_take();

	if (err)
		return err;
	test_lock_init();
	test_idle_init();
	test_free_init();
	err = misc_register(&test_device);
	if (err)
		test_name_give_back();
	return err;
}

static void __exit test_exit(void)
{
	misc_deregister(&test_device);
	test_name_give_back();
}

module_init(test_init);
module_exit(test_exit);

MODULE_DESCRIPTION("forces what taskrt measures; for its tests only");
MODULE_LICENSE("GPL");
