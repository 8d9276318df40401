import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import type { Change, ReadModels, Row } from '@parlance/read-models';
import type { Appearance } from '../../domain/appearance.ts';
import type { BotEvent } from '../../domain/bot.ts';
import { type BotSettings, DEFAULT_SETTINGS, type StoredSettings } from '../../domain/configuration.ts';
import { PRIVATE } from '../../domain/sharing.ts';
import { WholeBot } from './bot-queries.ts';
import { type BotContentRow, type BotRow, botRows } from './bot-rows.ts';
import { bots } from './bots.ts';

describe('reading a bot with its content', () => {
  it('does not read the content of a bot that the user may not see', async () => {
    const { scope: shared_scope, userIds: allowed_user_ids } = PRIVATE;
    const row = { id: 'b1', owner_user_id: 'ann', shared_scope, allowed_user_ids } as Partial<BotRow>;
    const read: unknown[] = [];
    const get = async (table: unknown) => {
      read.push(table);
      return table === botRows ? row : null;
    };
    expect(await WholeBot.find({ get } as unknown as ReadModels, 'b1', { userId: 'eve', groups: [] })).toBeNull();
    expect(read).toEqual([botRows]);
  });
});

const configurationWith = (settings: StoredSettings) => ({
  title: 'sealed',
  description: null,
  instruction: null,
  quickStarters: null,
  settings,
});

describe('the icon, the colour and the picture of a bot', () => {
  const { icon: _, colour: __, picture: ____, ...earlier } = DEFAULT_SETTINGS;
  const created = (settings: StoredSettings) =>
    ({ type: 'BotCreated', ownerUserId: 'ann', configuration: configurationWith(settings) }) as unknown as BotEvent;
  const configured = (settings: Partial<BotSettings>) => ({ type: 'BotConfigured', by: 'ann', changes: { settings } }) as BotEvent;
  const restored = (settings: StoredSettings) =>
    ({ type: 'BotRestored', by: 'ann', version: 1, configuration: configurationWith(settings) }) as unknown as BotEvent;

  it.each<[string, readonly BotEvent[], Partial<Appearance>]>([
    ['are null for a bot of an earlier release', [created(earlier)], { icon: null, colour: null, picture: null }],
    ['are those that it was created with', [created({ ...earlier, icon: 'leaf', colour: 'green' })], { icon: 'leaf', colour: 'green' }],
    ['change one at a time', [created({ ...earlier, icon: 'leaf' }), configured({ colour: 'red' })], { icon: 'leaf', colour: 'red' }],
    ['can be removed', [created({ ...earlier, icon: 'leaf', colour: 'red' }), configured({ icon: null })], { icon: null, colour: 'red' }],
    ['include a picture', [created(earlier), configured({ picture: 'p' })], { icon: null, colour: null, picture: 'p' }],
    ['lose a picture', [created(earlier), configured({ picture: 'p' }), configured({ picture: null })], { picture: null }],
    [
      'stay when other settings change',
      [created({ ...earlier, icon: 'leaf' }), configured({ active_models: ['m'] })],
      { icon: 'leaf', colour: null },
    ],
    [
      'are removed by restoring a version of an earlier release',
      [created(earlier), configured({ icon: 'leaf', colour: 'red' }), restored(earlier)],
      { icon: null, colour: null },
    ],
  ])('%s', (___, events, expected) => {
    const rows = rowsAfter(events);
    expect(rows.get('bots')).toMatchObject(expected);
    expect((rows.get('bot_contents') as unknown as BotContentRow).settings).toMatchObject(expected);
  });
});

/** The rows of one bot by their tables. */
function rowsAfter(events: readonly BotEvent[]): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  const metadata = {
    at: Instant.ofMillis(0),
    actor: null,
    ip: null,
    userAgent: null,
    requestId: 'r',
    correlationId: 'c',
    causationId: null,
  };
  const after = (change: Change, row: Row | undefined): Row | undefined => {
    if (change.op === 'put') return change.row;
    if (change.op === 'patch') return { ...row, ...change.fields };
    if (change.op === 'update') return change.change(row ?? null) ?? undefined;
    throw new Error(`not expected: ${change.op}`);
  };
  for (const [index, event] of events.entries()) {
    for (const change of bots.changes(event, { stream: 'bot-b1', version: index + 1, position: index + 1, id: 'e', metadata }))
      rows.set(change.table.name, after(change, rows.get(change.table.name))!);
  }
  return rows;
}
