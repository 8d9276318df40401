import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parlance, textOf } from '@parlance/client';
import { waitFor } from '@parlance/testing';
import { allOf } from './all-of.ts';
import { botsStory } from './bots-story.ts';
import { consoleStory } from './console-story.ts';
import { conversationsStory } from './conversation-story.ts';
import { healthStory } from './health-story.ts';
import { badInputStory, documentsStory } from './input-story.ts';
import { knowledgeStory } from './knowledge-story.ts';
import { type Chapter, type Story, peopleStory } from './people-story.ts';
import { modelsStory } from './models-story.ts';
import { otherClientsStory } from './openai-story.ts';
import { pricesStory } from './prices-story.ts';
import { publicationsStory } from './publication-story.ts';

/** A running product in any shape. */
export interface Product {
  /** The addresses of its edges. They are used in turn, because each edge must give the same answers. */
  readonly urls: readonly string[];
  readonly admin: { readonly email: string; readonly password: string };
  /** The keys of all stored files and indexes. */
  objectKeys(): Promise<readonly string[]>;
  /** The folder with all stored data. */
  readonly keeps: string;
  stop(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // The answers have no types, because the test checks their fields.
  readonly body: any; // oxlint-disable-line no-explicit-any
}

interface Circumstances {
  /** Why this shape cannot run here. It is part of the name of the suite. */
  readonly lacking?: string | null;
  readonly chapters?: readonly Chapter[];
}

/** The chapters that every shape of the product must pass. */
export const wholeStory: readonly Chapter[] = [
  badInputStory,
  documentsStory,
  peopleStory,
  botsStory,
  publicationsStory,
  otherClientsStory,
  knowledgeStory,
  conversationsStory,
  modelsStory,
  pricesStory,
  healthStory,
  consoleStory,
];

/** The story begins with a bot, a reply, its cost and its audit entry. */
export function describeStory(
  shape: string,
  start: () => Promise<Product>,
  { lacking = null, chapters = wholeStory }: Circumstances = {},
): void {
  const described = lacking === null ? describe : describe.skip;
  described(`the story, ${shape}${lacking === null ? '' : ` (${lacking})`}`, () => {
    let product: Product;
    let token: string;
    let botId: string;

    let requests = 0;
    const nextUrl = () => product.urls[requests++ % product.urls.length] as string;
    const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
      const answer = await fetch(`${nextUrl()}${path}`, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          'user-agent': 'story/1',
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
    };
    const anywhere = 'http://edge';
    const clientOf = (itsToken: string) =>
      new Parlance({
        baseUrl: anywhere,
        accessToken: itsToken,
        headers: { 'user-agent': 'story/1' },
        fetch: (url, init) => fetch(String(url).replace(anywhere, nextUrl()), init),
      });
    const until = (what: string, question: () => Promise<Answer>, enough: (answer: Answer) => boolean) => {
      const answered = async () => {
        const answer = await question();
        if (!enough(answer)) throw new Error(`The last answer was ${answer.status} ${JSON.stringify(answer.body)}`);
        return answer;
      };
      return waitFor(answered, { what });
    };

    beforeAll(async () => {
      product = await start();
    });
    afterAll(() => product?.stop());

    describe('signing in', () => {
      it('refuses a wrong password', async () => {
        const { status, body } = await ask('POST', '/auth/sign-in', { email: product.admin.email, password: 'wrong' });
        expect([status, body.code]).toEqual([401, 'wrong_credentials']);
      });
      it('refuses an unknown user with the same message', async () => {
        const wrong = await ask('POST', '/auth/sign-in', { email: product.admin.email, password: 'wrong' });
        const unknown = await ask('POST', '/auth/sign-in', { email: 'nobody@parlance.local', password: 'wrong' });
        const { request_id: _, ...one } = wrong.body;
        const { request_id: __, ...other } = unknown.body;
        expect(other).toEqual(one);
      });
      it('accepts the first Admin, with the address in any case', async () => {
        const { status, body } = await ask('POST', '/auth/sign-in', {
          email: product.admin.email.toUpperCase(),
          password: product.admin.password,
        });
        expect(status).toBe(200);
        expect(body).toMatchObject({ expires_in: 1800, user: { email: product.admin.email, groups: ['Admin'], enabled: true } });
        expect(body.user.last_sign_in_time).toBeGreaterThan(0);
        token = body.access_token;
      });
      it('returns the signed-in user', async () => {
        expect((await ask('GET', '/user/me')).body).toMatchObject({ email: product.admin.email, groups: ['Admin'] });
      });
    });

    describe('a bot', () => {
      it('is created', async () => {
        const { status, body } = await ask(
          'POST',
          '/bot',
          { title: 'Guide', instruction: 'Be brief.' },
          { 'x-request-id': 'story-create-bot' },
        );
        expect(status).toBe(201);
        expect(body).toMatchObject({ title: 'Guide', shared_scope: 'private', status: 'unshared', sync_status: 'SUCCEEDED' });
        botId = body.id;
      });
      it('can be read at once', async () => {
        expect((await ask('GET', `/bot/private/${botId}`)).body).toMatchObject({ id: botId, instruction: 'Be brief.' });
      });
      it('is not published', async () => {
        const { status, body } = await until(
          'publication to learn of the bot',
          () => ask('GET', `/bot/${botId}/publication`),
          (answer) => answer.body.code !== 'bot_not_found',
        );
        expect([status, body.code]).toEqual([404, 'not_published']);
      });
      it('can be deleted', async () => {
        const { body } = await ask('POST', '/bot', { title: 'Fleeting' });
        expect((await ask('DELETE', `/bot/${body.id}`)).status).toBe(204);
        expect((await ask('GET', `/bot/${body.id}`)).status).toBe(404);
      });
    });

    describe('talking to it', () => {
      it('gives a reply', async () => {
        const { conversations } = clientOf(token);
        const message = { content: [{ content_type: 'text' as const, body: 'What can you do?' }] };
        const { conversation_id, message_id } = await conversations.send({ bot_id: botId, message });
        const reply = await conversations.wait(conversation_id, message_id);
        expect(reply).toMatchObject({
          conversation_id,
          status: 'completed',
          message: { message_id, role: 'assistant', model: 'local-extractive' },
        });
        expect(textOf(reply.message)).toMatch(/offline model/);
      });
      it('does not use the bot of another user, or a bot that does not exist', async () => {
        const message = { content: [{ content_type: 'text', body: 'Hello?' }] };
        const { status, body } = await ask('POST', '/conversation', { bot_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', message });
        expect([status, body.code]).toEqual([404, 'bot_not_found']);
      });
      it('refuses models that it does not offer', async () => {
        const message = { content: [{ content_type: 'text', body: 'Hello?' }], model: 'gpt-unheard-of' };
        expect((await ask('POST', '/conversation', { message })).body).toMatchObject({ status: 400, code: 'model_not_available' });
      });
    });

    describe('administrators', () => {
      it('see the tokens and the cost of a reply', async () => {
        const { body } = await until(
          'the cost',
          () => ask('GET', '/admin/costs/summary'),
          // `as_of` is read before the figures, so the first answer with figures may lack it.
          (answer) => answer.body.total_input_tokens > 0 && answer.body.as_of !== null,
        );
        expect(body).toMatchObject({
          currency: 'USD',
          top_users: [{ email: product.admin.email, conversation_count: 1 }],
          top_bots: [{ bot_id: botId, title: 'Guide', user_count: 1 }],
        });
        // The prices are in deployment.ts.
        const nano = body.total_input_tokens * 500 + body.total_output_tokens * 2_000;
        expect(body.total_cost).toBe(nano / 1e9);
        expect(body.by_model).toEqual({ 'local-extractive': nano / 1e9 });
        expect(body.as_of.position).toBeGreaterThan(0);
      });
      it('see the user who created the bot, and the address of the request', async () => {
        const created = (answer: Answer) => answer.body.audit_logs.find((entry: { resource_id: string }) => entry.resource_id === botId);
        const answer = await until(
          'the audit entry',
          () => ask('GET', '/admin/audit-logs'),
          (each) => created(each) !== undefined,
        );
        const me = (await ask('GET', '/user/me')).body.user_id;
        expect(created(answer)).toMatchObject({
          user_id: me,
          action_type: 'create_bot',
          resource_type: 'bot',
          ip_address: '127.0.0.1',
          user_agent: 'story/1',
          success: true,
          error_message: null,
          details: {},
        });
      });
      it('get all entries when they page through the audit log', async () => {
        // Each read of the log adds an entry, so the test compares only entries from before its first read.
        const before = { start_time: 0, end_time: Math.floor(Date.now() / 1_000) - 1 };
        const { audit_logs: all } = await clientOf(token).api.get('/admin/audit-logs', { query: before });
        const paged = await allOf(clientOf(token).admin.auditLog({ ...before, limit: 1 }));
        // In a cluster, the entries of earlier reads may still arrive.
        const ids = new Set(all.map(({ id }) => id));
        expect(paged.filter(({ id }) => ids.has(id))).toEqual(all);
      });
    });

    const story = (): Story => ({ product, adminToken: token, clientOf, ask, until });
    for (const chapter of chapters) chapter(story);

    it('is live and ready', async () => {
      expect((await ask('GET', '/health/live')).status).toBe(200);
      expect((await ask('GET', '/health/ready')).status).toBe(200);
    });
  });
}
