import { describe, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { type DedicatedEvent, dedicatedBases, MOST_DEDICATED } from './dedicated-bases.ts';

const given = specify(dedicatedBases);
const now = Instant.ofMillis(1_000);
const reserved = (botId: string): DedicatedEvent => ({ type: 'DedicatedReserved', botId, at: now });
const all = Array.from({ length: MOST_DEDICATED }, (_, index) => reserved(`bot-${index}`));
const reserve = (botId: string) => ({ type: 'Reserve', botId, now }) as const;

describe('dedicated knowledge bases', () => {
  it('are reserved', () => given().when(reserve('a')).emits(reserved('a')));
  it('are limited to a hundred', () =>
    given(...all)
      .when(reserve('a'))
      .refuses('knowledge_base_limit'));
  it('can be exactly a hundred', () =>
    given(...all.slice(1))
      .when(reserve('a'))
      .emits(reserved('a')));
  it('can be saved again by a bot that has one', () =>
    given(...all)
      .when(reserve('bot-7'))
      .emits(reserved('bot-7')));
  it('can be reserved again when one is released', () =>
    given(...all, { type: 'DedicatedReleased', botId: 'bot-7' })
      .when(reserve('a'))
      .emits(reserved('a')));
  it('are released once', () => given().when({ type: 'Release', botId: 'a' }).emits());
  it('are released', () => given(reserved('a')).when({ type: 'Release', botId: 'a' }).emits({ type: 'DedicatedReleased', botId: 'a' }));
  it('are not released by a clean-up that read an earlier reservation', () =>
    given(reserved('a'))
      .when({ type: 'Release', botId: 'a', since: Instant.ofMillis(-1) })
      .emits());
});
