import { firstIdAt, newId } from '@parlance/event-store';
import type { ServiceUnderTest } from '@parlance/foundation/harness';
import { topicOf } from '@parlance/messaging';
import { waitFor } from '@parlance/testing';
import { fastify } from 'fastify';
import request from 'supertest';

const usage = { input_tokens: 10, output_tokens: 5, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };

export interface TestMessage {
  readonly message_id: string;
  readonly role: 'user' | 'assistant';
  readonly content: readonly { readonly content_type: 'text'; readonly body: string }[];
  readonly parent: string | null;
  feedback?: { readonly thumbs_up: boolean; readonly comment: string | null };
}

interface AskedMessages {
  readonly from: number;
  readonly to: number;
  readonly conversations: readonly { readonly conversation_id: string; readonly after?: string }[];
}

/** An ID that was created at a given time. */
export const idAt = (millis: number): string => firstIdAt(millis) + newId().slice(-16);

/** Replaces inference: it publishes what happens in conversations, and answers their content page by page. */
export class ExportedConversations {
  /** How many times each page was requested. */
  asked = 0;
  /** The retention rule for exports. */
  rule: { readonly rule_id: string; readonly days: number } | null = null;
  /** Called before each answer. */
  before: () => Promise<void> = async () => {};
  private readonly messages = new Map<string, TestMessage[]>();
  private position = 0;

  constructor(
    private readonly service: ServiceUnderTest,
    private readonly pageOf = 2,
  ) {}

  /** Exports are written from here on. The service has read all earlier events, so no export is partial. */
  async enter(): Promise<void> {
    const unread = async () => {
      const { body } = await request(this.service.server).get('/internal/health').set(this.service.asService('analytics'));
      return body.events_behind as number;
    };
    await waitFor(async () => (await unread()) === 0, { what: 'the conversations to be read' });
    const inference = fastify();
    inference.post<{ Body: AskedMessages }>('/internal/exports/messages', async ({ body: { from, to, conversations } }) => {
      this.asked++;
      await this.before();
      return {
        conversations: conversations.slice(0, 2).map(({ conversation_id, after = '' }) => {
          const known = this.messages.get(conversation_id);
          const isIn = ({ message_id: id }: TestMessage) => id >= firstIdAt(from) && id < firstIdAt(to) && id > after;
          const left = (known ?? []).filter(isIn).sort((one, other) => (one.message_id < other.message_id ? -1 : 1));
          const messages = left.slice(0, this.pageOf);
          const next = left.length > messages.length ? messages.at(-1)!.message_id : null;
          return { conversation_id, create_time: known ? 1_700_000_000.5 : null, messages, next };
        }),
      };
    });
    inference.get('/internal/retention/exports', async () => ({ rule: this.rule }));
    await this.service.host.local.enter('inference', inference);
  }

  /** A message and its reply at a moment. Returns the ID of the reply. */
  async talk(conversation_id: string, user_id: string, at: number, text: string, nanoDollars = 1_000_000): Promise<string> {
    const [message_id, reply_id] = [idAt(at), idAt(at)];
    const part = (body: string) => [{ content_type: 'text' as const, body }];
    const messages = this.messages.get(conversation_id) ?? [];
    messages.push({ message_id, role: 'user', content: part(text), parent: null });
    messages.push({ message_id: reply_id, role: 'assistant', content: part(`Reply to ${text}`), parent: message_id });
    this.messages.set(conversation_id, messages);
    const place = { conversation_id, reply_id, user_id, bot_id: null, model: 'm' };
    await this.hear('message-submitted', conversation_id, { ...place, message_id }, at);
    await this.hear('reply-completed', conversation_id, { ...place, usage, cost_nano_dollars: nanoDollars }, at);
    return reply_id;
  }

  async rate(conversation_id: string, user_id: string, reply_id: string, comment: string): Promise<void> {
    const reply = this.messages.get(conversation_id)!.find(({ message_id }) => message_id === reply_id)!;
    reply.feedback = { thumbs_up: false, comment };
    const rating = { thumbs_up: false, category: 'wrong', has_comment: true };
    await this.hear('feedback-given', conversation_id, { conversation_id, reply_id, user_id, bot_id: null, ...rating });
  }

  /** Stops returning the content of a conversation. The event is a separate step. */
  forget(conversation_id: string): void {
    this.messages.delete(conversation_id);
  }

  async delete(conversation_id: string, user_id: string): Promise<void> {
    this.forget(conversation_id);
    await this.hear('conversation-deleted', conversation_id, { conversation_id, user_id, bot_id: null, because: 'deleted', messages: 2 });
  }

  /** Publishes an event like `hear` of the service, with a time in the past. */
  async hear(name: string, conversationId: string, data: object, at = Date.now()): Promise<void> {
    const type = `parlance.inference.${name}.v1`;
    const key = `conversation-${conversationId}`;
    const publisher = await this.service.host.broker.publisher('test.inference');
    const event = {
      specversion: '1.0' as const,
      id: newId(),
      source: '/inference',
      type,
      subject: key,
      time: new Date(at).toISOString(),
      datacontenttype: 'application/json' as const,
      sequence: `${++this.position}.0`,
      actor: 'somebody',
      actorip: '203.0.113.9',
      data,
    };
    await publisher.send([{ topic: topicOf(type), key, event }]);
    await publisher.close();
  }
}

/** An administrator's requests to the exports. */
export function exportsOf(service: ServiceUnderTest) {
  const admin = () => service.as('root', 'Admin');
  const query = (sql: string, days?: number) =>
    request(service.server)
      .post('/admin/exports/query')
      .set(admin())
      .send({ sql, ...(days !== undefined && { days }) });
  return {
    query,
    rows: async (sql: string): Promise<unknown[][]> => (await query(sql)).body.rows,
    list: async (kind = 'hour') => (await request(service.server).get(`/admin/exports?kind=${kind}`).set(admin())).body.exports,
    get: (hour: string) => request(service.server).get(`/admin/exports/${hour}`).set(admin()),
  };
}
