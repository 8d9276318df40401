import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import type { CallerStatement } from '@parlance/http';
import { DeploymentProbe } from '../src/adapters/deployment-probe.ts';
import { raw } from './raw.ts';
import { type PublishedUnderTest, publishedEdge } from './published/published-rig.ts';

describe.each([
  ['in one process', false],
  ['over HTTP', true],
])('a new deployment, %s,', (_, overHttp) => {
  let under: PublishedUnderTest;
  beforeAll(async () => {
    const settings = {
      PARLANCE_PUBLISHED_API_ALLOWED_IP_V4_ADDRESS_RANGES: '192.0.2.0/24',
      PARLANCE_ANONYMOUS_REQUESTS_PER_MINUTE: '1',
    };
    under = await publishedEdge({ overHttp, settings });
  });
  afterAll(() => under.edge.stop());

  it('is probed by the edge before the publication service continues, regardless of allowlist and limits', async () => {
    const probe = jest.spyOn(under.edge.app.get(DeploymentProbe), 'isProbe');
    for (let index = 0; index < 3; index++) {
      const apiId = await under.publications.deploy();
      expect([probe.mock.lastCall?.[1], probe.mock.results.at(-1)?.value]).toEqual([apiId, true]);
    }
    expect(under.publications.failures).toEqual([]);
    expect(under.limits.admitted).toEqual([]);
  });
  it('is reported when the edge cannot serve it', async () => {
    const apiId = await under.publications.deploy();
    const deployment = under.publications.deployments.get(apiId)!;
    // The stage differs in each answer.
    let asked = 0;
    const answers = jest
      .spyOn(under.publications.deployments, 'get')
      .mockImplementation(() => ({ ...deployment, stage: `stage-${asked++}` }));
    await under.edge.app.get(DeploymentProbe).run(apiId);
    answers.mockRestore();
    expect(under.publications.failures).toEqual([
      { apiId, reason: 'An edge could not serve the API: There is no published API at this address.' },
    ]);
  });
  it('is not reported when it has ended before', async () => {
    const before = under.publications.failures.length;
    await under.edge.app.get(DeploymentProbe).run(newId().toLowerCase());
    expect(under.publications.failures.length).toBe(before);
  });

  const facts = { sub: 'edge', groups: [], sid: null, kind: 'service', ip: null, ua: null, cid: 'c', call: true } as const;
  it.each<[string, Partial<CallerStatement>]>([
    ['for another API', { rid: newId().toLowerCase() }],
    ['of another service', { sub: 'bots' }],
    ['of a user', { kind: 'user' }],
    ['that is forwarded for a client', { call: undefined as never }],
  ])('is not shown for a statement %s', async (__, more) => {
    const apiId = await under.publications.deploy();
    const signed = (changes: object) =>
      under.edge.host.statements.sign({ ...facts, rid: apiId, ...changes } as CallerStatement, Instant.ofMillis(Date.now()));
    const ask = async (probe: string) =>
      (await raw(under.edge.url, `/published/${apiId}/api/openapi.json`, { headers: { 'x-parlance-probe': probe } })).status;
    expect(await ask(signed({}))).toBe(200);
    expect(await ask(signed(more))).not.toBe(200);
    expect(await ask('e30.e30')).not.toBe(200);
  });
});
