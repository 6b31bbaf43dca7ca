// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module of one thread: the scenario, played to the real engine, and reported by the
 * real writers.  It is built twice, with the sources as they are and with those of the
 * next version.
 */
#include "accounting.h"
#include "engine/intervals.h"
#include "engine/record_fault.h"
#include "engine/record_lock.h"
#include "engine/record_sched.h"
#include "module.h"
#include "netlink/batch.h"
#include "netlink/command.h"
#include "netlink/family.h"
#include "netlink/message.h"
#include "netlink/stats.h"
#include "observe/mapping.h"
#include "observe/recorder.h"
#include "observe/user_page_sched.h"
#include "scenario.h"
#include "surroundings.h"
#include "task/sample.h"

#ifdef TASKRT_GROUP_SLICES
#define NEXT	1
#else
#define NEXT	0
#endif

static struct mapping *mapping;
static struct stats_view exits_view;
static u64 coarse_ns = 1;

static struct stats_view view_of_all(void)
{
	return (struct stats_view){
		.valid = NEXT ? 0xfff : 0x3ff, .measured = accounting_measured(),
		.coarse_ns = coarse_ns,
	};
}

/* --- what the hooks do */

static void tell(struct user_page *page, u8 to, struct record_interval left)
{
	static const struct waker_early none;

	if (to == TASKRT_STATE_RUNNING)
		user_page_switched_in(page, &the_thread, left);
	else if (left.state != TASKRT_STATE_RUNNING &&
		 (to == TASKRT_STATE_WOKEN || to == TASKRT_STATE_THROTTLED))
		user_page_woken(page, &the_thread, left, to, 0, &none);
	else
		user_page_switched_out(page, &the_thread, left, to);
}

static void enter(u8 state, u64 at)
{
	struct record *r = &the_thread.record;
	struct record_interval left;

	the_time = at;
	record_sched_begin(r);
	if (mapping)
		user_page_change_begin(mapping->page, USER_PAGE_SCHED);
	left = record_switch_out(r, r->state, state, at);
	if (mapping)
		tell(mapping->page, state, left);
	record_sched_end(r);
}

static void tell_timer(enum taskrt_timer timer, u64 ns)
{
	if (timer == TASKRT_TIMER_FAULT)
		user_page_fault(mapping->page, &the_thread, ns, 0, 0);
	else
		user_page_timer(mapping->page, &the_thread, timer, ns);
}

static void timer_begin(enum taskrt_timer timer, u32 kind, u64 at)
{
	struct record *r = &the_thread.record;

	the_time = at;
	record_self_begin(r);
	if (mapping)
		user_page_change_begin(mapping->page, USER_PAGE_SELF);
	if (timer == TASKRT_TIMER_FAULT)
		record_fault_begin(r, record_fault_seq(r), at);
	else
		record_lock_begin(r, 0x4000 + kind, kind, at);
	if (mapping)
		tell_timer(timer, 0);
	record_self_end(r);
}

static void timer_end(enum taskrt_timer timer, bool major, u64 at)
{
	struct record *r = &the_thread.record;

	the_time = at;
	record_self_begin(r);
	if (mapping)
		user_page_change_begin(mapping->page, USER_PAGE_SELF);
	if (timer == TASKRT_TIMER_FAULT)
		record_fault_end(r, major, record_fault_seq(r), at);
	else
		record_lock_end(r, at);
	if (mapping)
		tell_timer(timer, at - r->timers_since[timer]);
	record_self_end(r);
}

/* --- the scenario */

static void faults(void)
{
	timer_begin(TASKRT_TIMER_FAULT, 0, BORN + 100);
	timer_end(TASKRT_TIMER_FAULT, false, BORN + 100 + MINOR_NS);
	timer_begin(TASKRT_TIMER_FAULT, 0, BORN + 6000);
	timer_end(TASKRT_TIMER_FAULT, true, BORN + 6000 + MAJOR_NS);
}

static void lock_waits(void)
{
	unsigned int i;

	for (i = 0; i <= OLD_LOCKS; i++) {
		const u64 at = BORN + 20000 + 1000 * i;

		timer_begin(TASKRT_TIMER_LOCK, i < OLD_LOCKS ? i : NEXT ? NEW_LOCK : OLD_LOCK, at);
		timer_end(TASKRT_TIMER_LOCK, false, at + lock_ns(i));
	}
}

static void what_is_new(void)
{
#ifdef TASKRT_GROUP_SLICES
	record_time_add(&the_thread.record.timers[RECORD_SWAPOUT], BORN + 14000,
			BORN + 14000 + SWAPOUT_NS);
	the_thread.record.migrations = NEW_VALUE_IS;
#endif
}

static void begin(void)
{
	unsigned int state;

	if (mapping)
		mapping_close(mapping);
	mapping = NULL;
	surroundings_begin();
	record_init(&the_thread.record, TASKRT_STATE_RUNNING, 0, BORN);
	for (state = 1; state < OLD_STATES; state++)
		enter(state, stays_until(state));
	faults();
	lock_waits();
	what_is_new();
	enter(TASKRT_STATE_RUNNING, TURN);
}

static void go_on(void)
{
	enter(NEXT ? NEW_STATE : OLD_STATE, TURN + RAN_NS);
	enter(TASKRT_STATE_BLOCKED_LOCK, END - WAITED_NS);
	timer_begin(TASKRT_TIMER_LOCK, OLD_LOCK, END - WAITED_NS);
	timer_begin(TASKRT_TIMER_FAULT, 0, END - FAULTING_NS);
	the_time = END;
}

static void queue(uint64_t ns)
{
	enter(TASKRT_STATE_SLEEPING, the_time + 1);
	enter(TASKRT_STATE_WOKEN, the_time + 1);
	enter(TASKRT_STATE_RUNNING, the_time + ns);
}

static void end(void)
{
	timer_end(TASKRT_TIMER_LOCK, false, END);
	timer_end(TASKRT_TIMER_FAULT, false, END);
	the_task.exit_code = EXIT_CODE;
	enter(TASKRT_STATE_EXITED, END);
}

/* --- how it is reported, as get.c, dump.c and exit.c do it */

static void sample_thread(struct sample *s)
{
	*s = (struct sample){ .tracked_since = BORN, .cpu = CPU };
	s->at = totals_of(&s->totals, &the_thread.record, the_time, TOTALS_ALL);
	s->state = s->totals.state;
	thread_of_kernel(&the_thread, &s->totals, TOTALS_ALL);
}

static void sample_process(struct sample *s)
{
	const bool ended = record_state(&the_thread.record) == TASKRT_STATE_EXITED;
	struct sample thread;

	sample_thread(&thread);
	*s = (struct sample){
		.at = thread.at, .tracked_since = BORN, .cpu = -1,
		.threads = !ended, .threads_gone = ended,
	};
	totals_add(&s->totals, &thread.totals);
}

static const struct stats_ids ids = { .tid = TID, .tgid = TGID, .ppid = PPID };

static int put_one(struct sk_buff *skb, const struct stats_view *view, bool process)
{
	struct stats_aggr aggr;
	struct sample sample;
	int err;

	if (process) {
		sample_process(&sample);
		err = message_put_process(skb, TGID, NULL, view, &aggr);
		if (!err)
			stats_of_process(&aggr, &sample, &the_task, &ids, view);
	} else {
		sample_thread(&sample);
		err = message_put_thread(skb, TID, NULL, view, &aggr);
		if (!err)
			stats_of_thread(&aggr, &sample, &the_task, &ids, view);
	}
	return err;
}

static int put_children(struct sk_buff *skb, const struct stats_view *view)
{
	struct stats_aggr aggr;
	struct sample sample;
	int err = message_put_children(skb, TGID, view, &aggr);

	sample_process(&sample);
	if (!err)
		stats_of_children(&aggr, &sample, &the_task, &ids, view);
	return err;
}

/* Copies the message to the caller, and frees it. */
static int hand_over(struct sk_buff *skb, void *to, size_t room)
{
	const int length = skb->len;

	((struct nlmsghdr *)skb->data)->nlmsg_len = length;
	if ((size_t)length > room)
		abort();
	memcpy(to, skb->data, length);
	nlmsg_free(skb);
	return length;
}

static int answer_get(struct nlattr **attrs, int flags, void *to, size_t room)
{
	struct stats_view view = view_of_all();
	int err = message_format(&view, STATS_GROUPS_OF_ONE, attrs[TASKRT_A_VERSION],
				 attrs[TASKRT_A_GROUPS], NULL);
	struct sk_buff *skb;

	if (err)
		return err;
	skb = nlmsg_new(2 * message_aggregate_size(&view) + GENL_HDRLEN, GFP_KERNEL);
	genlmsg_put(skb, 0, 0, &family, flags, TASKRT_CMD_GET);
	err = put_one(skb, &view, attrs[TASKRT_A_TGID] && !(flags & NLM_F_MULTI));
	if (!err && attrs[TASKRT_A_CHILDREN])
		err = put_children(skb, &view);
	return err ?: hand_over(skb, to, room);
}

static int answer_info(void *to, size_t room)
{
	struct sk_buff *skb = nlmsg_new(16384, GFP_KERNEL);
	int err;

	genlmsg_put(skb, 0, 0, &family, 0, TASKRT_CMD_INFO);
	err = info_put(skb, NULL, NULL);
	return err ?: hand_over(skb, to, room);
}

static int answer_register(struct nlattr **attrs, void *to, size_t room)
{
	struct sk_buff *skb = nlmsg_new(4096, GFP_KERNEL);

	exits_view = view_of_all();
	genlmsg_put(skb, 0, 0, &family, 0, TASKRT_CMD_REGISTER);
	return message_format(&exits_view, STATS_GROUPS, attrs[TASKRT_A_VERSION],
			      attrs[TASKRT_A_GROUPS], NULL) ?:
	       nla_put_string(skb, TASKRT_A_CPUMASK, "0-3") ?: hand_over(skb, to, room);
}

static int put_filter(struct sk_buff *skb)
{
	struct nlattr *nest = nla_nest_start(skb, TASKRT_A_FILTER);
	int err = nla_put_u32(skb, TASKRT_FILTER_A_TGID, TGID);

#ifdef TASKRT_GROUP_SLICES
	err = err ?: nla_put_u32(skb, TASKRT_FILTER_A_NICE, UID);
#endif
	nla_nest_end(skb, nest);
	return err;
}

/* As register.c does. */
static int answer_list(void *to, size_t room)
{
	struct sk_buff *skb = nlmsg_new(4096, GFP_KERNEL);
	struct nlattr *nest;
	int err;

	genlmsg_put(skb, 0, 0, &family, 0, TASKRT_CMD_LIST);
	err = nla_put_u64_64bit(skb, TASKRT_A_SEQ, 7, TASKRT_A_PAD) ?:
	      nla_put_u64_64bit(skb, TASKRT_A_LOST, 2, TASKRT_A_PAD) ?:
	      nla_put_u64_64bit(skb, TASKRT_A_BACKLOG, 4096, TASKRT_A_PAD);
	nest = nla_nest_start(skb, TASKRT_A_REGISTRATION);
	err = err ?: nla_put_string(skb, TASKRT_A_CPUMASK, "0-3") ?:
	      nla_put_u32(skb, TASKRT_A_ENTITIES, TASKRT_ENTITIES_THREADS) ?: put_filter(skb);
	nla_nest_end(skb, nest);
	return err ?: hand_over(skb, to, room);
}

/* An unknown attribute is refused, as by the policies of the family. */
static int parse(struct nlattr **attrs, int max, const void *at, int left)
{
	for (; left >= NLA_HDRLEN; ) {
		const struct nlattr *attr = at;
		const int type = attr->nla_type & NLA_TYPE_MASK;

		if (type > max)
			return -EINVAL;
		attrs[type] = (struct nlattr *)attr;
		at = (const char *)at + NLA_ALIGN(attr->nla_len);
		left -= NLA_ALIGN(attr->nla_len);
	}
	return 0;
}

static int answer(const struct nlmsghdr *request, void *to, size_t room)
{
	const struct genlmsghdr *genl = NLMSG_DATA(request);
	struct nlattr *attrs[TASKRT_A_MAX + 1] = { NULL };
	struct nlattr *filters[TASKRT_FILTER_A_MAX + 1] = { NULL };
	int err = parse(attrs, TASKRT_A_MAX, (const char *)genl + GENL_HDRLEN,
			request->nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN);

	if (!err && attrs[TASKRT_A_FILTER])
		err = parse(filters, TASKRT_FILTER_A_MAX, nla_data(attrs[TASKRT_A_FILTER]),
			    nla_len(attrs[TASKRT_A_FILTER]));
	if (err)
		return err;
	switch (genl->cmd) {
	case TASKRT_CMD_GET:
		return answer_get(attrs, request->nlmsg_flags & NLM_F_DUMP ? NLM_F_MULTI : 0,
				  to, room);
	case TASKRT_CMD_INFO:
		return answer_info(to, room);
	case TASKRT_CMD_REGISTER:
		return answer_register(attrs, to, room);
	case TASKRT_CMD_LIST:
		return answer_list(to, room);
	case TASKRT_CMD_ARM:
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

static int exits(void *to, size_t room)
{
	struct exit exit = {
		.thread = &the_thread, .task = &the_task, .last = true, .leader = &the_task,
	};
	struct sock sock = { .sk_rcvbuf = 1 << 20 };
	struct batch batch;

	sample_thread(&exit.sample);
	sample_process(&exit.process);
	batch_init(&batch, &sock);
	batch_add(&batch, &exit, TASKRT_ENTITIES_THREADS | TASKRT_ENTITIES_PROCESSES, &exits_view);
	batch_send(&batch);
	batch_exit(&batch);
	return hand_over(sock.received, to, room);
}

static int alert(void *to, size_t room)
{
	struct recorder_ring ring = { .recorded = 1 };
	struct recorder rec = {
		.alert = {
			.queued.at = END, .reason = NEXT ? NEW_REASON : TASKRT_REASON_OVER,
			.tid = TID, .tgid = TGID, .comm = COMM, .tag = "late", .ring = &ring,
		},
	};
	the_event = (struct recorder_event){
		.at = TURN + RAN_NS, .ns = NEW_STATE_NS, .type = TASKRT_EVENT_STATE,
		.which = NEXT ? NEW_STATE : OLD_STATE, .lock = OLD_LOCK, .cpu = CPU,
		.lock_addr = 0x4000, .fault_addr = 0x1234, .stack = true, .nr_frames = 2,
		.frames = { 0x1000, 0x2000 },
		.owner = { TID, COMM }, .waker = { TGID, COMM },
	};
	the_recorder = &rec;
	alert_work.func(&alert_work);
	return the_error ?: hand_over(the_alert, to, room);
}

static int page_fd(void)
{
	struct taskrt_measured measured;

	accounting_measured_page(&measured);
	if (!mapping)
		mapping = mapping_get(&measured, true);
	return the_pages_fd;
}

static u64 now(void)
{
	return the_time;
}

static void coarsen(uint64_t ns)
{
	coarse_ns = ns;
}

__attribute__((visibility("default"))) const struct module module = {
	.now = (uint64_t (*)(void))now,
	.begin = begin, .go_on = go_on, .end = end, .queue = queue,
	.answer = answer, .exits = exits, .alert = alert, .coarsen = coarsen,
	.page_fd = page_fd, .page_bytes = mapping_size,
};
