import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RowsInMemory } from '../test/fixtures.ts';
import { LocalMasterKey } from './master/master-key.ts';
import { openStoredSubjectKeys } from './stored-subject-keys.ts';
import { Shredded, type SubjectKeys, SubjectMoved } from './subject-keys.ts';
import { type Seal, type Sealed, Vault } from './vault.ts';

const talk = { id: 'conversation:1', within: 'user:1' };

describe('sealing for a subject that is declared new', () => {
  let rows: RowsInMemory;
  let keys: SubjectKeys;
  let vault: Vault;
  const elsewhere = () => new Vault(keys);

  beforeEach(async () => {
    rows = new RowsInMemory();
    keys = await openStoredSubjectKeys(rows, new LocalMasterKey(randomBytes(32)));
    vault = new Vault(keys);
  });

  const store = ({ companions, stored }: Seal) => {
    for (const companion of companions) companion(undefined as never);
    stored();
  };

  it('does not read the key first', async () => {
    const find = jest.spyOn(rows, 'find');
    const text = await vault.sealingNew(talk, async (seal) => (store(seal), seal.text('hello')));
    expect(find).not.toHaveBeenCalledWith(talk.id);
    expect(await elsewhere().open(text)).toBe('hello');
  });

  it('caches the key after it is stored, not before', async () => {
    const find = jest.spyOn(rows, 'find');
    const open = async (text: Sealed) => [await vault.open(text), find.mock.calls.filter(([id]) => id === talk.id).length];
    expect(await open(await vault.sealingNew(talk, async (seal) => (store(seal), seal.text('hello'))))).toEqual(['hello', 0]);
    const other = { id: 'conversation:2', within: 'user:1' };
    expect(await vault.open(await vault.sealingNew(other, async (seal) => seal.text('not stored')))).toBeNull();
  });

  it('stores the key in a separate write if the store cannot write it with an append', async () => {
    Object.assign(rows, { keepIn: undefined });
    const text = await vault.sealingNew(talk, async ({ companions, text: sealed, stored }) => {
      expect(companions).toEqual([]);
      stored();
      return sealed('hello');
    });
    expect(await elsewhere().open(text)).toBe('hello');
  });

  it('seals again if the subject already has a key', async () => {
    await elsewhere().seal(talk, 'first');
    const work = jest.fn(async (seal: Seal) => (store(seal), seal.text('second')));
    const text = await vault.sealingNew(talk, work);
    expect(work).toHaveBeenCalledTimes(2);
    expect(await elsewhere().open(text)).toBe('second');
  });

  it('refuses a subject that was shredded or is within another subject, even if nothing is stored or the work fails', async () => {
    const nothing = async () => 'an earlier answer';
    const failing = () => Promise.reject(new Error('no budget'));
    await elsewhere().seal(talk, 'first');
    for (const work of [nothing, failing, async (seal: Seal) => (store(seal), 'stored')])
      await expect(vault.sealingNew({ id: talk.id, within: 'user:2' }, work)).rejects.toThrow(SubjectMoved);
    await elsewhere().shred(talk.id);
    for (const work of [nothing, failing, async (seal: Seal) => (store(seal), 'stored')])
      await expect(vault.sealingNew(talk, work)).rejects.toThrow(Shredded);
  });

  it.each([
    ['a new subject', false],
    ['a subject that had a key', true],
  ])('does not refuse what was stored, although its subject, %s, is shredded at once', async (_, hasKey) => {
    if (hasKey) await elsewhere().seal(talk, 'first');
    const work = async (seal: Seal) => {
      store(seal);
      await vault.shred(talk.id);
      return 'stored';
    };
    expect(await vault.sealingNew(talk, work)).toBe('stored');
  });

  it('passes on the result of a repeat that stores nothing, and the error of the work', async () => {
    expect(await vault.sealingNew(talk, async () => 'an earlier answer')).toBe('an earlier answer');
    await expect(vault.sealingNew(talk, () => Promise.reject(new Error('no budget')))).rejects.toThrow('no budget');
  });
});
