import { describe, expect, it } from '@jest/globals';
import type { Change } from '@parlance/read-models';
import { recentBots } from './recent-bots.ts';

const NOON = Date.parse('2025-03-04T12:00:00Z') / 1_000;
const imported = (more: object = {}) => ({
  type: 'parlance.inference.conversation-imported.v1',
  time: '2026-11-22T00:00:00Z',
  sequence: '8.0',
  data: { bot_id: 'guide', user_id: 'ann', messages: 2, used_at: '2025-03-04T12:00:00Z', ...more },
});
const after = (event: object, row: object | null = null) =>
  recentBots.changes(event as never).map((change) => (change as Extract<Change, { op: 'update' }>).change(row as never));

describe('an imported conversation with a bot', () => {
  it('counts as a use of the bot at the time of its newest message', () => {
    expect(after(imported())).toEqual([{ user_id: 'ann', bots: { guide: NOON }, erased: false }]);
  });
  it('does not make a later use earlier', () => {
    const row = { user_id: 'ann', bots: { guide: NOON + 1 }, erased: false };
    expect(after(imported(), row)).toEqual([row]);
  });
  it.each([
    ['without a bot', { bot_id: null }],
    ['by programs', { messages: 0 }],
  ])('is no use %s', (_, more) => expect(after(imported(more))).toEqual([]));
});
