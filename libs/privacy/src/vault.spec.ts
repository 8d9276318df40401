import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RowsInMemory } from '../test/fixtures.ts';
import { Tampered } from './cipher.ts';
import { KeyCache } from './key-cache.ts';
import { LocalMasterKey } from './master/master-key.ts';
import { openStoredSubjectKeys } from './stored-subject-keys.ts';
import { Shredded, type SubjectKeys, SubjectMoved } from './subject-keys.ts';
import { isSealed, type Sealed, subjectOf, Vault } from './vault.ts';

const user = { id: 'user:1' };
const talk = { id: 'conversation:1', within: 'user:1' };

class CountedRows extends RowsInMemory {
  reads = 0;
  override async find(id: string) {
    this.reads++;
    return super.find(id);
  }
}

describe('a vault', () => {
  let rows: CountedRows;
  let master: LocalMasterKey;
  let keys: SubjectKeys;
  let vault: Vault;
  let now: number;
  const elsewhere = () => new Vault(keys);

  beforeEach(async () => {
    rows = new CountedRows();
    master = new LocalMasterKey(randomBytes(32));
    keys = await openStoredSubjectKeys(rows, master);
    now = 0;
    vault = new Vault(keys, new KeyCache({ max: 3, ttlMillis: 60_000, now: () => now }));
  });

  it.each(['', 'Grüße, 世界 🌍', 'x'.repeat(100_000)])('opens what it sealed', async (plain) => {
    const text = await vault.seal(talk, plain);
    expect(await vault.open(text)).toBe(plain);
    expect(await elsewhere().open(text)).toBe(plain);
  });

  it('seals texts with a key that is stored with them, and does not unwrap a key that was created here', async () => {
    const unwrap = jest.spyOn(LocalMasterKey.prototype, 'unwrap');
    const { text, json } = await vault.sealing(user, async (seal) => {
      expect(seal.companions).toHaveLength(1);
      for (const companion of seal.companions) companion(undefined as never);
      return { text: seal.text('hello'), json: seal.json({ name: 'N' }) };
    });
    expect(await vault.open(text)).toBe('hello');
    expect(await vault.openJson(json)).toEqual({ name: 'N' });
    await vault.sealing(user, async ({ companions }) => expect(companions).toEqual([]));
    await vault.seal({ id: 'user:2' }, 'x');
    expect(unwrap).not.toHaveBeenCalled();
    unwrap.mockRestore();
    expect(await elsewhere().open(text)).toBe('hello');
  });

  it('seals again with the stored key if another unit of work was first', async () => {
    const others = new Vault(await openStoredSubjectKeys(rows, master));
    let tries = 0;
    const text = await vault.sealing(user, async (seal) => {
      if (++tries === 1) await others.seal(user, 'first');
      for (const companion of seal.companions) companion(undefined as never);
      return seal.text('second');
    });
    expect([tries, await others.open(text)]).toEqual([2, 'second']);
  });

  it('does not remember a new key whose unit of work failed', async () => {
    await expect(vault.sealing(user, () => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
    const text = await vault.seal(user, 'name');
    expect(await elsewhere().open(text)).toBe('name');
  });

  it('seals and opens JSON', async () => {
    expect(await vault.openJson(await vault.sealJson(user, { name: 'N', tags: [1] }))).toEqual({ name: 'N', tags: [1] });
  });

  it('reveals the subject of a text, but not its content', async () => {
    const text = await vault.seal(user, 'a secret');
    expect(isSealed(text)).toBe(true);
    expect(subjectOf(text)).toBe('user:1');
    expect(Buffer.from(text.split('.')[2]!, 'base64url').toString('latin1')).not.toContain('secret');
  });

  it('seals the same text differently each time', async () => {
    const texts = await Promise.all(Array.from({ length: 1_000 }, () => vault.seal(user, 'hello')));
    expect(new Set(texts.map((text) => text.split('.')[2]!.slice(0, 16))).size).toBe(1_000);
  });

  it('recognises a changed text, whichever character it is', async () => {
    const text = await vault.seal(user, 'hello');
    for (let at = text.lastIndexOf('.') + 1; at < text.length; at++) {
      const changed = (text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)) as Sealed;
      await expect(vault.open(changed)).rejects.toThrow(Tampered);
    }
  });

  it('recognises a text that was moved to another subject', async () => {
    const [mine, other] = [await vault.seal(user, 'hello'), await vault.seal({ id: 'user:2' }, 'hello')];
    const moved = `${other.slice(0, other.lastIndexOf('.'))}${mine.slice(mine.lastIndexOf('.'))}` as Sealed;
    await expect(vault.open(moved)).rejects.toThrow(Tampered);
  });

  it.each(['', 'hello', 's1.', 's1.dXNlcjox.', 's1.dXNlcjox.AAAA', 's2.dXNlcjox.AAAA'])(
    'recognises that %j was never sealed',
    async (text) => {
      await vault.seal(user, 'so that there is a key');
      await expect(vault.open(text as Sealed)).rejects.toThrow(Tampered);
    },
  );

  it('neither opens nor seals texts of a shredded subject', async () => {
    const texts = [await vault.seal(user, 'name'), await vault.seal(talk, 'message')];
    const other = await vault.seal({ id: 'user:2' }, 'other');
    expect(await vault.shred('user:1')).toBe(true);
    for (const text of texts) expect(await vault.open(text)).toBeNull();
    await expect(vault.seal(user, 'x')).rejects.toThrow(Shredded);
    await expect(vault.seal(talk, 'x')).rejects.toThrow(Shredded);
    expect(await vault.open(other)).toBe('other');
  });

  it('does not open with a key that it was reading while the subject was shredded', async () => {
    const text = await elsewhere().seal(user, 'name');
    const read = Promise.withResolvers<void>();
    const find = rows.find.bind(rows);
    rows.find = async (id) => {
      const row = await find(id);
      await read.promise;
      return row;
    };
    const opening = vault.open(text);
    await vault.shred('user:1');
    read.resolve();
    expect(await opening).toBeNull();
    expect(await vault.open(text)).toBeNull();
  });

  it('continues to open for at most a minute if it is not notified of an erasure elsewhere', async () => {
    const text = await vault.seal(user, 'name');
    await elsewhere().shred('user:1');
    expect(await vault.open(text)).toBe('name');
    now = 60_000;
    expect(await vault.open(text)).toBeNull();
  });

  it('stops at once when it is notified', async () => {
    const text = await vault.seal(talk, 'message');
    await elsewhere().shred('user:1');
    vault.forget('user:1');
    expect(await vault.open(text)).toBeNull();
  });

  describe('with openOften', () => {
    const changed = (text: Sealed) => `${text.slice(0, -2)}${text.endsWith('A') ? 'B' : 'A'}` as Sealed;

    it('caches the text, and no other text', async () => {
      const text = await vault.seal(talk, 'hello');
      expect([await vault.openOften(text), await vault.openOften(text)]).toEqual(['hello', 'hello']);
      await expect(vault.openOften(changed(text))).rejects.toThrow(Tampered);
    });
    it('opens many texts in their order, and null for those of a shredded subject', async () => {
      const texts = [
        await vault.seal(talk, 'first'),
        await vault.seal({ id: 'conversation:2', within: 'user:2' }, 'gone'),
        await vault.seal(talk, 'last'),
      ];
      await vault.openOften(texts[0]!);
      await keys.shred('user:2');
      vault.forget('user:2');
      expect(await vault.openAllOften(texts)).toEqual(['first', null, 'last']);
    });
    it('drops the text when the subject or an outer subject is shredded', async () => {
      const text = await vault.seal(talk, 'hello');
      await vault.openOften(text);
      await keys.shred('user:1');
      vault.forget('user:1');
      expect(await vault.openOften(text)).toBeNull();
    });
    it('continues to open the text for at most a minute if it is not notified of an erasure elsewhere', async () => {
      const text = await vault.seal(talk, 'hello');
      await vault.openOften(text);
      await keys.shred('conversation:1');
      now = 59_999;
      expect(await vault.openOften(text)).toBe('hello');
      now = 60_000;
      expect(await vault.openOften(text)).toBeNull();
    });
  });

  it('reads a key once for many concurrent calls, and a shredded key only once', async () => {
    const text = await elsewhere().seal(user, 'name');
    rows.reads = 0;
    await Promise.all(Array.from({ length: 100 }, () => vault.open(text)));
    expect(rows.reads).toBe(1);
    await vault.shred('user:1');
    rows.reads = 0;
    for (let times = 0; times < 5; times++) expect(await vault.open(text)).toBeNull();
    expect(rows.reads).toBe(1);
  });

  it('caches a bounded number of keys, the most recently used ones', async () => {
    const texts = await Promise.all(['a', 'b', 'c'].map((id) => vault.seal({ id }, id)));
    await vault.open(texts[0]!);
    await vault.seal({ id: 'd' }, 'd');
    rows.reads = 0;
    await vault.open(texts[0]!);
    expect(rows.reads).toBe(0);
    expect(await vault.open(texts[1]!)).toBe('b');
    expect(rows.reads).toBe(1);
  });

  it('refuses to seal for a subject within another outer subject', async () => {
    await vault.seal(talk, 'x');
    await expect(vault.seal({ id: talk.id, within: 'user:2' }, 'x')).rejects.toThrow(SubjectMoved);
  });

  it('tries again after the key store failed', async () => {
    const text = await elsewhere().seal(user, 'name');
    const find = rows.find.bind(rows);
    rows.find = () => Promise.reject(new Error('down'));
    await expect(vault.open(text)).rejects.toThrow('down');
    rows.find = find;
    expect(await vault.open(text)).toBe('name');
  });

  it('shares its cache with the outer keys of another service, and drops those too', async () => {
    const identity = keys;
    let lookups = 0;
    const cache = new KeyCache();
    const outer = cache.before((id) => {
      lookups++;
      return identity.find(id);
    });
    await identity.obtain(user);
    const own = new Vault(await openStoredSubjectKeys(new RowsInMemory(), new LocalMasterKey(randomBytes(32)), { outer }), cache);
    const texts = await Promise.all(['c1', 'c2', 'c3'].map((id) => own.seal({ id, within: 'user:1' }, id)));
    expect(lookups).toBe(1);
    await identity.shred('user:1');
    own.forget('user:1');
    for (const text of texts) expect(await own.open(text)).toBeNull();
  });
});
