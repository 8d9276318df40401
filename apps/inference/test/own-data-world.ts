import { Instant, type Refusal, refuse } from '@parlance/decider';
import { type CallerStatement, STATEMENT_HEADER } from '@parlance/http';
import type { Service } from '@parlance/foundation';
import { newId } from '@parlance/event-store';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { ObjectStore } from '@parlance/object-store';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { EndOwnExportsWhenTheyExpire } from '../src/policies/end-own-exports-when-they-expire.ts';
import { OwnDataArchive } from '../src/workflows/own-data/own-data-archive.ts';
import { WritingOwnExports } from '../src/workflows/own-data/writing-own-exports.ts';
import { type Buses, opened } from './opened-service.ts';
import { unzipped } from './unzipped.ts';

type Local = Parameters<ServiceUnderTest['host']['local']['enter']>[1];

export interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

export interface Bot {
  readonly bot_id: string;
  readonly yaml: string;
}

interface Parts {
  writing: WritingOwnExports;
  ending: EndOwnExportsWhenTheyExpire;
  objects: ObjectStore;
  data: OwnDataArchive;
}

/** The service with users who export their data, and stand-ins for bots, analytics and identity. */
export class OwnDataWorld {
  /** Bots by user. Each page has one. */
  readonly bots = new Map<string, readonly Bot[]>();
  readonly prompts = new Map<string, readonly { readonly id: string }[]>();
  readonly usage = new Map<string, readonly object[]>();
  readonly strangers = new Set<string>();
  isBotsAway = false;
  /** Runs when bots are requested, which is while an export is written. */
  meanwhile: (() => Promise<unknown>) | null = null;

  private constructor(
    readonly service: ServiceUnderTest,
    readonly buses: Buses,
    readonly parts: Parts,
    readonly keys: KeysOfUsers,
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<OwnDataWorld> {
    const { service: inference, buses } = opened();
    const parts = {} as Parts;
    const grab = {
      provide: 'own data',
      inject: [WritingOwnExports, EndOwnExportsWhenTheyExpire, ObjectStore, OwnDataArchive],
      useFactory: (writing: WritingOwnExports, ending: EndOwnExportsWhenTheyExpire, objects: ObjectStore, data: OwnDataArchive) =>
        Object.assign(parts, { writing, ending, objects, data }),
    };
    const module: Service['module'] = async (host) => {
      const inner = await inference.module(host);
      return { ...inner, providers: [...inner.providers!, grab] };
    };
    const service = await serviceUnderTest({ ...inference, module }, settings);
    const keys = new KeysOfUsers();
    await keys.enter(service.host);
    const world = new OwnDataWorld(service, buses, parts, keys);
    await world.enterOthers();
    return world;
  }

  call(userId: string, method: 'get' | 'post' | 'delete' | 'put', path: string, ...groups: string[]) {
    const sending = request(this.service.server)[method](path);
    return sending.set(this.service.as(userId, ...groups));
  }

  async say(userId: string, content: readonly object[], more: object = {}): Promise<Place> {
    const { status, body } = await this.call(userId, 'post', '/conversation').send({ message: { content }, ...more });
    if (status !== 202) throw new Error(`the message was answered with ${status} ${body.code}`);
    const { conversation_id, message_id } = body as Place;
    await waitFor(async () => (await this.call(userId, 'get', `/conversation/${conversation_id}/${message_id}`)).status === 200, {
      what: 'the reply',
    });
    return { conversation_id, message_id };
  }

  /** A call of a model by a program, with a token of the user. */
  async modelCall(userId: string, tokenId: string): Promise<void> {
    const sent = request(this.service.server).post('/v1/chat/completions').set(this.service.asModelsToken(tokenId, userId));
    const { status } = await sent.send({ model: 'local-extractive', messages: [{ role: 'user', content: 'Hello?' }] });
    if (status !== 200) throw new Error(`the call was answered with ${status}`);
  }

  /** The ID of a response that a program of the user has stored. */
  async storedResponse(userId: string, input: string): Promise<string> {
    const sent = request(this.service.server).post('/v1/responses').set(this.service.asModelsToken(newId(), userId));
    const { status, body } = await sent.send({ model: 'local-extractive', input, store: true });
    if (status !== 200) throw new Error(`the call was answered with ${status}`);
    return body.id as string;
  }

  /** Creates a batch of calls of models. Resolves with its ID. */
  async createBatch(userId: string, fileId: string, metadata: object): Promise<string> {
    const sent = request(this.service.server).post('/v1/batches').set(this.service.asModelsToken(newId(), userId));
    const its = { input_file_id: `file-${fileId}`, endpoint: '/v1/embeddings', completion_window: '24h', metadata };
    const { status, body } = await sent.send(its);
    if (status !== 200) throw new Error(`the batch was answered with ${status}`);
    return (body.id as string).slice('batch_'.length);
  }

  /** Stores a file for calls of models. Resolves with its ID. */
  async storeFile(userId: string, name: string, content: string): Promise<string> {
    const sent = request(this.service.server).post('/v1/files').set(this.service.asModelsToken(newId(), userId));
    const { status, body } = await sent.field('purpose', 'batch').attach('file', Buffer.from(content), name);
    if (status !== 200) throw new Error(`the file was answered with ${status}`);
    return (body.id as string).slice('file-'.length);
  }

  async ask(userId: string): Promise<string> {
    const { status, body } = await this.call(userId, 'post', '/user/me/export');
    if (status !== 202) throw new Error(`the export was answered with ${status} ${body.code}`);
    return body.export_id as string;
  }

  async ready(userId: string, exportId: string): Promise<{ url: string; [field: string]: unknown }> {
    const path = `/user/me/exports/${exportId}`;
    await waitFor(async () => (await this.call(userId, 'get', path)).body.status === 'ready', { what: 'the export' });
    return (await this.call(userId, 'get', path)).body;
  }

  /** Checks all files, wherever the last sweep has ended. */
  async sweep(): Promise<void> {
    for (let look = 0; look < 3; look++) await this.parts.ending.sweep();
  }

  /** The keys of files of exports in the object store. */
  async stored(): Promise<readonly string[]> {
    return (await this.parts.objects.list('own-exports/', { limit: 100 })).map(({ key }) => key);
  }

  /** The archive that is stored for an export. */
  async bytes(exportId: string): Promise<Buffer> {
    const key = (await this.stored()).find((each) => each.includes(`/${exportId}.`))!;
    const chunks: Buffer[] = [];
    for await (const chunk of (await this.parts.objects.get(key))!.body) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  /** The files of the archive that is stored for an export. */
  async archive(exportId: string): Promise<Map<string, Buffer>> {
    return unzipped(await this.bytes(exportId));
  }

  async exported(userId: string): Promise<Map<string, Buffer>> {
    const id = await this.ask(userId);
    await this.ready(userId, id);
    return this.archive(id);
  }

  async erase(user_id: string): Promise<Record<string, number>> {
    await this.keys.erase(user_id);
    return (await request(this.service.server).post('/internal/erasures').set(this.service.asService('identity')).send({ user_id })).body
      .removed;
  }

  /** The public events about exports of a user: their types and data. */
  async publishedEventsOf(userId: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
    return (await this.service.published())
      .filter(({ type, data }) => type.includes('own-export') && data['user_id'] === userId)
      .map(({ type, data }) => ({ type, data }));
  }

  private async enterOthers(): Promise<void> {
    const { host } = this.service;
    type Call = { url: string; headers: Record<string, string>; payload?: string };
    const serving = (answer: (url: URL, caller: CallerStatement, body: Record<string, string>) => object | null, other?: Local): Local =>
      ({
        ready: async () => undefined,
        inject: async (call: Call) => {
          const caller = host.statements.verify(call.headers[STATEMENT_HEADER], Instant.ofMillis(Date.now()))!;
          try {
            if (call.url.endsWith('/exported')) await this.meanwhile?.();
            const body = answer(new URL(call.url, 'http://service'), caller, JSON.parse(call.payload ?? '{}'));
            return body ? answered(200, body) : await (other as unknown as { inject(call: Call): Promise<object> }).inject(call);
          } catch (error) {
            const { code, message, kind } = error as Refusal;
            return answered(kind === 'missing' ? 404 : 503, { code, detail: message }, 'application/problem+json');
          }
        },
      }) as unknown as Local;
    await host.local.enter(
      'bots',
      serving(({ pathname }, __, { user_id, after }) => {
        if (this.isBotsAway) throw refuse('unavailable', 'service_unavailable', 'The bots cannot be read now.');
        if (pathname === '/internal/prompts/exported') {
          const prompts = (this.prompts.get(user_id!) ?? []).filter(({ id }) => after === undefined || id > after);
          return { prompts: prompts.slice(0, 1), next: prompts.length > 1 ? prompts[0]!.id : null };
        }
        const left = (this.bots.get(user_id!) ?? []).filter(({ bot_id }) => after === undefined || bot_id > after);
        return { bots: left.slice(0, 1), next: left.length > 1 ? left[0]!.bot_id : null };
      }),
    );
    await host.local.enter(
      'analytics',
      serving(({ searchParams }, { sub }) => {
        const days = (this.usage.get(sub!) ?? []) as { date: string }[];
        return { daily: days.filter(({ date }) => date.startsWith(searchParams.get('period')!)) };
      }),
    );
    const account = ({ pathname }: URL, { sub }: CallerStatement) => {
      if (pathname !== '/user/me') return null;
      if (this.strangers.has(sub!)) throw refuse('missing', 'user_not_found', 'There is no such user.');
      return { groups: [], enabled: true };
    };
    await host.local.enter('identity', serving(account, host.local.named('identity')));
  }
}

/** The paths of the conversations in an archive, in the form for programs. */
export const conversationsIn = (archive: Map<string, Buffer>): readonly string[] =>
  [...archive.keys()].filter((path) => /^conversations\/.*\.json$/.test(path));

const answered = (statusCode: number, body: object, type = 'application/json') => ({
  statusCode,
  headers: { 'content-type': type },
  payload: JSON.stringify(body),
});
