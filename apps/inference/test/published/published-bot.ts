import type { AddressInfo } from 'node:net';
import { newId } from '@parlance/event-store';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import OpenAI from 'openai';
import { BotsService } from '../bots-service.ts';
import { type Buses, opened } from '../opened-service.ts';
import { ScriptedModel } from '../scripted-model.ts';

/** A published bot of ann, served over HTTP. Its requests have the statement of the edge, as if the edge had checked a key. */
export class PublishedBot {
  readonly model = new ScriptedModel();
  readonly bots = new BotsService();
  readonly botId = newId();
  readonly apiId = newId();
  service!: ServiceUnderTest;
  buses!: Buses;
  private origin = '';

  async start(settings: Readonly<Record<string, string>> = {}): Promise<this> {
    this.model.enter();
    const { service, buses } = opened();
    this.service = await serviceUnderTest(service, settings);
    this.buses = buses;
    await this.bots.enter(this.service);
    await new Promise<void>((resolve) => this.service.server.listen(0, '127.0.0.1', resolve));
    this.origin = `http://127.0.0.1:${(this.service.server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    await this.service.stop();
  }

  get endpoint(): string {
    return `${this.origin}/published/${this.apiId}/api`;
  }

  /** `fetch` of a client with a key of this API, or of another API of the same owner. */
  as(apiId = this.apiId, keyId = 'key-1'): typeof fetch {
    return (input, init) => {
      const headers = new Headers(init?.headers);
      const stated = this.service.asApi('ann', { apiId, botId: this.botId, keyId });
      for (const [name, value] of Object.entries(stated)) headers.set(name, value);
      return fetch(input, { ...init, headers });
    };
  }

  openai(its: { readonly fetch?: typeof fetch } = {}): OpenAI {
    return new OpenAI({ apiKey: 'prl_test', baseURL: `${this.endpoint}/v1`, maxRetries: 0, fetch: its.fetch ?? this.as() });
  }
}
