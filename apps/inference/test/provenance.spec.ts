import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { AuditRecorder, type ViewedAction } from '@parlance/http';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { inference } from '../src/service.ts';
import { BotsService } from './bots-service.ts';

const botId = '01K0000000000000000000000B';
const refunds = { content: 'A refund takes fourteen days.', source_id: 'refunds' };
const guardrails = (grounding_threshold: number, relevance_threshold = 0) => ({
  bedrock_guardrails: { is_guardrail_enabled: true, guardrail_arn: '', guardrail_version: '', grounding_threshold, relevance_threshold },
  guardrail_blocked_text: 'Ask the help desk.',
});

const POLICIES = [
  { id: 'no-keys', stage: 'input', action: 'block', detectors: ['secret'] },
  { id: 'contacts', stage: 'input', action: 'flag', detectors: ['email'] },
  { id: 'no-phones', stage: 'output', action: 'block', detectors: ['phone'] },
];

describe('how a reply was produced', () => {
  let service: ServiceUnderTest;
  let bots: BotsService;
  let viewed: ViewedAction[];
  const keys = new KeysOfUsers();

  const get = (path: string, userId = 'ann', ...groups: string[]) =>
    request(service.server)
      .get(path)
      .set(service.as(userId, ...groups));
  const ask = async (body: string, more: object = { bot_id: botId }, userId = 'ann'): Promise<string> => {
    const sent = { ...more, message: { content: [{ content_type: 'text', body }] } };
    const { body: accepted } = await request(service.server).post('/conversation').set(service.as(userId)).send(sent);
    const path = `/conversation/${accepted.conversation_id}/${accepted.message_id}`;
    await waitFor(async () => (await get(path, userId)).status === 200, { what: 'the reply' });
    return path;
  };

  beforeAll(async () => {
    let app: NestFastifyApplication | undefined;
    const policies = { PARLANCE_GUARDRAILS: JSON.stringify(POLICIES) };
    service = await serviceUnderTest({ ...inference, install: (started) => (app = started) }, policies);
    await keys.enter(service.host);
    const audit = app!.get(AuditRecorder, { strict: false });
    audit.viewed = async (action) => void viewed.push(action);
  });
  beforeEach(async () => {
    viewed = [];
    bots = new BotsService();
    bots.chunks = [refunds];
    await bots.enter(service);
  });
  afterAll(() => service.stop());

  it('names the bot with its version, the chunks and the parameters', async () => {
    const generation_params = {
      max_tokens: 9,
      top_k: null,
      top_p: null,
      temperature: 0,
      stop_sequences: ['.'],
      reasoning_budget_tokens: null,
    };
    bots.settings = { version: 7, generation_params };
    const path = await ask('How long does a refund take?');
    const { status, body } = await get(`${path}/provenance`);
    const hash = createHash('sha256').update(refunds.content).digest('base64url').slice(0, 16);
    expect([status, body]).toEqual([
      200,
      {
        conversation_id: path.split('/')[2],
        message_id: path.split('/')[3],
        model: 'local-extractive',
        provider: null,
        provider_model: null,
        provider_request_id: null,
        bot: { bot_id: botId, version: 7 },
        chunks: [{ rank: 1, id: 'refunds-1', hash }],
        memory_ids: [],
        price_from: null,
        cost: 0,
        parameters: { max_tokens: 9, temperature: 0, stop_sequences: ['.'] },
        guardrail: null,
        policies: [],
        original: null,
        timings: { total: expect.any(Number), to_prompt: expect.any(Number), to_first_token: expect.any(Number), guardrail: null },
        tools: [],
        tries: 1,
      },
    ]);
    expect(viewed).toEqual([]);
  });
  it('has only the time for a reply of the offline model without a bot', async () => {
    const path = await ask('Hello', {});
    expect((await get(`${path}/provenance`)).body).toMatchObject({
      bot: null,
      chunks: [],
      parameters: {},
      guardrail: null,
      timings: { total: expect.any(Number), to_prompt: null },
    });
  });
  it('is shown to administrators, and recorded then', async () => {
    const path = await ask('How long does a refund take?');
    expect((await get(`${path}/provenance`, 'root', 'Admin')).status).toBe(200);
    expect(viewed).toEqual([{ action: 'view_provenance', resourceType: 'conversation', resourceId: path.split('/')[2] }]);
  });
  it('is not shown to others, nor for a message of a user', async () => {
    const path = await ask('How long does a refund take?');
    expect((await get(`${path}/provenance`, 'ben')).body).toMatchObject({ status: 404, code: 'message_not_found' });
    const { body } = await get(path);
    const questionPath = path.replace(/[^/]+$/, body.message.parent);
    expect((await get(`${questionPath}/provenance`)).body).toMatchObject({ status: 404, code: 'message_not_found' });
    expect(viewed).toEqual([]);
  });
  it('is removed with its user', async () => {
    bots.owner = 'fay';
    bots.settings = guardrails(0, 1);
    const path = await ask('Is the weather nice, and what is a refund?', { bot_id: botId }, 'fay');
    await keys.erase('fay');
    await request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id: 'fay' });
    expect((await get(`${path}/provenance`, 'root', 'Admin')).status).toBe(404);
  });

  describe('under the policies of the installation', () => {
    it('names what a policy has found in the message', async () => {
      const path = await ask('Who is jo@example.com?', {});
      const { body } = await get(`${path}/provenance`);
      expect(body.policies).toEqual([{ id: 'contacts', stage: 'input', action: 'flag', found: [{ detector: 'email', count: 1 }] }]);
    });
    it('a message that a policy blocks is refused and not stored', async () => {
      const message = { content: [{ content_type: 'text', body: 'password: Tr0ub4dor&3' }] };
      const { body } = await request(service.server).post('/conversation').set(service.as('gus')).send({ message });
      expect(body).toMatchObject({ status: 400, code: 'guardrail_blocked', errors: [{ path: 'message.content' }] });
      expect(JSON.stringify(body)).not.toContain('Tr0ub');
      expect((await get('/conversations', 'gus')).body.conversations).toEqual([]);
    });
    it('an answer that a policy blocks is marked, and administrators see the original', async () => {
      bots.chunks = [{ ...refunds, content: 'A refund takes a call to +49 30 901820 first.' }];
      const path = await ask('How does a refund work?');
      const { message } = (await get(path)).body;
      expect(message).toMatchObject({ guardrail: 'blocked', stop_reason: 'content_filtered' });
      expect(message.content[0].body).toMatch(/withheld by the policy no-phones/);
      expect(JSON.stringify(message)).not.toContain('901820');
      expect((await get(`${path}/provenance`)).body).toMatchObject({ original: null, policies: [{ id: 'no-phones', action: 'block' }] });
      const { original } = (await get(`${path}/provenance`, 'root', 'Admin')).body;
      expect(original).toContain('+49 30 901820');
    });
  });

  describe('with a guardrail', () => {
    it('an answer that is grounded passes', async () => {
      bots.settings = guardrails(0.9, 0.5);
      const path = await ask('How long does a refund take?');
      const { body } = await get(path);
      expect(body.message.content[0].body).toContain('A refund takes fourteen days.');
      expect(body.message).not.toHaveProperty('guardrail');
      expect((await get(`${path}/provenance`)).body.guardrail).toMatchObject({
        by: 'builtin',
        verdict: 'passed',
        grounding: 1,
        original: null,
      });
    });
    it('an answer that misses the question is replaced and marked, and both versions are recorded', async () => {
      bots.settings = guardrails(0, 0.9);
      const path = await ask('Is breakfast included in the price of the hotel room, or is a refund?');
      const { message } = (await get(path)).body;
      expect(message).toMatchObject({ content: [{ content_type: 'text', body: 'Ask the help desk.' }], guardrail: 'blocked' });
      expect(message).not.toHaveProperty('used_chunks');
      const { guardrail } = (await get(`${path}/provenance`)).body;
      expect(guardrail).toMatchObject({ verdict: 'blocked', original: null });
      const seen = await get(`${path}/provenance`, 'root', 'Admin');
      expect(seen.body.guardrail.original).toContain('A refund takes fourteen days.');
      expect(guardrail.relevance).toBeLessThan(0.9);
      await holdsNowhere('A refund takes fourteen days.');
    });
    it('a blocked answer is not streamed', async () => {
      bots.settings = guardrails(0, 0.9);
      const sent = {
        bot_id: botId,
        message: { content: [{ content_type: 'text', body: 'Is breakfast included in the price, or is a refund?' }] },
      };
      const { text } = await request(service.server)
        .post('/conversation')
        .set({ ...service.as('ann'), accept: 'text/event-stream' })
        .send(sent)
        .buffer(true)
        .parse((answer, done) => {
          let whole = '';
          answer.on('data', (part: Buffer) => (whole += part.toString()));
          answer.on('end', () => done(null, whole));
        })
        .then(({ body }) => ({ text: body as string }));
      expect(text).toContain('Ask the help desk.');
      expect(text).not.toContain('fourteen');
    });
    it('without a verdict, the reply fails', async () => {
      const guardrail_arn = 'arn:aws:bedrock:eu-west-1:123456789012:guardrail/abc';
      bots.settings = { bedrock_guardrails: { ...guardrails(0).bedrock_guardrails, guardrail_arn } };
      const { body } = await get(await ask('How long does a refund take?'));
      expect([body.status, body.error.code, body.message.content]).toEqual(['failed', 'guardrail_failed', []]);
    });
  });

  /** No file of the service has the text in plain form. */
  async function holdsNowhere(text: string): Promise<void> {
    const files = (await readdir(service.host.directory!.path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    for (const { parentPath, name } of files) {
      // A file may be replaced in the meantime.
      const content = await readFile(`${parentPath}/${name}`).catch(() => Buffer.alloc(0));
      expect([name, content.includes(text)]).toEqual([name, false]);
    }
  }
});
