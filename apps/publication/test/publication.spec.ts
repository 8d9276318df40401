import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { Deployments, DEADLINE_MILLIS, LEASE_MILLIS } from '../src/workflows/deployments.ts';
import { PublicationUnderTest } from './publication-under-test.ts';

const under = await PublicationUnderTest.start({
  PARLANCE_PUBLISHED_DOMAIN: 'bots.example.org',
  PARLANCE_PUBLIC_BASE_URL: 'https://chat.example.org',
});
afterAll(() => under.stop());
afterEach(() => {
  under.bots.refusal = null;
  under.bots.gate = Promise.resolve();
});

const path = (botId: string) => `/bot/${botId}/publication`;
const get = (botId: string, headers = under.owner()) => under.ask('GET', path(botId), headers);
const codeOf = ({ status, body }: { status: number; body: { code?: string } | null }) => [status, body?.code];
const ownedBot = () => {
  const botId = newId();
  under.bots.owners.set(botId, 'ann');
  return botId;
};

describe('publishing a bot', () => {
  it('answers with the deployment, and later with the address', async () => {
    const botId = ownedBot();
    const quota = { limit: 1_000, offset: 10, period: 'MONTH' };
    const terms = { quota, throttle: { rate_limit: 5 }, allowed_origins: ['https://Shop.example.org/', 'https://shop.example.org'] };
    const { status, body } = await under.publish(botId, terms);
    expect([status, body]).toEqual([
      202,
      {
        stage: null,
        quota: null,
        throttle: null,
        allowed_origins: [],
        cfn_status: 'CREATE_IN_PROGRESS',
        codebuild_id: expect.stringMatching(/^[0-9A-Z]{26}$/),
        codebuild_status: 'IN_PROGRESS',
        codebuild_status_reason: null,
        endpoint: null,
        domain_endpoint: null,
        api_key_ids: [],
      },
    ]);
    const { body: published, headers } = await under.settled(botId);
    const apiId = (body.codebuild_id as string).toLowerCase();
    expect(published).toEqual({
      stage: 'api',
      quota,
      throttle: { rate_limit: 5, burst_limit: 100 },
      allowed_origins: ['https://shop.example.org'],
      cfn_status: 'CREATE_COMPLETE',
      codebuild_id: body.codebuild_id,
      codebuild_status: 'SUCCEEDED',
      codebuild_status_reason: null,
      endpoint: `https://chat.example.org/published/${apiId}/api`,
      domain_endpoint: `https://${apiId}.bots.example.org/api`,
      api_key_ids: [],
    });
    expect(headers['etag']).toMatch(/^"\d+"$/);
    expect([under.bots.held.has(botId), under.bots.published.has(botId)]).toEqual([true, true]);
    expect(codeOf(await under.publish(botId))).toEqual([409, 'already_published']);
  });
  it.each([
    [{ allowed_origins: undefined }, 'allowed_origins'],
    [{ allowed_origins: [] }, 'allowed_origins'],
    [{ allowed_origins: ['ftp://example.org'] }, 'allowed_origins'],
    [{ allowed_origins: ['https://example.org/shop'] }, 'allowed_origins'],
    [{ quota: { limit: 10 } }, 'quota.period'],
    [{ quota: { limit: 0, period: 'DAY' } }, 'quota.limit'],
    [{ quota: { limit: 10, period: 'DAY', offset: 11 } }, 'quota.offset'],
    [{ quota: { limit: 10, period: 'DAY', offset: -1 } }, 'quota.offset'],
    [{ throttle: { rate_limit: 0 } }, 'throttle.rate_limit'],
    [{ throttle: { burst_limit: 0 } }, 'throttle.burst_limit'],
    [{ stage: 'a/b' }, 'stage'],
  ])('refuses %j, and names the field', async (body, field) => {
    const { status, body: problem } = await under.publish(ownedBot(), body);
    expect([status, (problem.errors as { path: string }[]).map(({ path: its }) => its.replace(/[.[]\d+\]?$/, ''))]).toEqual([400, [field]]);
  });
  it('needs the group PublishAllowed', async () =>
    expect(codeOf(await under.publish(ownedBot(), {}, under.service.as('ann')))).toEqual([403, 'group_required']));
  it('refuses a visible bot of another owner, and hides other bots', async () => {
    expect(codeOf(await under.publish(ownedBot(), {}, under.owner('ben')))).toEqual([403, 'not_owner']);
    expect(codeOf(await under.publish(newId()))).toEqual([404, 'bot_not_found']);
  });
  it.each(['bot_not_public', 'sync_not_succeeded'])('stores nothing about a request that is refused with %s', async (code) => {
    const botId = await under.knownBot();
    under.bots.refusal = { step: '', status: 409, code };
    expect(codeOf(await under.publish(botId))).toEqual([409, code]);
    expect(codeOf(await get(botId))).toEqual([404, 'not_published']);
    under.bots.refusal = null;
    expect((await under.publish(botId)).status).toBe(202);
    expect((await under.settled(botId)).body.codebuild_status).toBe('SUCCEEDED');
  });
  it('refuses a second request, a removal and a change while the deployment is in progress', async () => {
    const botId = ownedBot();
    const { promise, resolve } = Promise.withResolvers<void>();
    under.bots.gate = promise;
    const first = under.publish(botId);
    await waitFor(async () => (await get(botId)).status === 200, { what: 'the request to be recorded' });
    const others = [
      await under.publish(botId),
      await under.ask('DELETE', path(botId), under.owner()),
      await under.ask('PATCH', path(botId), under.owner(), { allowed_origins: ['*'] }),
      await under.createKey(botId),
    ];
    expect(others.map(codeOf)).toEqual([
      [409, 'deployment_in_progress'],
      [409, 'deployment_in_progress'],
      [409, 'publication_not_succeeded'],
      [409, 'publication_not_succeeded'],
    ]);
    resolve();
    expect((await first).status).toBe(202);
    expect((await under.settled(botId)).body.codebuild_status).toBe('SUCCEEDED');
  });
});

describe('a deployment whose process is lost', () => {
  const lost = async (botId: string, step: string, code = 'service_unavailable', status = 503) => {
    under.bots.refusal = { step, status, code };
    const answer = await under.publish(botId);
    return answer.status;
  };
  const afterLease = async () => {
    under.bots.refusal = null;
    under.service.later(LEASE_MILLIS + 1_000);
    await under.app.get(Deployments).takeOver();
  };

  it('is continued by another one', async () => {
    const botId = ownedBot();
    expect(await lost(botId, '/complete')).toBe(202);
    await waitFor(() => under.bots.calls.at(-1)?.startsWith('complete') === true, { what: 'the first try' });
    expect((await get(botId)).body.codebuild_status).toBe('IN_PROGRESS');
    await afterLease();
    expect((await under.settled(botId)).body.codebuild_status).toBe('SUCCEEDED');
  });
  it('fails and releases the bot if it was released meanwhile', async () => {
    const botId = ownedBot();
    await lost(botId, '/complete', 'publication_is_over', 409);
    const { body } = await under.settled(botId);
    expect(body).toMatchObject({ codebuild_status: 'FAILED', cfn_status: 'ROLLBACK_COMPLETE', endpoint: null, api_key_ids: [] });
    expect(body.codebuild_status_reason).toMatch(/^The bot was released/);
    expect(under.bots.held.has(botId)).toBe(false);
  });
  it('fails after its deadline', async () => {
    const botId = ownedBot();
    await lost(botId, '/complete');
    await waitFor(() => under.bots.calls.at(-1)?.startsWith('complete') === true, { what: 'the first try' });
    under.service.later(DEADLINE_MILLIS);
    await afterLease();
    const { body } = await under.settled(botId);
    expect([body.codebuild_status, body.codebuild_status_reason]).toEqual(['FAILED', expect.stringMatching(/did not end in time/)]);
    expect(under.bots.held.has(botId)).toBe(false);
    expect((await under.publish(botId)).status).toBe(202);
    expect((await under.settled(botId)).body.codebuild_status).toBe('SUCCEEDED');
  });
  it('is withdrawn if its user has not received a response', async () => {
    const botId = await under.knownBot();
    under.bots.refusal = { step: '/release', status: 503, code: 'service_unavailable' };
    under.bots.owners.delete(botId);
    under.bots.owners.set(botId, 'ann');
    const { promise, resolve } = Promise.withResolvers<void>();
    under.bots.gate = promise;
    const request = under.publish(botId);
    await waitFor(async () => (await get(botId)).status === 200, { what: 'the request to be recorded' });
    // Another process finds the lease of the first one ended. The reservation of the first arrives after that.
    under.bots.refusal = null;
    under.service.later(LEASE_MILLIS + 1_000);
    await under.app.get(Deployments).takeOver();
    await waitFor(() => under.bots.calls.at(-1)?.startsWith('release') === true, { what: 'the release' });
    resolve();
    expect((await request).status).toBe(409);
    await waitFor(async () => (await get(botId)).body.code === 'not_published', { what: 'the withdrawal' });
  });
});

describe('a published bot', () => {
  it('changes its terms in place', async () => {
    const botId = await under.publishedBot();
    const quota = { limit: 5, offset: 0, period: 'DAY' };
    const { status, body, headers } = await under.ask('PATCH', path(botId), under.owner(), { quota, throttle: { burst_limit: 7 } });
    expect([status, body]).toEqual([200, expect.objectContaining({ quota, throttle: { rate_limit: 50, burst_limit: 7 } })]);
    const stale = await under.ask('PATCH', path(botId), { ...under.owner(), 'if-match': '"1"' }, { quota: null });
    expect(codeOf(stale)).toEqual([412, 'version_stale']);
    const removed = await under.ask('PATCH', path(botId), { ...under.owner(), 'if-match': String(headers['etag']) }, { quota: null });
    expect([removed.status, removed.body.quota, removed.body.cfn_status]).toEqual([200, null, 'CREATE_COMPLETE']);
  });
  it('keeps both of two concurrent changes of different fields of its throttle', async () => {
    const botId = await under.publishedBot();
    const change = (throttle: object) => under.ask('PATCH', path(botId), under.owner(), { throttle });
    await Promise.all([change({ rate_limit: 7 }), change({ burst_limit: 9 })]);
    expect((await under.settled(botId)).body.throttle).toEqual({ rate_limit: 7, burst_limit: 9 });
  });
  it('is removed with its keys, and can be published again at another address', async () => {
    const botId = await under.publishedBot();
    const { endpoint } = (await get(botId)).body;
    const { body: key } = await under.createKey(botId);
    expect((await under.ask('DELETE', path(botId), under.owner())).status).toBe(204);
    expect(under.bots.held.has(botId)).toBe(false);
    expect((await under.ask('GET', `${path(botId)}/api-key/${key.id}`, under.owner())).status).toBe(404);
    expect((await under.publish(botId)).status).toBe(202);
    const { body } = await under.settled(botId);
    expect([body.endpoint === endpoint, body.api_key_ids]).toEqual([false, []]);
  });
  it('is removed even if the bot cannot be released at once', async () => {
    const botId = await under.publishedBot();
    under.bots.refusal = { step: '/release', status: 503, code: 'service_unavailable' };
    expect((await under.ask('DELETE', path(botId), under.owner())).status).toBe(204);
    expect((await get(botId)).body).toMatchObject({ cfn_status: 'DELETE_IN_PROGRESS', endpoint: null });
    expect(codeOf(await under.publish(botId))).toEqual([409, 'deployment_in_progress']);
    under.bots.refusal = null;
    under.service.later(LEASE_MILLIS + 1_000);
    await under.app.get(Deployments).takeOver();
    await waitFor(() => !under.bots.held.has(botId), { what: 'the release' });
  });
  it('is seen by its owner and by administrators only', async () => {
    const botId = await under.publishedBot();
    const hidden = await under.knownBot('ann', 'private');
    const admin = under.service.as('root', 'Admin');
    expect((await get(botId, admin)).status).toBe(200);
    expect(codeOf(await get(botId, under.owner('ben')))).toEqual([404, 'bot_not_found']);
    expect(codeOf(await under.ask('DELETE', path(botId), under.owner('ben')))).toEqual([404, 'bot_not_found']);
    expect(codeOf(await get(hidden, admin))).toEqual([404, 'bot_not_found']);
  });
  it('is hidden from administrators if its deployment failed and the bot is private now', async () => {
    const botId = await under.knownBot();
    under.bots.refusal = { step: '/complete', status: 409, code: 'publication_is_over' };
    await under.publish(botId);
    await under.settled(botId);
    const admin = under.service.as('root', 'Admin');
    expect((await get(botId, admin)).body.codebuild_status).toBe('FAILED');
    const lists = { allowed_user_ids: [], allowed_group_ids: [], editor_user_ids: [], editor_group_ids: [] };
    const narrowed = { bot_id: botId, shared_scope: 'private', previous_scope: 'all', ...lists, because: 'requested' };
    await under.service.hear('parlance.bots.bot-narrowed.v1', `bot-${botId}`, narrowed);
    await waitFor(async () => (await get(botId, admin)).body.code === 'bot_not_found', { what: 'the bot to be known as private' });
    expect((await get(botId)).body.codebuild_status).toBe('FAILED');
  });
  it('is removed with the bot', async () => {
    const botId = await under.publishedBot();
    await under.service.hear('parlance.bots.bot-deleted.v1', `bot-${botId}`, { bot_id: botId, owner_user_id: 'ann' });
    await waitFor(async () => (await get(botId)).status === 404, { what: 'the publication to be removed' });
  });
  it('is removed with its erased owner, and the receipt counts it once', async () => {
    const botId = newId();
    under.bots.owners.set(botId, 'eve');
    await under.publish(botId, {}, under.owner('eve'));
    await waitFor(async () => (await get(botId, under.owner('eve'))).body.codebuild_status === 'SUCCEEDED', { what: 'the deployment' });
    await under.ask('POST', `${path(botId)}/api-key`, under.owner('eve'), { description: 'Shop' });
    const erase = () => under.ask('POST', '/internal/erasures', under.service.asService('identity'), { user_id: 'eve' });
    const receipt = { service: 'publication', removed: { publications: 1, api_keys: 1 } };
    expect([(await erase()).body, (await erase()).body]).toEqual([receipt, receipt]);
    expect((await get(botId, under.owner('eve'))).status).toBe(404);
  });
});
