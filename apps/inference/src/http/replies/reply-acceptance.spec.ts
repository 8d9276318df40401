import { describe, expect, it } from '@jest/globals';
import type { Caller } from '@parlance/http';
import type { NewFiles } from '../../commands/new-files.ts';
import { ReplyAcceptance } from './reply-acceptance.ts';

/** Thrown instead of reading the files of a message. */
class Reading extends Error {
  constructor(readonly account: string) {
    super('reading');
  }
}

describe('the files of a message', () => {
  const files = { checked: (account: string) => Promise.reject(new Reading(account)) } as unknown as NewFiles;
  const catalogue = { requireModel: () => ({ id: 'offline' }) };
  const guardrails = { refuseBlocked: () => Promise.resolve() };
  const acceptance = new ReplyAcceptance(
    ...([{}, {}, catalogue, {}, files, guardrails] as unknown as ConstructorParameters<typeof ReplyAcceptance>),
  );
  const request = {
    conversationId: null,
    botId: null,
    replyId: '01M80G0XQKQCS4W06KR8FR0EQF',
    parentId: null,
    content: [{ content_type: 'text', body: 'Read this.' }],
    model: null,
    continues: false,
    files: [],
  } as unknown as Parameters<ReplyAcceptance['accept']>[1];
  const readFor = (caller: object) =>
    acceptance.accept(caller as Caller, request).then(
      () => null,
      (error: Reading) => error.account,
    );

  it('are read in the turn of the user', async () => expect(await readFor({ kind: 'user', userId: 'ann' })).toBe('ann'));
  it('are read in the turn of the key of a published bot, not of its owner', async () =>
    expect(await readFor({ kind: 'api', userId: 'ann', api: { apiId: 'a1', botId: 'b1', keyId: 'k1' } })).toBe('k1'));
});
