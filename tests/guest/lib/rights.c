// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <sys/prctl.h>

#include "place.h"
#include "rights.h"

#define EVERYTHING	~0ULL

static const struct party
	user	 = { "the user", { ASK_USER, ASK_USER, ASK_USER, 0 }, 1, 0 },
	hidden	 = { "the user, not dumpable", { ASK_USER, ASK_USER, ASK_USER, 0 }, 0, 0 },
	other	 = { "another user", { ASK_OTHER, ASK_OTHER, ASK_OTHER, 0 }, 1, 0 },
	root	 = { "root", { 0, 0, 0, EVERYTHING }, 1, 0 },
	bare	 = { "root without capabilities", { 0, 0, 0, 0 }, 1, 0 },
	perfmon	 = { "CAP_PERFMON", { ASK_USER, ASK_USER, ASK_USER, ASK_CAP_PERFMON }, 1, 0 },
	ptrace	 = { "CAP_SYS_PTRACE", { ASK_USER, ASK_USER, ASK_USER, ASK_CAP_SYS_PTRACE }, 1, 0 },
	netadmin = { "CAP_NET_ADMIN", { ASK_USER, ASK_USER, ASK_USER, ASK_CAP_NET_ADMIN }, 1, 0 },
	/* The state of set-user-id and set-group-id programs, whoever started them. */
	other_uid = { "set-user-id", { ASK_USER, ASK_OTHER, ASK_USER, 0 }, 1, 0 },
	other_gid = { "set-group-id", { ASK_USER, ASK_USER, ASK_OTHER, 0 }, 1, 0 },
	inroot	 = { "root of the user namespace", { 0, 0, 0, EVERYTHING }, 1, 1 },
	inner	 = { "a user in it", { 1, 1, 1, 0 }, 1, 1 };

const struct party *const rights_targets[RIGHTS_TARGETS] = {
	&user, &hidden, &other, &root, &bare, &netadmin, &other_uid, &other_gid, &inroot, &inner,
};

const struct rights_row rights_outside[RIGHTS_ASKERS] = {
/*		user  hidden other  root  bare  net_adm s-uid s-gid inroot inner */
{ &user,     { "OP", "NP", "NP", "NP", "NP", "NP", "NP", "NP", "CP", "CP" } },
{ &other,    { "NP", "NP", "OP", "NP", "NP", "NP", "NP", "NP", "NP", "NP" } },
{ &root,     { "C+", "C+", "C+", "O+", "O+", "C+", "C+", "C+", "C+", "C+" } },
{ &bare,     { "NP", "NP", "NP", "NP", "OP", "NP", "NP", "NP", "NP", "NP" } },
{ &perfmon,  { "OP", "CP", "CP", "CP", "CP", "CP", "CP", "CP", "CP", "CP" } },
{ &ptrace,   { "OP", "CP", "CP", "CP", "CP", "CP", "CP", "CP", "CP", "CP" } },
{ &netadmin, { "O+", "N+", "N+", "N+", "N+", "O+", "N+", "N+", "C+", "C+" } },
{ &inroot,   { "NP", "NP", "NP", "NP", "NP", "NP", "NP", "NP", "OP", "CP" } },
{ &inner,    { "NP", "NP", "NP", "NP", "NP", "NP", "NP", "NP", "NP", "OP" } },
};

/*
 * In the inner pid namespace a listener needs CAP_NET_ADMIN in the user namespace that
 * owns it, and receives the tasks of that one.  The user who made it has all capabilities
 * there.
 */
const struct rights_row rights_inside[RIGHTS_ASKERS] = {
/*		user  hidden other  root  bare  net_adm s-uid s-gid inroot inner */
{ &user,     { "O.", "N.", "N.", "N.", "N.", "N.", "N.", "N.", "C+", "C+" } },
{ &other,    { "NP", "NP", "OP", "NP", "NP", "NP", "NP", "NP", "NP", "NP" } },
{ &root,     { "C.", "C.", "C.", "O.", "O.", "C.", "C.", "C.", "C+", "C+" } },
{ &bare,     { "NP", "NP", "NP", "NP", "OP", "NP", "NP", "NP", "NP", "NP" } },
{ &perfmon,  { "O.", "C.", "C.", "C.", "C.", "C.", "C.", "C.", "C+", "C+" } },
{ &ptrace,   { "O.", "C.", "C.", "C.", "C.", "C.", "C.", "C.", "C+", "C+" } },
{ &netadmin, { "O.", "N.", "N.", "N.", "N.", "O.", "N.", "N.", "C+", "C+" } },
{ &inroot,   { "N.", "N.", "N.", "N.", "N.", "N.", "N.", "N.", "O+", "C+" } },
{ &inner,    { "NP", "NP", "NP", "NP", "NP", "NP", "NP", "NP", "NP", "OP" } },
};

/* What is in a parent pid namespace is not visible to anybody. */
#define NOBODY(all)	{ all, all, all, all, all, all, all, all, all, all }

const struct rights_row rights_upwards[RIGHTS_ASKERS] = {
	{ &user, NOBODY("-.") }, { &other, NOBODY("-P") }, { &root, NOBODY("-.") },
	{ &bare, NOBODY("-P") }, { &perfmon, NOBODY("-.") }, { &ptrace, NOBODY("-.") },
	{ &netadmin, NOBODY("-.") }, { &inroot, NOBODY("-.") }, { &inner, NOBODY("-P") },
};

const char *rights_answers(char right)
{
	switch (right) {
	/*	         TGC   dto   AD   o: as in command.h, and the exits */
	case 'O': return "+++" "+++" "++" "+";
	case 'C': return "+++" "++." "++" ".";
	case 'N': return "PPP" "..." "PP" ".";
	default:  return "SSS" ".S." "SS" ".";
	}
}

void rights_become(const struct party *party)
{
	if (party->users)
		place_enter_users();
	ask_become(&party->who);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_DUMPABLE, party->dumpable);
}
