import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditRecorder, type RefusedAction, type ViewedAction } from '@parlance/http';
import { BotsUnderTest } from './bots-under-test.ts';
import { KnowledgeUnderTest } from './knowledge-under-test.ts';

describe('reading what viewers of a bot may not read', () => {
  let bots: BotsUnderTest;
  let id: string;
  let recorded: (ViewedAction | RefusedAction)[];
  beforeAll(async () => {
    bots = await BotsUnderTest.start();
    ({ id } = await bots.create('ann', { knowledge: { filenames: ['gone.txt'] } }));
    await new KnowledgeUnderTest(bots).settled('ann', id);
    await bots.share('ann', id, 'all');
    const audit = bots.app.get(AuditRecorder, { strict: false });
    audit.viewed = audit.record = async (action: ViewedAction) => void recorded.push(action);
  });
  beforeEach(() => {
    recorded = [];
  });
  afterAll(() => bots.stop());

  const reads = [
    ['GET', '/bot/private/{botId}', undefined],
    ['GET', '/bot/{botId}/history', undefined],
    ['GET', '/bot/{botId}/history/1', undefined],
    ['GET', '/bot/{botId}/knowledge/sync', undefined],
    ['PATCH', '/bot/{botId}', {}],
    // The bot has no picture, so nothing changes.
    ['DELETE', '/bot/{botId}/picture', undefined],
  ] as const;
  const viewed = () => ({ action: 'view_bot', resourceType: 'bot', resourceId: id });

  it.each(reads)('is in the audit log if an administrator does it: %s %s', async (method, url, body) => {
    expect((await bots.ask(method, url.replace('{botId}', id), bots.service.as('root', 'Admin'), body)).status).toBe(200);
    expect(recorded).toEqual([viewed()]);
  });
  it.each(reads)('is not in the audit log if the owner does it: %s %s', async (method, url, body) => {
    expect((await bots.ask(method, url.replace('{botId}', id), bots.service.as('ann'), body)).status).toBe(200);
    expect(recorded).toEqual([]);
  });
  it.each(reads.slice(0, 4))('is in the audit log if it is refused: %s %s', async (method, url, body) => {
    expect((await bots.ask(method, url.replace('{botId}', id), bots.service.as('ben'), body)).status).toBe(403);
    expect(recorded).toEqual([expect.objectContaining(viewed())]);
  });
  it('does not name the sources of a failed run to an administrator in a read that is not in the audit log', async () => {
    const as = (userId: string, ...groups: string[]) => bots.get(`/bot/${id}`, bots.service.as(userId, ...groups));
    const { body } = await as('root', 'Admin');
    expect([body.sync_status, body.sync_status_reason, recorded]).toEqual(['FAILED', '', []]);
    expect((await as('ann')).body.sync_status_reason).toContain('gone.txt');
    expect((await bots.get(`/bot/private/${id}`, bots.service.as('root', 'Admin'))).body.sync_status_reason).toContain('gone.txt');
  });
});
