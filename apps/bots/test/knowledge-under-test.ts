import { readdir, truncate } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { newId } from '@parlance/event-store';
import { ObjectStore } from '@parlance/object-store';
import { KnowledgeIndexes } from '@parlance/retrieval';
import { waitFor } from '@parlance/testing';
import type { Answer, BotsUnderTest } from './bots-under-test.ts';

/** Uploads, runs and searches of the bots service, for specs. */
export class KnowledgeUnderTest {
  constructor(private readonly bots: BotsUnderTest) {}

  /** Uploads a file as a client of the signed address would, without a network. */
  async upload(userId: string, botId: string, name: string, content: string | Buffer, type = 'text/plain'): Promise<void> {
    const query = new URLSearchParams({ filename: name, content_type: type });
    const { status, body } = await this.bots.get(`/bot/${botId}/presigned-url?${query}`, this.bots.creator(userId));
    if (status !== 200) throw new Error(`upload: ${status} ${JSON.stringify(body)}`);
    await this.objects.put(keyOf(body.url), Buffer.from(content), { contentType: type });
  }

  get objects(): ObjectStore {
    return this.bots.app.get(ObjectStore);
  }

  async keys(prefix = 'knowledge/'): Promise<readonly string[]> {
    return (await this.objects.list(prefix, { limit: 1_000 })).map(({ key }) => key);
  }

  /** A bot with these files, whose run has ended. */
  async botWith(userId: string, files: Readonly<Record<string, string>>): Promise<string> {
    const id = newId();
    for (const [name, content] of Object.entries(files)) await this.upload(userId, id, name, content);
    await this.bots.create(userId, { id, knowledge: { filenames: Object.keys(files) } });
    await this.settled(userId, id);
    return id;
  }

  async indexesOf(botId: string): Promise<readonly object[]> {
    return (await this.bots.app.get(KnowledgeIndexes).list({ botId, generation: '-' }, 10)).filter(({ name }) => name.botId === botId);
  }

  /** As a disk does that loses the end of a file. */
  async damageIndex(botId: string): Promise<void> {
    const directory = join(this.bots.service.host.directory!.knowledge, 'files', botId);
    for (const name of await readdir(directory)) await truncate(join(directory, name), 5_000);
  }

  run(userId: string, botId: string): Promise<Answer> {
    return this.bots.get(`/bot/${botId}/knowledge/sync`, this.bots.service.as(userId));
  }

  /** Waits until no run is in progress or waiting. */
  async settled(userId: string, botId: string): Promise<Answer['body']> {
    let last: Answer | undefined;
    const isSettled = async () => {
      last = await this.run(userId, botId);
      return !['QUEUED', 'RUNNING'].includes(last.body.sync_status);
    };
    await waitFor(isSettled, { what: 'the run to end' });
    return last!.body;
  }

  save(userId: string, botId: string, body: object): Promise<Answer> {
    return this.bots.ask('PATCH', `/bot/${botId}`, this.bots.service.as(userId), body);
  }

  async search(userId: string, botId: string, query: string, more: object = {}): Promise<Answer> {
    return this.bots.ask('POST', `/bot/${botId}/knowledge/search`, this.bots.service.as(userId), { query, ...more });
  }

  /** Names of the sources that a search finds. */
  async found(userId: string, botId: string, query: string): Promise<readonly string[]> {
    const { status, body } = await this.search(userId, botId, query);
    if (status !== 200) throw new Error(`search: ${status} ${JSON.stringify(body)}`);
    return body.results.map(({ source }: { source: string }) => source);
  }

  /** A retrieval as inference requests it. */
  retrieve(userId: string, botId: string, query: string, ...groups: string[]): Promise<Answer> {
    return this.bots.ask('POST', `/internal/bots/${botId}/retrieve`, this.bots.onBehalfOf(userId, ...groups), { query });
  }
}

const keyOf = (url: string) => new URL(url).pathname.replace(/^\/files\//, '');

/** A web site on this machine. */
export async function webSite(answer: RequestListener): Promise<{ readonly url: string; readonly server: Server; stop(): Promise<void> }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url, server, stop };
}
