import type { AddressInfo } from 'node:net';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import type { CloudEvent } from '@parlance/messaging';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { BotsService } from '../bots-service.ts';
import { EventReader } from '../event-reader.ts';
import { opened } from '../opened-service.ts';

export interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

const botId = '01K0000000000000000000000B';
/** Two publications of ann, and their keys. */
export const firstApi = { apiId: '01k0000000000000000000000a', botId, keyId: '01K0000000000000000000000K' };
export const otherApi = { apiId: '01k0000000000000000000000c', botId: '01K0000000000000000000000C', keyId: '01K000000000000000000000K2' };

/** A program with the key of a published bot of ann. */
export class PublishedWorld {
  readonly bots = new BotsService();
  readonly keys = new KeysOfUsers();
  readonly published: CloudEvent[] = [];
  readonly inner = opened();
  service!: ServiceUnderTest;
  private url = '';

  async open(settings: Record<string, string> = {}): Promise<void> {
    this.service = await serviceUnderTest(this.inner.service, settings);
    await this.keys.enter(this.service.host);
    await this.bots.enter(this.service);
    await this.service.host.broker.subscribe({
      group: 'listener',
      topics: ['parlance.inference'],
      handle: async (deliveries) => void this.published.push(...deliveries.map(({ event }) => event)),
    });
    await new Promise<void>((resolve) => this.service.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.service.server.address() as AddressInfo).port}`;
  }

  pathOf(api: typeof firstApi, rest: string): string {
    return `/published/${api.apiId}/api${rest}`;
  }

  /** A call of a program, to the first API by default. */
  async call(method: Method, rest: string, body?: object, headers: Record<string, string> = {}, api = firstApi, owner = 'ann') {
    const sending = request(this.service.server)[method](this.pathOf(api, rest)).set(this.service.asApi(owner, api)).set(headers);
    return body ? sending.send(body) : sending;
  }

  /** A call of a user. */
  async own(method: Method, path: string, body?: object, userId = 'ann') {
    const sending = request(this.service.server)[method](path).set(this.service.as(userId));
    return body ? sending.send(body) : sending;
  }

  async asAdmin(method: Method, path: string, body?: object) {
    const sending = request(this.service.server)[method](path).set(this.service.as('root', 'Admin'));
    return body ? sending.send(body) : sending;
  }

  async post(text: string, more: object = {}, api = firstApi): Promise<Place> {
    const { status, body } = await this.call('post', '/conversation', { message: message(text), ...more }, {}, api);
    if (status !== 202) throw new Error(`answered ${status} ${JSON.stringify(body)}`);
    return body as Place;
  }

  async finished({ conversation_id, message_id }: Place, api = firstApi) {
    const read = () => this.call('get', `/conversation/${conversation_id}/${message_id}`, undefined, {}, api);
    await waitFor(async () => (await read()).status === 200, { what: 'the reply' });
    return (await read()).body;
  }

  /** A finished exchange. */
  async say(text: string, more: object = {}, api = firstApi): Promise<Place> {
    const place = await this.post(text, more, api);
    await this.finished(place, api);
    return place;
  }

  stream(rest: string, init: RequestInit = {}, api = firstApi): Promise<EventReader> {
    const headers = {
      ...this.service.asApi('ann', api),
      accept: 'text/event-stream',
      ...(init.body ? { 'content-type': 'application/json' } : {}),
    };
    return EventReader.open(`${this.url}${this.pathOf(api, rest)}`, { ...init, headers: { ...headers, ...(init.headers as object) } });
  }

  /** The public events of a conversation, when its last reply has ended. */
  async publishedEventsOf({ conversation_id, message_id }: Place): Promise<readonly CloudEvent[]> {
    const its = () => this.published.filter(({ data }) => (data as Place).conversation_id === conversation_id);
    const isEnd = ({ type, data }: CloudEvent) =>
      /reply-(completed|failed)/.test(type) && (data as { reply_id: string }).reply_id === message_id;
    await waitFor(() => its().some(isEnd), { what: 'the event of the reply' });
    return its();
  }
}

export const message = (body: string, more: object = {}) => ({ content: [{ content_type: 'text', body }], ...more });
