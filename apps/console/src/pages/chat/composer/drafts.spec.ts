import { DraftStore, NOT_PRIVATE, stricter } from './drafts.ts';

class Memory {
  readonly values = new Map<string, string>();
  isFull = false;
  getItem = (key: string) => this.values.get(key) ?? null;
  setItem = (key: string, value: string) => {
    if (this.isFull) throw new Error('QuotaExceededError');
    this.values.set(key, value);
  };
}

describe('drafts', () => {
  let now = 0;
  const storeIn = (memory: Memory, key = 'ann') => new DraftStore(memory, key, () => ++now);

  it('are kept by chat and user', () => {
    const memory = new Memory();
    storeIn(memory).keep('a', 'Hello');
    expect(storeIn(memory).of('a')).toBe('Hello');
    expect([storeIn(memory).of('b'), storeIn(memory, 'ben').of('a')]).toEqual(['', '']);
  });
  it('are removed when they are sent', () => {
    const memory = new Memory();
    const store = storeIn(memory);
    store.keep('a', 'Hello');
    store.keep('a', '');
    expect(memory.values.get('ann')).toBe('{}');
  });
  it('are not kept when they are only spaces', () => {
    const memory = new Memory();
    storeIn(memory).keep('a', ' \n');
    expect(memory.values.get('ann')).toBe('{}');
  });
  it('are bounded: the oldest goes first', () => {
    const store = storeIn(new Memory());
    for (let index = 0; index <= 50; index++) store.keep(`chat-${index}`, 'text');
    expect([store.of('chat-0'), store.of('chat-1'), store.of('chat-50')]).toEqual(['', 'text', 'text']);
    store.keep('long', 'x'.repeat(199_999));
    expect([store.of('long').length, store.of('chat-50')]).toEqual([199_999, '']);
  });
  it('are not removed by a draft that is too long to be kept', () => {
    const store = storeIn(new Memory());
    store.keep('a', 'Hello');
    store.keep('b', 'x'.repeat(200_001));
    expect([store.of('a'), store.of('b')]).toEqual(['Hello', '']);
  });
  it('have the privacy that was chosen for each of them', () => {
    const memory = new Memory();
    expect(storeIn(memory).privacyOf('a')).toEqual(NOT_PRIVATE);
    for (const isTemporary of [true, false])
      for (const hasMemory of [true, false]) {
        storeIn(memory).keepPrivacy('a', { isTemporary, hasMemory });
        expect(storeIn(memory).privacyOf('a')).toEqual({ isTemporary, hasMemory });
        expect(storeIn(memory).privacyOf('b')).toEqual(NOT_PRIVATE);
      }
    storeIn(memory).keepPrivacy('a', NOT_PRIVATE);
    expect(memory.values.get('ann')).toBe('{}');
  });
  it.each([
    ['many other drafts', (store: DraftStore) => Array.from({ length: 49 }, (_, index) => store.keep(`chat-${index}`, 'text'))],
    ['a long other draft', (store: DraftStore) => store.keep('long', 'x'.repeat(100_000))],
    ['a text that fills the limit', (store: DraftStore) => store.keep('a', 'x'.repeat(200_000))],
  ])('keep their privacy for as long as their text, beside %s', (_, more) => {
    const store = storeIn(new Memory());
    store.keepPrivacy('a', { isTemporary: true, hasMemory: false });
    store.keep('a', 'x'.repeat(120_000));
    more(store);
    expect(store.of('a') === '' || store.privacyOf('a').isTemporary).toBe(true);
    store.keep('a', 'short');
    store.keepPrivacy('a', { isTemporary: true, hasMemory: false });
    for (let index = 0; index < 60; index++) {
      store.keep(`later-${index}`, 'text');
      expect(store.of('a') === '' || store.privacyOf('a').isTemporary).toBe(true);
    }
  });
  it('keep their privacy if there is only place for a shorter text', () => {
    const store = storeIn(new Memory());
    store.keepPrivacy('a', { isTemporary: true, hasMemory: false });
    store.keep('a', '?');
    store.keep('long', 'x'.repeat(199_999));
    expect(store.of('a') === '' || store.privacyOf('a').isTemporary).toBe(true);
  });
  it('are as private as the stricter of two', () => {
    const temporary = { isTemporary: true, hasMemory: true };
    const forgetful = { isTemporary: false, hasMemory: false };
    expect(stricter(temporary, forgetful)).toEqual({ isTemporary: true, hasMemory: false });
    expect(stricter(NOT_PRIVATE, temporary)).toEqual(temporary);
  });
  it('tolerate a full or broken storage', () => {
    const memory = new Memory();
    for (const stored of ['{', 'null', '7']) {
      memory.values.set('ann', stored);
      expect(storeIn(memory).of('a')).toBe('');
    }
    memory.isFull = true;
    expect(() => storeIn(memory).keep('a', 'x')).not.toThrow();
  });
});
