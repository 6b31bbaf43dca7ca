// SPDX-License-Identifier: GPL-2.0-only
/* Starts and stops the parts of the module, and defines its parameters. */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include "accounting.h"
#include "device.h"
#include "hook/hook.h"
#include "hook/hooks.h"
#include "netlink/command.h"
#include "netlink/family.h"
#include "netlink/listeners.h"
#include "netlink/netlink.h"
#include "observe/alert_queue.h"
#include "observe/observer.h"
#include "policy/quota.h"
#include "task/worker.h"
#include "track/exit.h"
#include "track/track.h"

static unsigned int max_threads = 65536;
module_param(max_threads, uint, 0444);
MODULE_PARM_DESC(max_threads, "Maximum number of tracked threads, 1344 bytes each (default 65536)");

static char *without = "";
module_param(without, charp, 0444);
MODULE_PARM_DESC(without, "Hooks to leave out, separated by commas, as taskrt diagnose names them");

static bool interrupts;
static bool cycles;
static bool enabled = true;
static bool ready;	/* under the parameter lock: a write to 'enabled' takes effect at once */

static int taskrt_accounting_set(bool want)
{
	if (want)
		return accounting_on(max_threads, without, interrupts << HOOKS_OF_INTERRUPTS |
							   cycles << HOOKS_OF_CYCLES);
	accounting_off();
	return 0;
}

static int taskrt_enabled_set(const char *value, const struct kernel_param *parameter)
{
	bool want;
	int err = kstrtobool(value, &want);

	if (!err && ready)
		err = taskrt_accounting_set(want);
	if (!err)
		enabled = want;
	return err;
}

static const struct kernel_param_ops enabled_ops = {
	.set = taskrt_enabled_set,
	.get = param_get_bool,
};

module_param_cb(enabled, &enabled_ops, &enabled, 0644);
MODULE_PARM_DESC(enabled, "Accounting is on; when off, no hook is attached (default on)");

static int taskrt_option_set(enum hook_option option, const char *value,
			     const struct kernel_param *parameter)
{
	int err = param_set_bool(value, parameter);

	if (!err && ready)
		accounting_option(option, *(bool *)parameter->arg, without);
	return err;
}

static int taskrt_interrupts_set(const char *value, const struct kernel_param *parameter)
{
	return taskrt_option_set(HOOKS_OF_INTERRUPTS, value, parameter);
}

static const struct kernel_param_ops interrupts_ops = {
	.set = taskrt_interrupts_set,
	.get = param_get_bool,
};

module_param_cb(interrupts, &interrupts_ops, &interrupts, 0644);
MODULE_PARM_DESC(interrupts, "Interrupts are measured, apart from the time of computing (default off)");

static int taskrt_cycles_set(const char *value, const struct kernel_param *parameter)
{
	return taskrt_option_set(HOOKS_OF_CYCLES, value, parameter);
}

static const struct kernel_param_ops cycles_ops = {
	.set = taskrt_cycles_set,
	.get = param_get_bool,
};

module_param_cb(cycles, &cycles_ops, &cycles, 0644);
MODULE_PARM_DESC(cycles, "Cycles and instructions of threads are counted, for readers with CAP_PERFMON (default off)");

/*
 * The parameters are writable before the module is initialized.  Until then, writing 'enabled' only
 * stores the value; it is applied here.
 */
static int __init taskrt_accounting_begin(void)
{
	int err;

	kernel_param_lock(THIS_MODULE);
	err = taskrt_accounting_set(enabled);
	ready = !err;
	kernel_param_unlock(THIS_MODULE);
	return err;
}

/*
 * Switches accounting off for good: later writes to 'enabled' are only stored.  This delivers the
 * last alerts, so it must run before the family is unregistered: after that, the multicast group
 * may belong to another family.
 */
static void taskrt_accounting_end(void)
{
	kernel_param_lock(THIS_MODULE);
	ready = false;
	kernel_param_unlock(THIS_MODULE);
	accounting_off();
}

static int __init taskrt_parameters_check(void)
{
	if (max_threads)
		return hooks_check(without);
	pr_err("parameter max_threads: at least one thread must be tracked\n");
	return -EINVAL;
}

static int __init taskrt_start(void)
{
	int err = taskrt_parameters_check() ?: worker_init();

	if (err)
		return err;
	exit_init(&listeners_job, max_threads);
	observer_init();
	err = alert_queue_init(&alert_work);
	if (err)
		goto exit_worker;
	err = track_init(max_threads);
	if (err)
		goto exit_alerts;
	err = listeners_init();
	if (err)
		goto exit_track;
	err = taskrt_accounting_begin();
	if (err)
		goto exit_listeners;
	err = netlink_init(max_threads);
	if (err)
		goto off;
	err = device_init();
	if (err)
		goto exit_netlink;
	family_serve();
	return 0;

exit_netlink:
	taskrt_accounting_end();
	netlink_exit();
	goto exit_listeners;
off:
	taskrt_accounting_end();
exit_listeners:
	listeners_exit();
exit_track:
	track_exit();
exit_alerts:
	alert_queue_exit();
exit_worker:
	quota_exit();
	worker_exit();
	hook_exit();
	return err;
}

/*
 * EEXIST: another module uses the name of the family or of the device.  modprobe would take EEXIST
 * to mean that this module is loaded already, and report nothing.
 */
static int __init taskrt_init(void)
{
	int err = taskrt_start();

	/* taskrt diagnose ignores load failures logged before this line. */
	if (!err)
		pr_info("loaded, version %s\n", TASKRT_VERSION);
	if (err != -EEXIST)
		return err;
	pr_err("another module already uses this family or device name\n");
	return -EBUSY;
}

static void __exit taskrt_exit(void)
{
	device_exit();
	taskrt_accounting_end();
	netlink_exit();
	listeners_exit();
	track_exit();
	alert_queue_exit();
	quota_exit();
	worker_exit();
	hook_exit();
	pr_info("removed\n");	/* taskrt diagnose ignores failures logged before this line */
}

module_init(taskrt_init);
module_exit(taskrt_exit);

MODULE_DESCRIPTION("Why was this thread not running when it should have been?");
MODULE_AUTHOR("The taskrt developers");
MODULE_LICENSE("GPL");
MODULE_VERSION(TASKRT_VERSION);
