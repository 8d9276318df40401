import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import type { Service } from '@parlance/foundation';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { ConversationShares } from '../../src/workflows/shares/conversation-shares.ts';
import { SharedConversations } from '../../src/workflows/shares/shared-conversations.ts';
import { filesWith } from '../files-with.ts';
import { attachment, text } from '../files.ts';
import { type Buses, opened } from '../opened-service.ts';

export interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

/** The answer to a request that shares a conversation. */
export interface Shared {
  readonly share_id: string;
  readonly conversation_id: string;
  readonly url: string;
}

export const pathOf = ({ url }: Shared): string => new URL(url).pathname;

/** The service, with conversations that their users share. */
export class SharedWorld {
  readonly keys = new KeysOfUsers();

  private constructor(
    readonly service: ServiceUnderTest,
    readonly buses: Buses,
    /** Reads whether public links are allowed. */
    private readonly readers: readonly object[],
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<SharedWorld> {
    const { service: inference, buses } = opened();
    const readers: object[] = [];
    const grab = {
      provide: 'readers',
      inject: [SharedConversations, ConversationShares],
      useFactory: (...its: object[]) => readers.push(...its),
    };
    const module: Service['module'] = async (host) => {
      const inner = await inference.module(host);
      return { ...inner, providers: [...inner.providers!, grab] };
    };
    const service = await serviceUnderTest({ ...inference, module }, { PARLANCE_ALLOW_PUBLIC_LINKS: 'true', ...settings });
    const world = new SharedWorld(service, buses, readers);
    await world.keys.enter(world.service.host);
    return world;
  }

  /** With null there is no caller. */
  call(userId: string | null, method: 'get' | 'post' | 'delete', path: string, ...groups: string[]) {
    const sending = request(this.service.server)[method](path);
    return userId === null ? sending : sending.set(this.service.as(userId, ...groups));
  }

  async say(
    userId: string,
    body: string,
    more: { conversation_id?: string; bot_id?: string; parent?: string; file?: Buffer } = {},
  ): Promise<Place> {
    const { parent: parent_message_id, file, ...where } = more;
    const content = [text(body), ...(file ? [attachment('report.txt', file)] : [])];
    const { body: place, status } = await this.call(userId, 'post', '/conversation').send({
      ...where,
      message: { content, parent_message_id },
    });
    if (status !== 202) throw new Error(`the message was answered with ${status} ${place.code}`);
    const path = `/conversation/${place.conversation_id}/${place.message_id}`;
    await waitFor(async () => (await this.call(userId, 'get', path)).status === 200, { what: 'the reply' });
    return place as Place;
  }

  async share(userId: string, { conversation_id }: Pick<Place, 'conversation_id'>, terms: object = {}): Promise<Shared> {
    const { status, body } = await this.post(userId, conversation_id, terms);
    if (status !== 201) throw new Error(`sharing was answered with ${status} ${body.code}`);
    return body as Shared;
  }

  post(userId: string, conversationId: string, terms: object = {}) {
    return this.call(userId, 'post', `/conversation/${conversationId}/shares`).send({ audience: 'signed_in', ...terms });
  }

  /** The share as a caller sees it. */
  read(shared: Shared, userId: string | null = 'ben', query = '') {
    return this.call(userId, 'get', `${pathOf(shared)}${query}`);
  }

  revoke(userId: string, { conversation_id, share_id }: Shared) {
    return this.call(userId, 'delete', `/conversation/${conversation_id}/shares/${share_id}`);
  }

  /** The workflow that shares, for requests that were already running. */
  get sharing(): ConversationShares {
    return this.readers.find((reader) => reader instanceof ConversationShares)!;
  }

  async erase(user_id: string): Promise<Record<string, number>> {
    await this.keys.erase(user_id);
    return (await request(this.service.server).post('/internal/erasures').set(this.service.asService('identity')).send({ user_id })).body
      .removed;
  }

  /** Switches public links on or off, as a changed configuration does. */
  allowPublicLinks(allowed: boolean): void {
    for (const reader of this.readers) Object.assign(reader, { config: { ...this.service.host.config, allowPublicLinks: allowed } });
  }

  /** The public events about the shares of a user: their types and data. */
  async publishedEventsOf(userId: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
    return (await this.service.published())
      .filter(({ type, data }) => type.includes('share') && data['user_id'] === userId)
      .map(({ type, data }) => ({ type, data }));
  }

  /** The files of the data directory that contain a text, in either common encoding. */
  filesWith(words: string): Promise<string[]> {
    return filesWith(this.service.host.config.dataDir, words);
  }
}
