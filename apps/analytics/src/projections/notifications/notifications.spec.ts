import { describe, expect, it } from '@jest/globals';
import type { CloudEvent } from '@parlance/messaging';
import fc from 'fast-check';
import { MOST_NOTIFICATIONS, newestOfEach, notifications, type StoredNotification } from './notifications.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-01-01T00:00:00.000Z');
let made = 0;
const event = (type: string, data: object, day = 0, actor = 'ann'): CloudEvent => {
  const [, service] = type.split('.');
  made += 1;
  const time = new Date(START + day * DAY).toISOString();
  return { id: `e${String(made).padStart(4, '0')}`, type, source: `/${service}`, time, sequence: `${made}.0`, actor, data } as CloudEvent;
};
const sharing = (added: object) => ({ bot_id: 'guide', shared_scope: 'partial', previous_scope: 'private', ...added });
const toBen = (bot_id: string, day = 0) => event('parlance.bots.bot-widened.v1', { ...sharing({ added_user_ids: ['ben'] }), bot_id }, day);
const budget = (scope: string, scope_id: string | null) => ({
  budget_id: `budget of ${scope}`,
  scope,
  scope_id,
  period: 'MONTH',
  mode: 'soft',
  limit_nano_dollars: 100,
  period_start: '2026-01-01',
  spent_nano_dollars: 81,
});
const ready = event('parlance.inference.own-export-ready.v1', {
  user_id: 'ben',
  export_id: 'x',
  expires_at: '2026-01-02T00:00:00.000Z',
});
const erased = event('parlance.identity.user-erased.v1', { user_id: 'ben' });

type Rows = Record<string, { notifications?: readonly StoredNotification[] }>;

/** The rows that events produce, by table and audience. */
function rowsOf(all: readonly CloudEvent[]): Rows {
  const rows: Rows = {};
  for (const change of all.flatMap((one) => notifications.changes(one))) {
    const place = `${change.table.name} ${change.key}`;
    if (change.op === 'put') rows[place] = change.row;
    if (change.op === 'update') rows[place] = change.change(rows[place] ?? null)!;
  }
  return rows;
}

const subjectsOf = (all: readonly CloudEvent[], audience: string) =>
  rowsOf(all)[`notifications ${audience}`]?.notifications?.map(({ kind, subjectId }) => `${kind} ${subjectId}`);

describe('the notifications of a user', () => {
  it('are about what was shared with the user, and have no names', () => {
    const [stored] = rowsOf([toBen('guide')])['notifications user:ben']!.notifications!;
    expect(stored).toEqual({
      id: expect.any(String),
      kind: 'bot_shared',
      at: '2026-01-01T00:00:00.000Z',
      source: 'bots',
      sequence: expect.any(String),
      by: 'ann',
      subjectId: 'guide',
    });
  });
  it('do not include a change that adds nobody', () => {
    const narrowed = event('parlance.bots.bot-narrowed.v1', { ...sharing({}), allowed_user_ids: ['ben'], because: 'requested' });
    expect(rowsOf([narrowed])).toEqual({});
  });
  it('include what was shared with a group of the user, in the row of the group', () => {
    const shared = { prompt_id: 'mail', owner_user_id: 'ann', added_group_ids: ['team'] };
    expect(subjectsOf([event('parlance.bots.prompt-sharing-changed.v1', shared)], 'group:team')).toEqual(['prompt_shared mail']);
  });
  it('are about projects that the user was added to', () => {
    const shared = { project_id: 'ferries', owner_user_id: 'ann', user_id: 'ben', role: 'viewer' };
    expect(subjectsOf([event('parlance.inference.project-shared.v1', shared)], 'user:ben')).toEqual(['project_shared ferries']);
  });
  it('are about replies that wait for an approval of the user', () => {
    const wanted = { conversation_id: 'chat', reply_id: 'reply', user_id: 'ben', bot_id: null, expires_at: '2026-01-02T00:00:00.000Z' };
    const stored = rowsOf([event('parlance.inference.approval-wanted.v1', wanted, 0, 'ben')])['notifications user:ben']!.notifications!;
    // The user has caused it, but not made it.
    expect(stored).toMatchObject([{ kind: 'approval_wanted', subjectId: 'reply', conversationId: 'chat', by: null }]);
  });
  it('are about own budgets and exports, and for administrators about all budgets', () => {
    const nearly = event('parlance.analytics.budget-nearly-reached.v1', budget('user', 'ben'), 1);
    const token = event('parlance.analytics.budget-reached.v2', budget('token', 'ben'), 2);
    expect(subjectsOf([ready, nearly, token], 'user:ben')).toEqual(['budget_threshold budget of user', 'export_ready x']);
    expect(subjectsOf([ready, nearly, token], 'group:Admin')).toEqual([
      'budget_threshold budget of token',
      'budget_threshold budget of user',
    ]);
  });
  it('have one for each subject, the newest', () => {
    const nearly = event('parlance.analytics.budget-nearly-reached.v1', budget('all', null), 1);
    const reached = event('parlance.analytics.budget-reached.v1', budget('all', null), 2);
    const rows = rowsOf([reached, nearly])['notifications group:Admin']!.notifications!;
    expect(rows.map((each) => each.budget?.percent)).toEqual([100]);
  });
  it('are the newest 100', () => {
    const many = Array.from({ length: MOST_NOTIFICATIONS + 5 }, (_, index) => toBen(`bot ${index}`, index / 100));
    const kept = subjectsOf(many, 'user:ben')!;
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([MOST_NOTIFICATIONS, 'bot_shared bot 104', 'bot_shared bot 5']);
  });
  it('leave places for other kinds than those of which many are not shown any more', () => {
    const budgets = Array.from({ length: 105 }, (_, index) =>
      event('parlance.analytics.budget-reached.v1', { ...budget('all', null), budget_id: `budget ${index}` }, 1 + index / 200),
    );
    const shared = event('parlance.bots.bot-widened.v1', { ...sharing({ added_group_ids: ['Admin'] }), bot_id: 'old' });
    const kept = subjectsOf([shared, ...budgets], 'group:Admin')!;
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([41, 'budget_threshold budget 104', 'bot_shared old']);
  });
  it('are at most 90 days older than the newest one', () => {
    expect(subjectsOf([toBen('old'), toBen('older than a day', 1), toBen('new', 90)], 'user:ben')).toEqual([
      'bot_shared new',
      'bot_shared older than a day',
    ]);
  });
  it('are removed when the user is erased, also those whose events arrive later', () => {
    expect(rowsOf([toBen('guide'), erased, ready])).toEqual({
      'notifications user:ben': { notifications: [], isErased: true },
      'newest_notifications user:ben': { isErased: true },
    });
  });
  it('are the same in any order of the events, and if events are delivered twice', () => {
    const many = Array.from({ length: MOST_NOTIFICATIONS + 20 }, (_, index) => toBen(`bot ${index % 110}`, index));
    const other = event('parlance.analytics.budget-nearly-reached.v1', budget('user', 'ben'), 40);
    for (const events of [
      [...many, ready, other],
      [toBen('guide'), ready, erased, other],
    ]) {
      const shuffled = fc.shuffledSubarray([...events, ...events.slice(0, 3)], { minLength: events.length + 3 });
      fc.assert(
        fc.property(shuffled, (order) => expect(rowsOf(order)).toEqual(rowsOf(events))),
        { numRuns: 50 },
      );
    }
  });
});

describe('the notifications of several audiences', () => {
  it('are listed once', () => {
    const shared = event('parlance.bots.bot-widened.v1', sharing({ added_user_ids: ['ben'], added_group_ids: ['team'] }));
    const rows = rowsOf([shared, toBen('other', 1)]);
    const all = [...rows['notifications user:ben']!.notifications!, ...rows['notifications group:team']!.notifications!];
    expect(newestOfEach(all).map(({ subjectId }) => subjectId)).toEqual(['other', 'guide']);
  });
});

describe('old rows', () => {
  it('are outdated 90 days after their newest notification', async () => {
    const models = { find: async () => ({ rows: [{ newest_at: START }] }) };
    const newest = await notifications.outdated!.newest(models as never);
    expect(newest?.time).toBe('2026-01-01T00:00:00.000Z');
    expect(notifications.outdated!.before(newest!)).toMatchObject([{ upTo: START - 90 * DAY }, { upTo: START - 90 * DAY }]);
  });
});
