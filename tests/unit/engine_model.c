// SPDX-License-Identifier: GPL-2.0-only
/*
 * The engine against a model that shares no idea with it: the model keeps no
 * accumulators, only the list of all that happened, and at every question
 * paints the whole time line again from its beginning.
 *
 * usage: engine_model [STEPS [SEED]]
 */
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "tap.h"

#define LIFE	160		/* events in a thread's life, at most */

struct life {
	u8 start, guess;
	u64 begun;
	struct event events[LIFE];
	int n;
};

struct painted {
	u64 states[NR_STATES], finished[NR_STATES];
	u64 longest[NR_STATES];
	u32 wchans[NR_STATES];
	u64 fault[2], fault_open, fault_longest, faults;
	u64 fault_ran, faults_apart;
	u64 lock[NR_LOCKS], count[NR_LOCKS], lock_longest;
	u64 wakeups, sample;
	u64 late, latest, expiries;
};

static unsigned long long seed, compared;

static u32 dice(u32 sides)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % sides;
}

static void fail(const struct life *life, const char *what, u64 got, u64 expected)
{
	int i;

	tap_ok(0, "the engine is what the model says");
	tap_diag("%s: %llu, expected %llu; start %d guess %d at %llu", what,
		 (unsigned long long)got, (unsigned long long)expected, life->start,
		 life->guess, (unsigned long long)life->begun);
	for (i = 0; i < life->n; i++)
		tap_diag("{ %llu, %d, %u, %llu }",
			 (unsigned long long)life->events[i].at, life->events[i].kind,
			 life->events[i].arg, (unsigned long long)life->events[i].lock);
	exit(tap_done());
}

static u64 max(u64 a, u64 b)
{
	return a > b ? a : b;
}

static bool is_queued(u8 state)
{
	return state == TASKRT_STATE_PREEMPTED || state == TASKRT_STATE_WOKEN ||
	       state == TASKRT_STATE_THROTTLED || state == TASKRT_STATE_YIELDED;
}

/* --- the model: what a thread was doing before its first scheduler event */
static u8 first_state(const struct life *life)
{
	int i;

	if (life->start != STATE_UNSEEN)
		return life->start;
	for (i = 0; i < life->n; i++) {
		switch (life->events[i].kind) {
		case OUT:
		case EXIT:
			return TASKRT_STATE_RUNNING;
		case IN:
			return life->guess == TASKRT_STATE_WOKEN ? TASKRT_STATE_WOKEN : TASKRT_STATE_PREEMPTED;
		case WAKE:
			return is_queued(life->guess) || life->guess == TASKRT_STATE_RUNNING ?
			       TASKRT_STATE_SLEEPING : life->guess;
		default:
			break;
		}
	}
	return life->guess;
}

/* Is a lock wait or a fault open before event upto?  Replays the life from its beginning. */
static int waits_in(const struct life *life, int upto, bool *in_fault, int *lock_event)
{
	int depth = 0, i;

	*lock_event = -1;
	for (i = 0; i < upto; i++) {
		const struct event *e = &life->events[i];

		if (e->kind == FAULT)
			depth++;
		else if (e->kind == FAULT_END && depth)
			depth--;
		else if (e->kind == LOCK && *lock_event < 0)
			*lock_event = i;
		else if (e->kind == LOCK_END && *lock_event >= 0 &&
			 life->events[*lock_event].lock == e->lock)
			*lock_event = -1;
	}
	*in_fault = depth;
	return depth;
}

static u8 state_after(const struct life *life, int i, u64 *wakeups)
{
	const struct event *e = &life->events[i];
	bool in_fault;
	int lock_event;

	switch (e->kind) {
	case EXIT:
		return TASKRT_STATE_EXITED;
	case IN:
		return TASKRT_STATE_RUNNING;
	case WAKE:
		*wakeups += 1;
		return e->arg ? TASKRT_STATE_THROTTLED : TASKRT_STATE_WOKEN;
	default:
		break;
	}
	if (is_queued(e->arg))
		return e->arg;
	waits_in(life, i, &in_fault, &lock_event);
	if (lock_event >= 0)
		return TASKRT_STATE_BLOCKED_LOCK;
	return in_fault ? TASKRT_STATE_BLOCKED_FAULT : e->arg;
}

/* Does a scheduler event change anything for a thread in this state? */
static bool matters(const struct life *life, int i, u8 state, bool seen)
{
	const struct event *e = &life->events[i];

	if (state == TASKRT_STATE_EXITED)
		return false;
	if (e->kind == WAKE)
		return !seen || (state != TASKRT_STATE_RUNNING && !is_queued(state));
	return e->kind == OUT || e->kind == IN || e->kind == EXIT;
}

static void paint_interval(struct painted *p, u8 state, u64 from, u64 to)
{
	p->states[state] += to - from;
	p->longest[state] = max(p->longest[state], to - from);
}

/* @wchan: of the interval that is painted next; it becomes that of the state if it is longer */
static void paint_wchan(struct painted *p, u8 state, u64 from, u64 to, u32 wchan)
{
	if (to - from > p->longest[state])
		p->wchans[state] = wchan;
}

/* In the order of the numbers: the states that have a wchan. */
static bool has_wchan(u8 state)
{
	return (state >= TASKRT_STATE_BLOCKED_LOCK && state <= TASKRT_STATE_BLOCKED_OTHER) ||
	       state == TASKRT_STATE_SLEEPING_POLL || state == TASKRT_STATE_SLEEPING ||
	       state == TASKRT_STATE_SLEEPING_FILE || state == TASKRT_STATE_SLEEPING_SOCKET;
}

static u64 span(u64 from, u64 to)
{
	return to > from ? to - from : 0;
}

/* The wait since @since ends, after this timer has fired, if there was one. */
static void paint_expiry(struct painted *p, const struct event *timer, u8 state, u64 since,
			 u64 now)
{
	u64 late;

	if (!timer || timer->at < since || state == TASKRT_STATE_BLOCKED_LOCK)
		return;
	late = span(max(timer->expiry, since), now);
	p->expiries++;
	p->late += late;
	p->latest = max(p->latest, late);
}

static void paint_states(struct painted *p, const struct life *life, u64 asked)
{
	bool seen = life->start != STATE_UNSEEN;
	u8 state = first_state(life);
	const struct event *timer = NULL;
	u64 at = life->begun;
	int i;

	for (i = 0; i < life->n; i++) {
		if (life->events[i].kind == EXPIRE)
			timer = &life->events[i];
		if (!matters(life, i, state, seen))
			continue;
		seen = true;
		if (life->events[i].kind == WAKE) {
			paint_expiry(p, timer, state, at, life->events[i].at);
			timer = NULL;
		}
		if (life->events[i].kind == WAKE && has_wchan(state))
			paint_wchan(p, state, at, max(at, life->events[i].at),
				    wchan_at(life->events[i].at));
		/* time never runs backwards: the latest so far is now */
		paint_interval(p, state, at, max(at, life->events[i].at));
		p->finished[state]++;
		at = max(at, life->events[i].at);
		state = state_after(life, i, &p->wakeups);
	}
	p->sample = state == TASKRT_STATE_EXITED ? at : max(at, asked);
	if (state == TASKRT_STATE_EXITED)
		return;
	paint_wchan(p, state, at, p->sample, 0);
	paint_interval(p, state, at, p->sample);
}

/*
 * How long did it run in the fault that event @i begins and event @j ends?
 *
 * Return: false if the life makes no sense there: the thread was not running then, or the clock
 * has stepped back.
 */
static bool paint_ran(const struct life *life, int i, int j, u64 *ran)
{
	bool seen = life->start != STATE_UNSEEN;
	u64 at = life->begun, wakeups = 0, begun = life->events[i].at;
	u8 state = first_state(life);
	int n;

	*ran = 0;
	for (n = 0; n <= j; n++) {
		const struct event *e = &life->events[n];

		if ((n == i || n == j) && (state != TASKRT_STATE_RUNNING || e->at < at))
			return false;
		if (n > i && e->at < life->events[n - 1].at)
			return false;
		if (n > i && state == TASKRT_STATE_RUNNING && e->at > at)
			*ran += e->at - max(at, begun);
		if (n > i || matters(life, n, state, seen))
			at = max(at, e->at);
		if (!matters(life, n, state, seen))
			continue;
		seen = true;
		state = state_after(life, n, &wakeups);
	}
	return true;
}

/* The parts of those lives that make no sense are left out, with all that comes after them. */
static void paint_fault_cpu(struct painted *p, const struct life *life, int i, int j)
{
	u64 ran;

	if (paint_ran(life, i, j, &ran))
		p->fault_ran += ran;
	else
		p->faults_apart++;
}

static void paint_faults(struct painted *p, const struct life *life)
{
	bool in_fault;
	int i, j, unused, depth;

	for (i = 0; i < life->n; i++) {
		if (life->events[i].kind != FAULT ||
		    waits_in(life, i, &in_fault, &unused))
			continue;
		for (j = i + 1, depth = 1; j < life->n && depth; j++) {
			depth += life->events[j].kind == FAULT;
			depth -= life->events[j].kind == FAULT_END;
		}
		if (depth) {
			p->fault_open = span(life->events[i].at, p->sample);
			p->fault_longest = max(p->fault_longest, p->fault_open);
		} else {
			u64 ns = span(life->events[i].at, life->events[j - 1].at);

			paint_fault_cpu(p, life, i, j - 1);
			p->fault[life->events[j - 1].arg] += ns;
			p->faults++;
			p->fault_longest = max(p->fault_longest, ns);
		}
	}
}

static void paint_locks(struct painted *p, const struct life *life)
{
	bool unused;
	int i, before = -1, after;

	for (i = 0; i <= life->n; i++) {
		u64 to = i == life->n ? p->sample : life->events[i].at, ns;
		u8 kind;

		/* between event i - 1 and event i a wait was open; is it still? */
		if (i < life->n)
			waits_in(life, i + 1, &unused, &after);
		else
			after = -1;
		if (before >= 0 && after < 0) {
			kind = life->events[before].arg;
			ns = span(life->events[before].at, to);
			p->lock[kind] += ns;
			p->count[kind] += i < life->n;
			p->lock_longest = max(p->lock_longest, ns);
		}
		before = after;
	}
}

/* --- the engine against it */
#define SAME(what, got, expected) do {							\
	if ((got) != (expected))							\
		fail(life, what, got, expected);					\
} while (0)

/* A record that is added to a sum adds what a query at its last event is told. */
static void compare_added(const struct life *life, const struct record *r)
{
	struct totals asked, twice, sum;

	memset(&asked, 0, sizeof(asked));
	memset(&sum, 0, sizeof(sum));
	totals_of(&asked, r, r->since, TOTALS_ALL);
	twice = asked;
	totals_add(&twice, &asked);
	sum.state = asked.state;
	totals_add_record(&sum, r);
	SAME("added", memcmp(&sum, &asked, sizeof(sum)), 0);
	totals_add_record(&sum, r);
	SAME("added twice", memcmp(&sum, &twice, sizeof(sum)), 0);
}

static void compare(const struct life *life, const struct record *r, u64 asked)
{
	struct painted p = { 0 };
	struct totals t = { 0 };
	u64 sum = 0, counts = 0, contention = 0;
	int i;

	paint_states(&p, life, asked);
	paint_faults(&p, life);
	paint_locks(&p, life);
	SAME("sample", totals_of(&t, r, asked, TOTALS_ALL), p.sample);
	for (i = 0; i < NR_STATES; i++) {
		SAME("state", t.states_ns[i], p.states[i]);
		SAME("finished", t.states[i], p.finished[i]);
		SAME("longest state", t.longest_states[i].ns, p.longest[i]);
		SAME("wchan", t.wchans[i], p.wchans[i]);
		sum += t.states_ns[i];
	}
	SAME("conservation", sum, p.sample - life->begun);
	SAME("tracked", t.tracked_ns, sum);
	SAME("minor", t.values[TASKRT_VALUE_MINOR_FAULT_NS], p.fault[0]);
	SAME("major", t.values[TASKRT_VALUE_MAJOR_FAULT_NS], p.fault[1]);
	SAME("faults", t.timers_ns[TASKRT_TIMER_FAULT], p.fault[0] + p.fault[1] + p.fault_open);
	SAME("finished faults", t.timers[TASKRT_TIMER_FAULT], p.faults);
	SAME("finished faults, computing", t.timers[TASKRT_TIMER_FAULT_CPU], p.faults);
	SAME("no more than faults", t.timers_ns[TASKRT_TIMER_FAULT_CPU] > p.fault[0] + p.fault[1], 0);
	if (!p.faults_apart) {
		SAME("faults, computing", t.timers_ns[TASKRT_TIMER_FAULT_CPU], p.fault_ran);
		compared += p.faults;
	}
	SAME("longest fault", t.longest_timers[TASKRT_TIMER_FAULT].ns, p.fault_longest);
	for (i = 0; i < NR_LOCKS; i++) {
		SAME("lock", t.locks_ns[i], p.lock[i]);
		SAME("lock count", t.locks[i], p.count[i]);
		contention += p.lock[i];
		counts += p.count[i];
	}
	compare_added(life, r);
	SAME("locks", t.timers_ns[TASKRT_TIMER_LOCK], contention);
	SAME("finished waits", t.timers[TASKRT_TIMER_LOCK], counts);
	SAME("longest lock", t.longest_timers[TASKRT_TIMER_LOCK].ns, p.lock_longest);
	SAME("late timers", t.timers_ns[TASKRT_TIMER_EXPIRY], p.late);
	SAME("wake-ups by timers", t.timers[TASKRT_TIMER_EXPIRY], p.expiries);
	SAME("the latest timer", t.longest_timers[RECORD_EXPIRY].ns, p.latest);
	SAME("wake-ups", t.values[TASKRT_VALUE_WAKEUPS], p.wakeups);
}

/* Time mostly goes on, sometimes stands still, and now and then goes back a little. */
static u64 next_time(u64 now)
{
	u32 roll = dice(16);

	if (roll == 0)
		return now > 50 ? now - dice(50) : now;
	if (roll == 1)
		return now;
	return now + dice(roll == 2 ? 1000000000 : 3000);
}

static struct event random_event(u64 at)
{
	struct event e = { .at = at, .kind = dice(NR_EVENTS), .lock = 1 + dice(2) };

	if (e.kind == EXIT && dice(32))
		e.kind = IN;
	if (e.kind == OUT)
		e.arg = dice(2) ? (u32)TASKRT_STATE_PREEMPTED :
				  TASKRT_STATE_BLOCKED_IO + dice(NR_STATES - TASKRT_STATE_BLOCKED_IO);
	else if (e.kind == FAULT_END || e.kind == WAKE)
		e.arg = dice(2);
	else if (e.kind == LOCK)
		e.arg = dice(NR_LOCKS);
	else if (e.kind == EXPIRE)
		e.expiry = at > 3000 ? at - dice(3000) + dice(20) : 1;
	return e;
}

static u64 live(void)
{
	struct life life = { .begun = 1000 + dice(1000000) };
	struct record record;
	u64 now = life.begun;
	int length = 1 + dice(LIFE);

	life.start = dice(3) ? dice(NR_STATES) : STATE_UNSEEN;
	life.guess = life.start == STATE_UNSEEN ? dice(NR_STATES) : 0;
	record_init(&record, life.start, life.guess, now);
	compare(&life, &record, now);
	while (life.n < length) {
		now = next_time(now);
		life.events[life.n] = random_event(now);
		drive(&record, &life.events[life.n++]);
		if (!dice(24))
			compare(&life, &record, next_time(now));
	}
	compare(&life, &record, next_time(now));
	return length;
}

int main(int argc, char **argv)
{
	unsigned long long steps = argc > 1 ? strtoull(argv[1], NULL, 0) : 4000000, done;

	seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	for (done = 0; done < steps;)
		done += live();
	tap_ok(1, "the engine is what the model says, %llu steps", done);
	tap_ok(compared > done / 1000, "of %llu faults it is compared how long the thread ran",
	       compared);
	return tap_done();
}
