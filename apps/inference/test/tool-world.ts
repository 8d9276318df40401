import type { AddressInfo } from 'node:net';
import type { ToolSource } from '@parlance/tools';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import type { CloudEvent } from '@parlance/messaging';
import { waitFor } from '@parlance/testing';
import { messageKey } from '../src/projections/messages/message-rows.ts';
import { ToolRoundsOf } from '../src/projections/messages/tool-calls.ts';
import { LEASE_MILLIS } from '../src/workflows/claiming/worker-lease.ts';
import { BotsService } from './bots-service.ts';
import { EventReader } from './event-reader.ts';
import { opened } from './opened-service.ts';
import { ScriptedModel } from './scripted-model.ts';
import { ScriptedTools } from './tools.ts';

const botId = '01K0000000000000000000000B';

export interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

// The answers of endpoints are under test, so they are not typed.
type Answered = any; // oxlint-disable-line no-explicit-any

/** A bot with tools, and the service that writes its replies. The model and the tools are scripted. */
export class ToolWorld {
  readonly model = new ScriptedModel();
  readonly bots = new BotsService();
  readonly tools = new ScriptedTools();
  readonly published: CloudEvent[] = [];
  service!: ServiceUnderTest;
  private url = '';
  private readonly inner = opened();

  async open(settings: Record<string, string> = {}): Promise<void> {
    this.model.enter();
    this.service = await serviceUnderTest(this.inner.service, settings);
    await new KeysOfUsers().enter(this.service.host);
    await this.bots.enter(this.service);
    this.bots.hasKnowledge = false;
    this.naming('never');
    (this.inner.buses.toolbox.sources as ToolSource[]).push(this.tools);
    await this.service.host.broker.subscribe({
      group: 'listener',
      topics: ['parlance.inference'],
      handle: async (deliveries) => void this.published.push(...deliveries.map(({ event }) => event)),
    });
    await new Promise<void>((resolve) => this.service.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.service.server.address() as AddressInfo).port}`;
  }

  naming(approval: 'never' | 'always' | 'writes'): void {
    this.bots.settings = { tools: ['calculator', 'knowledge_search', 'reading', 'writing'].map((name) => ({ name, approval })) };
  }

  /** Whether administrators allow users to have a memory. */
  allowMemory(allowed: boolean): void {
    Object.assign(this.inner.buses.memory, { config: { ...this.service.host.config, userMemory: allowed } });
  }

  stream(question: string): Promise<EventReader> {
    return EventReader.open(`${this.url}/conversation`, {
      ...this.posting(question),
      headers: { ...this.headers(), accept: 'text/event-stream' },
    });
  }

  resume(place: Place, lastEventId?: string): Promise<EventReader> {
    const headers = { ...this.headers(), ...(lastEventId && { 'last-event-id': lastEventId }) };
    return EventReader.open(`${this.url}${this.pathOf(place)}/stream`, { headers });
  }

  async ask(
    question: string,
    headers: Record<string, string> = {},
    more: object = {},
  ): Promise<Place & { status: number; tool_calls?: object[] }> {
    const answer = await fetch(`${this.url}/conversation`, { ...this.posting(question, more), headers: { ...this.headers(), ...headers } });
    return { ...((await answer.json()) as Place), status: answer.status };
  }

  async get(path: string, userId = 'ann'): Promise<{ status: number; body: Answered }> {
    const answer = await fetch(`${this.url}${path}`, { headers: this.headers(userId) });
    return { status: answer.status, body: (await answer.json()) as Answered };
  }

  async post(path: string, body: object, userId = 'ann'): Promise<{ status: number; body: Answered }> {
    const answer = await fetch(`${this.url}${path}`, { method: 'POST', headers: this.headers(userId), body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as Answered };
  }

  decide(place: Place, callId: string, approve: boolean, userId = 'ann') {
    return this.post(`${this.pathOf(place)}/tool-calls/${callId}`, { approve }, userId);
  }

  async finished(place: Place) {
    await waitFor(async () => (await this.get(this.pathOf(place))).status === 200, { what: 'the end of the reply' });
    return (await this.get(this.pathOf(place))).body;
  }

  /** The calls of a reply that awaits its user. */
  async awaiting(place: Place): Promise<{ call_id: string; name: string; input: object; expires_at: number }[]> {
    const read = async () => (await this.get(this.pathOf(place))).body;
    await waitFor(async () => (await read()).status === 'awaiting_approval', { what: 'the reply to await its user' });
    return (await read()).tool_calls;
  }

  /** Removes the worker of the reply without a trace, and ends its lease. */
  async kill({ message_id }: Place): Promise<void> {
    const { live } = this.inner.buses;
    live.of(message_id)?.stop('process_ends');
    await waitFor(() => live.of(message_id) === undefined, { what: 'the worker to be gone' });
    this.service.later(LEASE_MILLIS * 2);
  }

  /** The charges of a reply, each with its ID. The end of the reply has its own. */
  async charges({ conversation_id, message_id }: Place): Promise<string[]> {
    const its = () => this.published.filter(({ data }) => (data as Place).conversation_id === conversation_id);
    await waitFor(() => its().some(({ type }) => /reply-(completed|failed)/.test(type)), { what: 'the end of the reply' });
    return its().flatMap(({ type, data }) => {
      if (type.endsWith('tokens-charged.v1')) return [(data as { charge_id: string }).charge_id.replace(message_id, 'reply')];
      return type.endsWith('reply-completed.v1') ? ['end'] : [];
    });
  }

  get address(): string {
    return this.url;
  }

  /** The rows of the rounds of a reply. */
  roundsOf({ conversation_id, message_id }: Place) {
    return this.inner.buses.queries.execute(new ToolRoundsOf(messageKey(conversation_id, message_id)));
  }

  pathOf({ conversation_id, message_id }: Place): string {
    return `/conversation/${conversation_id}/${message_id}`;
  }

  /** The results in the last prompt. */
  static resultsIn(call: Awaited<ReturnType<ScriptedModel['call']>>): string[] {
    return call.prompt.turns.at(-1)!.results!.map(({ text, isError }) => `${isError ? 'error: ' : ''}${text}`);
  }

  private headers(userId = 'ann') {
    return { ...this.service.as(userId), 'content-type': 'application/json' };
  }

  private posting(body: string, more: object = {}) {
    const message = { content: [{ content_type: 'text', body }] };
    return { method: 'POST', body: JSON.stringify({ bot_id: botId, message, ...more }) };
  }
}
