import { deepStrictEqual, notDeepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from '@jest/globals';
import { LocalMasterKey, type MasterKey, WrongMasterKey } from '../src/master/master-key.ts';
import type { SubjectKeysOptions } from '../src/stored-subject-keys.ts';
import { type KeyCompanion, KeyTaken, Shredded, type SubjectKey, type SubjectKeys, SubjectMoved } from '../src/subject-keys.ts';
import { Vault } from '../src/vault.ts';

/** One database of keys. A case may open it several times, always with the stored data. */
export interface KeyFixture {
  open(master: MasterKey, options?: SubjectKeysOptions): Promise<SubjectKeys>;
  /** Runs companions in one transaction. An error of one of them rolls it back. */
  commit(companions: readonly KeyCompanion[]): Promise<void>;
  /** Closes and reopens the database, as a restart does. */
  restart(): Promise<void>;
  remove(): Promise<void>;
}

export interface KeyCase {
  readonly name: string;
  run(fixture: KeyFixture): Promise<void>;
}

const aKey = () => new LocalMasterKey(randomBytes(32));
const bytesOf = (key: SubjectKey | null) => key && Buffer.from(key.bytes()).toString('hex');
const user = { id: 'user:1' };
const talk = { id: 'conversation:1', within: 'user:1' };
const otherTalk = { id: 'conversation:2', within: 'user:2' };

/** The cases that every store of subject keys must pass. They are plain functions, so that they can also test stores that are broken on purpose. */
export const subjectKeysCases: readonly KeyCase[] = [
  {
    name: 'makes a key once and finds it again',
    async run(fixture) {
      const keys = await fixture.open(aKey());
      strictEqual(await keys.find('user:1'), null);
      const made = await keys.obtain(user);
      strictEqual(made.bytes().length, 32);
      strictEqual(bytesOf(await keys.obtain(user)), bytesOf(made));
      strictEqual(bytesOf(await keys.find('user:1')), bytesOf(made));
    },
  },
  {
    name: 'gives each subject its own key',
    async run(fixture) {
      const keys = await fixture.open(aKey());
      notDeepStrictEqual(bytesOf(await keys.obtain(user)), bytesOf(await keys.obtain({ id: 'user:2' })));
    },
  },
  {
    name: 'gives concurrent callers the same new key',
    async run(fixture) {
      const master = aKey();
      const keepers = await Promise.all([fixture.open(master), fixture.open(master), fixture.open(master)]);
      const racers = Array.from({ length: 24 }, (_, racer) => keepers[racer % keepers.length]!.obtain(talk));
      const obtained = (await Promise.all(racers)).map(bytesOf);
      strictEqual(new Set(obtained).size, 1);
      strictEqual(bytesOf(await keepers[0]!.find(talk.id)), obtained[0]);
    },
  },
  {
    name: 'keeps keys across a restart',
    async run(fixture) {
      const master = aKey();
      const before = bytesOf(await (await fixture.open(master)).obtain(talk));
      await fixture.restart();
      strictEqual(bytesOf(await (await fixture.open(master)).find(talk.id)), before);
    },
  },
  {
    name: 'prepares a key that its companions store, or stores it at once',
    async run(fixture) {
      const master = aKey();
      const keys = await fixture.open(master);
      const { key, companions } = await keys.prepare(talk);
      deepStrictEqual(key.within, ['user:1']);
      if (companions.length > 0) strictEqual(await keys.find(talk.id), null);
      await fixture.commit(companions);
      const again = await keys.prepare(talk);
      deepStrictEqual([bytesOf(again.key), again.companions], [bytesOf(key), []]);
      strictEqual(bytesOf(await keys.find(talk.id)), bytesOf(key));
      await fixture.restart();
      strictEqual(bytesOf(await (await fixture.open(master)).obtain(talk)), bytesOf(key));
    },
  },
  {
    name: 'prepares the same key for all callers before it is stored',
    async run(fixture) {
      const keys = await fixture.open(aKey());
      const prepared = await Promise.all(Array.from({ length: 8 }, () => keys.prepare(talk)));
      strictEqual(new Set(prepared.map(({ key }) => bytesOf(key))).size, 1);
      await Promise.all(prepared.map(({ companions }) => fixture.commit(companions)));
      strictEqual(bytesOf(await keys.find(talk.id)), bytesOf(prepared[0]!.key));
    },
  },
  {
    name: 'keeps the first key that is stored, and passes another one to the companion',
    async run(fixture) {
      const master = aKey();
      const [first, second] = [await fixture.open(master), await fixture.open(master)];
      const [winner, loser] = [await first.prepare(talk), await second.prepare(talk)];
      await fixture.commit(winner.companions);
      if (loser.companions.length > 0) await rejects(fixture.commit(loser.companions), KeyTaken);
      const again = await second.prepare(talk);
      deepStrictEqual([bytesOf(again.key), again.companions], [bytesOf(winner.key), []]);
    },
  },
  {
    name: 'does not keep a prepared key whose transaction was rolled back',
    async run(fixture) {
      const keys = await fixture.open(aKey());
      const { companions } = await keys.prepare(talk);
      if (companions.length === 0) return;
      const fail = () => {
        throw new Error('not now');
      };
      await rejects(fixture.commit([...companions, fail]), /not now/);
      strictEqual(await keys.find(talk.id), null);
      const text = await new Vault(keys).sealing(talk, async (seal) => {
        await fixture.commit(seal.companions);
        return seal.text('hello');
      });
      strictEqual(await new Vault(keys).open(text), 'hello');
    },
  },
  {
    name: 'stores no key that was prepared before its subject was shredded',
    async run(fixture) {
      const keys = await fixture.open(aKey());
      const { companions } = await keys.prepare(user);
      await keys.shred('user:1');
      if (companions.length > 0) await rejects(fixture.commit(companions), Shredded);
      strictEqual(await keys.find('user:1'), null);
      await rejects(keys.prepare(user), Shredded);
      await rejects(keys.prepare(talk), Shredded);
      await keys.obtain(otherTalk);
      await rejects(keys.prepare({ id: otherTalk.id, within: 'user:3' }), SubjectMoved);
    },
  },
  {
    name: 'destroys a key once and for all',
    async run(fixture) {
      const master = aKey();
      const keys = await fixture.open(master);
      const vault = new Vault(keys);
      const text = await vault.seal(user, 'my name');
      strictEqual(await keys.shred('user:1'), true);
      strictEqual(await keys.find('user:1'), null);
      strictEqual(await keys.shred('user:1'), false);
      await fixture.restart();
      const later = await fixture.open(master);
      strictEqual(await later.find('user:1'), null);
      strictEqual(await new Vault(later).open(text), null);
    },
  },
  {
    name: 'never gives a shredded subject a new key',
    async run(fixture) {
      const master = aKey();
      const keys = await fixture.open(master);
      await keys.obtain(user);
      await keys.shred('user:1');
      await rejects(keys.obtain(user), Shredded);
      await fixture.restart();
      await rejects((await fixture.open(master)).obtain(user), Shredded);
    },
  },
  {
    name: 'remembers the shredding of a subject that never had a key',
    async run(fixture) {
      const keys = await fixture.open(aKey());
      strictEqual(await keys.shred('user:1'), false);
      await rejects(keys.obtain(user), Shredded);
    },
  },
  {
    name: 'lets exactly one of many concurrent shreds destroy the key',
    async run(fixture) {
      const keys = await fixture.open(aKey());
      await keys.obtain(user);
      const destroyed = await Promise.all(Array.from({ length: 8 }, () => keys.shred('user:1')));
      strictEqual(destroyed.filter(Boolean).length, 1);
    },
  },
  {
    name: 'makes inner subjects of a shredded subject unreadable, and no others',
    async run(fixture) {
      const keys = await fixture.open(aKey());
      const [inner, other] = [await keys.obtain(talk), await keys.obtain(otherTalk)];
      deepStrictEqual(inner.within, ['user:1']);
      await keys.shred('user:1');
      strictEqual(await keys.find(talk.id), null);
      await rejects(keys.obtain(talk), Shredded);
      await rejects(keys.obtain({ id: 'conversation:3', within: 'user:1' }), Shredded);
      strictEqual(bytesOf(await keys.find(otherTalk.id)), bytesOf(other));
    },
  },
  {
    name: 'leaves the outer subject readable when an inner one is shredded',
    async run(fixture) {
      const keys = await fixture.open(aKey());
      const outer = await keys.obtain(user);
      await keys.obtain(talk);
      await keys.shred(talk.id);
      strictEqual(await keys.find(talk.id), null);
      strictEqual(bytesOf(await keys.find('user:1')), bytesOf(outer));
    },
  },
  {
    name: 'refuses a subject that is within another outer subject',
    async run(fixture) {
      const keys = await fixture.open(aKey());
      await keys.obtain(talk);
      await keys.obtain(user);
      await rejects(keys.obtain({ id: talk.id, within: 'user:2' }), SubjectMoved);
      await rejects(keys.obtain({ id: 'user:1', within: 'tenant:1' }), SubjectMoved);
    },
  },
  {
    name: 'asks another store for outer subjects if configured',
    async run(fixture) {
      const master = aKey();
      const outers = new Map([['user:1', await (await fixture.open(master)).obtain({ id: 'elsewhere' })]]);
      const keys = await fixture.open(master, { outer: async (id) => outers.get(id) ?? null });
      const made = await keys.obtain(talk);
      strictEqual(bytesOf(await keys.find(talk.id)), bytesOf(made));
      strictEqual(await keys.find('user:1'), null, 'the outer key is not kept here');
      outers.clear();
      strictEqual(await keys.find(talk.id), null);
      await rejects(keys.obtain(talk), Shredded);
    },
  },
  {
    name: 'is not opened with another master key',
    async run(fixture) {
      const master = aKey();
      await (await fixture.open(master)).obtain(user);
      await fixture.restart();
      await rejects(fixture.open(aKey()), WrongMasterKey);
      ok(await (await fixture.open(master)).find('user:1'));
    },
  },
  {
    name: 'refuses an invalid ID',
    async run(fixture) {
      const keys = await fixture.open(aKey());
      for (const id of ['', '@master', 'a b', 'x'.repeat(201)]) {
        await rejects(keys.obtain({ id }), TypeError);
        await rejects(keys.shred(id), TypeError);
      }
    },
  },
];

/** The contract as a suite, each case with its own fixture. */
export function subjectKeysContract(name: string, makeFixture: () => Promise<KeyFixture>): void {
  describe(`${name} as a store of subject keys`, () => {
    let fixture: KeyFixture;
    beforeEach(async () => {
      fixture = await makeFixture();
    });
    afterEach(() => fixture.remove());
    for (const { name: sentence, run } of subjectKeysCases) it(sentence, () => run(fixture));
  });
}
