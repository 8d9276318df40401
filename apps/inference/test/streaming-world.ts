import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import { inference } from '../src/service.ts';
import { EventReader } from './event-reader.ts';
import { ScriptedModel } from './scripted-model.ts';

export interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

/** The service on a port, with a scripted model, for readers of streams. */
export class StreamingWorld {
  readonly model = new ScriptedModel();
  service!: ServiceUnderTest;
  url = '';

  async start(): Promise<void> {
    this.model.enter();
    this.service = await serviceUnderTest(inference);
    await new Promise<void>((resolve) => this.service.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.service.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await this.service.stop();
    jest.restoreAllMocks();
  }

  readonly headers = (userId = 'ann') => ({ ...this.service.as(userId), 'content-type': 'application/json' });

  readonly post = (body: string, more: Record<string, string> = {}, fields: object = {}) =>
    fetch(`${this.url}/conversation`, { method: 'POST', headers: { ...this.headers(), ...more }, body: bodyOf(body, fields) });

  readonly stream = (body: string, fields: object = {}) =>
    EventReader.open(`${this.url}/conversation`, {
      method: 'POST',
      headers: { ...this.headers(), accept: 'text/event-stream' },
      body: bodyOf(body, fields),
    });

  readonly pathOf = ({ conversation_id, message_id }: Place, rest = '') =>
    `${this.url}/conversation/${conversation_id}/${message_id}${rest}`;

  readonly read = async (place: Place) => {
    const answer = await fetch(this.pathOf(place), { headers: this.headers() });
    // The answers of endpoints are under test, so they are not typed.
    return { status: answer.status, body: (await answer.json()) as any }; // oxlint-disable-line no-explicit-any
  };

  readonly finished = async (place: Place) => {
    await waitFor(async () => (await this.read(place)).status === 200, { what: 'the reply' });
    return (await this.read(place)).body;
  };

  readonly begun = async (question: string, ...texts: string[]) => {
    const reader = await this.stream(question);
    const call = (await this.model.call(question)).say(...texts);
    await reader.until('the first text', () => reader.text === texts.join(''));
    return { reader, call, place: reader.events[0]!.data as Place };
  };
}

const bodyOf = (body: string, more: object = {}) => JSON.stringify({ message: { content: [{ content_type: 'text', body }] }, ...more });
