import { describe, expect, it } from '@jest/globals';
import { type Draft, type DraftMessage, Left } from './drafts.ts';
import { LONGEST_ID, LONGEST_MODEL, MOST_MESSAGE_BYTES } from './limits.ts';
import { treeOf } from './tree.ts';

const NOW = 1_000;
const says = (id: string, parent: string | null, over: Partial<DraftMessage> = {}): DraftMessage => ({
  id,
  parent,
  role: 'user',
  text: `says ${id}`,
  at: null,
  model: null,
  ...over,
});
/** A summary of the tree of these messages: its parents by ID, and what was left out. */
function treeFor(messages: readonly DraftMessage[], over: Partial<Draft> = {}) {
  const left = new Left();
  const tree = treeOf({ sourceId: 'source', title: '', startedAt: 10, current: null, messages, left, ...over }, NOW);
  return { ...tree, parents: tree.messages.map(({ id, parent }) => [id, parent]), left: Object.fromEntries(left.counts) };
}

describe('the tree of an import', () => {
  it('has each message after its parent, and siblings in their order', () => {
    const { parents, left } = treeFor([says('b1', 'a'), says('c', 'b1'), says('a', null), says('b2', 'a'), says('z', null)]);
    expect(parents).toEqual(Object.entries({ a: null, b1: 'a', c: 'b1', b2: 'a', z: null }));
    expect(left).toEqual({});
  });
  it('gives the children of a dropped message to its parent', () => {
    const empty = [says('b', 'a', { role: null }), says('c', 'b', { text: ' \n' })];
    expect(treeFor([says('a', null), ...empty, says('d', 'c')]).parents).toEqual(Object.entries({ a: null, d: 'a' }));
  });
  it('has a new root at a message whose parent is missing', () => {
    const { parents, left } = treeFor([says('a', 'nobody'), says('b', 'a')]);
    expect([parents, left]).toEqual([Object.entries({ a: null, b: 'a' }), { parent_missing: 1 }]);
  });
  it('drops a cycle, and its descendants', () => {
    const { parents, left } = treeFor([says('a', null), says('b', 'c'), says('c', 'b'), says('d', 'c'), says('e', 'e')]);
    expect([parents, left]).toEqual([Object.entries({ a: null }), { parent_cycle: 4 }]);
  });
  it('drops the second of two messages with the same ID, and invalid IDs', () => {
    const invalid = ['', 'x'.repeat(LONGEST_ID + 1), '\uD800', 'a\0'].map((id) => says(id, null));
    const { messages, left } = treeFor([
      says('a', null),
      says('a', null, { text: 'later' }),
      ...invalid,
      says('x'.repeat(LONGEST_ID), 'a'),
    ]);
    expect(messages.map(({ text }) => text)).toEqual(['says a', `says ${'x'.repeat(LONGEST_ID)}`]);
    expect(left).toEqual({ duplicate_message: 1, invalid_message: 4 });
  });
  it('drops a text that has more bytes than the limit', () => {
    const texts = ['ä'.repeat(MOST_MESSAGE_BYTES / 2), `${'ä'.repeat(MOST_MESSAGE_BYTES / 2)}b`];
    const { parents, left } = treeFor(texts.map((text, index) => says(`${index}`, index === 0 ? null : '0', { text })));
    expect([parents, left]).toEqual([[['0', null]], { text_too_long: 1 }]);
  });
  it('has no times in the future, and uses the parent’s time if the source has none', () => {
    const { messages } = treeFor([says('a', null), says('b', 'a', { at: 20 }), says('c', 'b'), says('d', 'c', { at: NOW + 5 })]);
    expect(messages.map(({ at, sourceTime }) => [at, sourceTime])).toEqual(
      Object.values({ a: [10, 10], b: [20, 20], c: [20, 20], d: [NOW, NOW + 5] }),
    );
    expect(treeFor([says('a', null)], { startedAt: null }).messages).toMatchObject([{ at: NOW, sourceTime: 0 }]);
    expect(treeFor([says('a', null)], { startedAt: NOW + 5 }).messages).toMatchObject([{ at: NOW, sourceTime: NOW + 5 }]);
  });
  it('shows the current message, or its nearest kept ancestor, or else the latest message', () => {
    const messages = [says('a', null, { at: 30 }), says('b', 'a', { text: '' }), says('c', null, { at: 20 }), says('d', null, { at: 30 })];
    const shown = (current: string | null) => treeFor(messages, { current }).current;
    expect(['c', 'b', 'nobody', null].map(shown)).toEqual(['c', 'a', 'd', 'd']);
    expect(treeFor([]).current).toBeNull();
  });
  it('has well-formed texts, and names of models that are not too long', () => {
    const models = ['', 'm'.repeat(LONGEST_MODEL + 1), 'm\uD800'];
    const { messages } = treeFor(models.map((model, index) => says(`${index}`, null, { model, text: 'a\0\uDC00' })));
    expect(messages.map(({ text }) => text)).toEqual(models.map(() => 'a\uFFFD\uFFFD'));
    expect(messages.map(({ model }) => model)).toEqual([null, 'm'.repeat(LONGEST_MODEL), 'm\uFFFD']);
  });
  it('may be as deep as a source is long', () => {
    const chain = Array.from({ length: 20_000 }, (_, index) => says(`${index}`, index === 0 ? null : `${index - 1}`));
    expect(treeFor(chain).messages).toHaveLength(20_000);
  });
});
