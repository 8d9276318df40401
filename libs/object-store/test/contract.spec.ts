import type { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { fileFixture } from './file-store-fixture.ts';
import { objectStoreCases, type ObjectStoreFixture } from './contract.ts';
import { grantOf } from '../src/file-addresses.ts';
import { openFileDoor } from '../src/files.ts';
import { type ListedObject, ObjectStore, type PutOptions } from '../src/object-store.ts';

/** Passes every call to a correct store. Broken stores override one method. */
class Passing extends ObjectStore {
  constructor(protected readonly store: ObjectStore) {
    super();
  }
  put(key: string, body: Uint8Array | Readable, options: PutOptions) {
    return this.store.put(key, body, options);
  }
  get = (key: string) => this.store.get(key);
  stat = (key: string) => this.store.stat(key);
  remove(key: string) {
    return this.store.remove(key);
  }
  list(prefix: string, page: { after?: string; limit: number }): Promise<readonly ListedObject[]> {
    return this.store.list(prefix, page);
  }
  signedUpload: ObjectStore['signedUpload'] = (key, grant) => this.store.signedUpload(key, grant);
  signedDownload: ObjectStore['signedDownload'] = (key, grant) => this.store.signedDownload(key, grant);
  directDownload: ObjectStore['directDownload'] = (key, fileName) => this.store.directDownload(key, fileName);
  check = () => this.store.check();
  close = () => this.store.close();
}

async function failuresOf(fixture: ObjectStoreFixture): Promise<string[]> {
  const failed: string[] = [];
  try {
    for (const [index, { name, run }] of objectStoreCases.entries()) await run(fixture, `c/${index}/`).catch(() => failed.push(name));
  } finally {
    await fixture.remove();
  }
  return failed;
}

async function withStore(broken: (store: ObjectStore) => ObjectStore): Promise<string[]> {
  const fixture = await fileFixture();
  return failuresOf({ ...fixture, store: broken(fixture.store) });
}

const withDoor = async (door: typeof openFileDoor) => failuresOf(await fileFixture(door));

describe('the contract for object stores', () => {
  it('is met by a correct store', async () => expect(await withStore((store) => new Passing(store))).toEqual([]));

  it('catches a store that overwrites an object that must be absent', async () => {
    class Overwrites extends Passing {
      override put(key: string, body: Uint8Array | Readable, { ifAbsent: _, ...options }: PutOptions) {
        return super.put(key, body, options);
      }
    }
    expect(await withStore((store) => new Overwrites(store))).toEqual(
      expect.arrayContaining([
        'does not replace an object that must be absent',
        'lets one of several concurrent puts of an absent object win',
      ]),
    );
  });

  it('catches a store that checks before it writes, so that concurrent puts both win', async () => {
    class LooksFirst extends Passing {
      override async put(key: string, body: Uint8Array | Readable, { ifAbsent, ...options }: PutOptions) {
        if (ifAbsent && (await this.store.stat(key))) return false;
        return super.put(key, body, options);
      }
    }
    expect(await withStore((store) => new LooksFirst(store))).toEqual(['lets one of several concurrent puts of an absent object win']);
  });

  it('catches a store that lists in another order', async () => {
    class ListsByLocale extends Passing {
      override async list(prefix: string, page: { after?: string; limit: number }) {
        return [...(await super.list(prefix, page))].sort((one, other) => one.key.localeCompare(other.key));
      }
    }
    expect(await withStore((store) => new ListsByLocale(store))).toContain('lists by prefix, in the order of the keys, page by page');
  });

  it('catches a store that lists no time of the put', async () => {
    class ListsNoTime extends Passing {
      override async list(prefix: string, page: { after?: string; limit: number }) {
        return (await super.list(prefix, page)).map((object) => ({ ...object, modified: new Date(0) }));
      }
    }
    expect(await withStore((store) => new ListsNoTime(store))).toEqual(['lists when each object was last put']);
  });

  it('catches a store that removes all objects that begin with a key', async () => {
    class RemovesToo extends Passing {
      override async remove(key: string) {
        await super.remove(key);
        for (const { key: inner } of await super.list(`${key}/`, { limit: 100 })) await super.remove(inner);
      }
    }
    expect(await withStore((store) => new RemovesToo(store))).toEqual(['removes one object and no others']);
  });

  it('catches a store that ignores the announced size', async () => {
    class TakesAnySize extends Passing {
      override put(key: string, body: Uint8Array | Readable, { size: _, ...options }: PutOptions) {
        return super.put(key, body, options);
      }
    }
    expect(await withStore((store) => new TakesAnySize(store))).toContain(
      'stores nothing of a body that has another size than announced, or fails',
    );
  });

  it('catches a door that ignores the clock', async () =>
    expect(await withDoor((options) => openFileDoor({ ...options, now: () => 0 }))).toEqual(['refuses an address that has expired']));

  it('catches a door that accepts any content type', async () =>
    expect(
      await withDoor((options) => {
        const door = openFileDoor(options);
        return (request) => door({ ...request, headers: { ...request.headers, 'content-type': request.query.get('type') ?? '' } });
      }),
    ).toEqual(['refuses an upload with another content type than the signed one']));

  it('catches a door that does not check signatures', async () =>
    expect(
      await withDoor((options) => {
        const door = openFileDoor(options);
        return async (request) => {
          if (request.method === 'GET' || grantOf(options.secret, request.method, request.path, request.query)) return door(request);
          await options.store.keep(request.path.slice('/files/'.length), request.body, { contentType: 'text/plain' });
          return { status: 200, headers: {}, body: null };
        };
      }),
    ).toEqual(
      expect.arrayContaining([
        'refuses an upload whose signature is missing, changed or from another address',
        'refuses an upload to another key than the signed one',
      ]),
    ));
});
