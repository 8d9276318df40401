import { describe, expect, it } from '@jest/globals';
import type { MessageSubmitted } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { botUses } from './bot-uses.ts';
import { recentBots } from './recent-bots.ts';

type Submitted = CloudEvent<MessageSubmitted, 'parlance.inference.message-submitted.v1'>;

const sent = (more: object) =>
  ({
    type: 'parlance.inference.message-submitted.v1',
    time: '2026-11-22T00:00:00Z',
    sequence: '7.0',
    data: { bot_id: 'guide', user_id: 'ann', ...more },
  }) as Submitted;

describe('a message that a program sends to a published bot', () => {
  it.each([
    ['popularity', botUses],
    ['the bots that its owner last used', recentBots],
  ])('is not a use for %s', (_, projection) => {
    expect(projection.changes(sent({}))).not.toEqual([]);
    expect(projection.changes(sent({ api_id: 'a1', api_key_id: 'k1' }))).toEqual([]);
  });
});
