import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { ReadModels } from '@parlance/read-models';
import { queryWith } from '../../bus.ts';
import { type Stretch, stretchesOf, type Window } from '../../domain/window.ts';
import { changesOf } from './costs-in-window.ts';
import { isAsRead, KEPT_MILLIS, type ReadState, readState } from './read-state.ts';
import { botUserHourRows } from '../usage-days.ts';
import { pagesOf } from './usage-in-window.ts';

interface UsersOfDay {
  readonly users: readonly string[];
  readonly state: ReadState;
}

/** The most entries in memory, eight bytes each. A bot with 200 users each day, and nine smaller ones, have 66,000 entries in 90 days. */
const MOST_KEPT = 500_000;

/** The users of a bot on days that were read before, in memory. They are used while the rows of the day are unchanged. */
export class KeptUsersOfBots {
  private readonly days = new Map<string, UsersOfDay>();
  /** One string for each ID, shared by all days. */
  private readonly names = new Map<string, string>();
  private kept = 0;

  /** `most`: entries of all days. */
  constructor(
    private readonly most = MOST_KEPT,
    private readonly keptMillis = KEPT_MILLIS,
  ) {}

  /** The users of a bot on a day if they are in memory and current; otherwise null. */
  find(botId: string, day: string, now: ReadState): readonly string[] | null {
    const known = this.days.get(`${botId}|${day}`);
    return known && isAsRead(known.state, now, this.keptMillis) ? known.users : null;
  }

  keep(botId: string, day: string, state: ReadState, ids: Iterable<string>): void {
    const key = `${botId}|${day}`;
    const users = Array.from(ids, (id) => this.nameOf(id));
    this.kept += users.length + 1 - this.sizeOf(key);
    this.days.set(key, { users, state });
    if (this.kept <= this.most) return;
    this.days.clear();
    this.names.clear();
    this.kept = 0;
  }

  private sizeOf(key: string): number {
    const known = this.days.get(key);
    return known ? known.users.length + 1 : 0;
  }

  private nameOf(id: string): string {
    const known = this.names.get(id);
    if (known === undefined) this.names.set(id, id);
    return known ?? id;
  }
}

/** The users who were charged in conversations with a bot, by day, each once a day. */
export const UsersOfBot = queryWith('UsersOfBot', [ReadModels, KeptUsersOfBots], ([models, kept], botId: string, window: Window) =>
  usersOfBot(models, kept, botId, window),
);

export async function usersOfBot(
  models: ReadModels,
  kept: KeptUsersOfBots,
  botId: string,
  window: Window,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const users = new Map<string, readonly string[]>();
  for (const stretch of stretchesOf(window)) {
    if (stretch.rows === 'hours') for (const [day, usersOfDay] of await readUsers(models, botId, stretch)) users.set(day, [...usersOfDay]);
    else for (const [day, usersOfDay] of await ofDays(models, kept, botId, stretch)) users.set(day, usersOfDay);
  }
  return users;
}

/** The total number of users, each counted once. */
export async function countOf(usersByDay: ReadonlyMap<string, readonly string[]>): Promise<number> {
  const all = new Set<string>();
  for (const users of usersByDay.values()) {
    for (const id of users) all.add(id);
    if (isTurnOver()) await nextTurn();
  }
  return all.size;
}

/** The users by day. Unchanged days in memory are not read. The gaps between them are read, with one query per gap. */
async function ofDays(models: ReadModels, kept: KeptUsersOfBots, botId: string, { from, to }: Stretch) {
  const users = new Map<string, readonly string[]>();
  const changesIn = [...(await changesOf(models, from, to))];
  let missing: [day: string, state: ReadState][] = [];
  const readMissing = async () => {
    if (missing.length === 0) return;
    const found = await readUsers(models, botId, { from: `${missing[0]![0]}T00`, to: `${missing.at(-1)![0]}T23` });
    for (const [day, state] of missing) {
      const usersOfDay = found.get(day) ?? new Set();
      if (usersOfDay.size > 0) users.set(day, [...usersOfDay]);
      kept.keep(botId, day, state, usersOfDay);
      if (isTurnOver()) await nextTurn();
    }
    missing = [];
  };
  for (const [day, changes] of changesIn) {
    const state = readState(models, changes);
    const known = kept.find(botId, day, state);
    if (known === null) missing.push([day, state]);
    else {
      await readMissing();
      if (known.length > 0) users.set(day, known);
    }
    if (isTurnOver()) await nextTurn();
  }
  await readMissing();
  return users;
}

async function readUsers(
  models: ReadModels,
  botId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<ReadonlyMap<string, Set<string>>> {
  const days = new Map<string, Set<string>>();
  for await (const rows of pagesOf(models, botUserHourRows, { index: 'byBot', where: { bot_id: botId }, from, to }))
    for (const { hour, user_id } of rows) {
      const day = hour.slice(0, 10);
      const usersOfDay = days.get(day);
      if (usersOfDay) usersOfDay.add(user_id);
      else days.set(day, new Set([user_id]));
    }
  return days;
}
