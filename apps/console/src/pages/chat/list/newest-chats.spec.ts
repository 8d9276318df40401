import { describe, expect, it } from '@jest/globals';
import type { ConversationPage, ConversationSummary } from '@parlance/client/types';
import { type Chats, withNewest, without, withTitle } from './newest-chats.ts';

/** A page of chats as `id time`, such as `a9`. */
const page = (texts: string, next_token: string | null): ConversationPage => ({
  conversations: texts
    .split(' ')
    .filter((text) => text !== '')
    .map((text) => ({ conversation_id: text[0]!, last_message_time: Number(text.slice(1)), title: text[0]! }) as ConversationSummary),
  next_token,
});
const chats = (...pages: ConversationPage[]): Chats => ({ pages, pageParams: pages.map(() => null) });
const loaded = chats(page('a9 b8', 'to c'), page('c7 d6', 'to e'), page('e5 f4', 'to g'));
const shown = ({ pages }: Chats) => [
  pages.flatMap(({ conversations }) => conversations.map(({ title }) => title)).join(' '),
  pages.at(-1)!.next_token,
];

describe('the newest chats', () => {
  it('come before those that were loaded, which stay', () =>
    expect(shown(withNewest(loaded, page('x10 a9', 'to b')))).toEqual(['x a b c d e f', 'to g']));
  it('are each shown once, at the new place', () =>
    expect(shown(withNewest(loaded, page('e10 a9', 'to b')))).toEqual(['e a b c d f', 'to g']));
  it('leave out a chat that was deleted among them', () =>
    expect(shown(withNewest(loaded, page('b8 c7', 'to d')))).toEqual(['b c d e f', 'to g']));
  it('keep chats of the same second', () =>
    expect(shown(withNewest(chats(page('a9 b9', 'to c'), page('c9', null)), page('x9 a9', 'to b')))).toEqual(['x a b c', null]));
  it('replace the others if there may be chats between them', () =>
    expect(shown(withNewest(loaded, page('x20 y19', 'to z')))).toEqual(['x y', 'to z']));
  it('replace the others if there are no more', () => {
    expect(shown(withNewest(loaded, page('a9 f4', null)))).toEqual(['a f', null]);
    expect(shown(withNewest(loaded, page('', null)))).toEqual(['', null]);
    expect(shown(withNewest(chats(page('a9 b8', 'to c')), page('a9 b8', 'to c')))).toEqual(['a b', 'to c']);
  });
  it('do not make the list longer each time', () => {
    const often = Array.from({ length: 5 }).reduce<Chats>((its) => withNewest(its, page('a9 b8', 'to c')), loaded);
    expect([often.pages.length, often.pageParams.length, shown(often)[0]]).toEqual([2, 2, 'a b c d e f']);
  });
});

it('a chat has its new title on its page, or is gone from it', () => {
  expect(shown(withTitle(loaded, 'd', 'New'))).toEqual(['a b c New e f', 'to g']);
  expect(shown(without(loaded, 'd'))).toEqual(['a b c e f', 'to g']);
});
