import { describe, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import { rememberedRequest, type RememberedRequestCommand, type RememberedRequestEvent } from './remembered-request.ts';

const given = specify(rememberedRequest);
const hour = 3_600_000;
const noon = Instant.ofMillis(1_750_000_000_000);
const after = (millis: number) => Instant.plus(noon, millis);
const remember = (bodyHash: string, newId: string, now: Instant): RememberedRequestCommand => ({
  type: 'RememberRequest',
  bodyHash,
  newId,
  now,
});
const remembered = (bodyHash: string, newId: string, at: Instant): RememberedRequestEvent => ({
  type: 'RequestRemembered',
  bodyHash,
  newId,
  at,
});
const first = remembered('hash', 'id-1', noon);
const answered: RememberedRequestEvent = { type: 'AnswerRemembered', status: 201, answer: 'sealed' };

describe('remembering a request', () => {
  it('keeps the request, and the ID of the resource that it creates', () =>
    given()
      .when(remember('hash', 'id-1', noon))
      .emits(first));
  it('does nothing when it is repeated', () =>
    given(first)
      .when(remember('hash', 'id-2', after(hour)))
      .emits());
  it('does nothing when it was answered', () =>
    given(first, answered)
      .when(remember('hash', 'id-2', after(24 * hour - 1)))
      .emits());
  it('refuses another body', () =>
    given(first)
      .when(remember('other', 'id-2', after(hour)))
      .refuses('idempotency_key_reused'));
  it('refuses another body after the answer', () =>
    given(first, answered)
      .when(remember('other', 'id-2', after(24 * hour - 1)))
      .refuses('idempotency_key_reused'));
  it('starts again after a day, with any body', () =>
    given(first, answered)
      .when(remember('other', 'id-2', after(24 * hour)))
      .emits(remembered('other', 'id-2', after(24 * hour))));
});

describe('remembering the answer', () => {
  const answer: RememberedRequestCommand = { type: 'RememberAnswer', newId: 'id-1', status: 201, answer: 'sealed' };

  it('keeps the answer', () => given(first).when(answer).emits(answered));
  it('keeps the first of two answers', () =>
    given(first, answered)
      .when({ ...answer, answer: 'another' })
      .emits());
  it('drops an answer to a request that is not remembered', () => given().when(answer).emits());
  it('drops an answer that arrives after the key was reused', () =>
    given(first, remembered('other', 'id-2', after(25 * hour)))
      .when(answer)
      .emits());
});

describe('any sequence of requests under a key', () => {
  const step = fc.record({ hash: fc.constantFrom('a', 'b'), wait: fc.integer({ min: 0, max: 30 * hour }), answers: fc.boolean() });

  it('creates one resource a day, from one body', () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const events: RememberedRequestEvent[] = [];
        let now = noon;
        let begun = { at: -Infinity, newId: '', hash: '' };
        for (const [index, { hash, wait, answers }] of steps.entries()) {
          now = Instant.plus(now, wait);
          const decision = rememberedRequest.decide(remember(hash, `id-${index}`, now), fold(rememberedRequest, events));
          const isNew = now - begun.at >= 24 * hour;
          if (decision instanceof Refusal) {
            if (isNew || hash === begun.hash) throw new Error('refused without a reason');
            continue;
          }
          events.push(...decision);
          if (isNew) begun = { at: now, newId: `id-${index}`, hash };
          const state = fold(rememberedRequest, events);
          if (state.status === 'absent' || state.newId !== begun.newId || state.bodyHash !== hash)
            throw new Error('another resource is created');
          if (!answers) continue;
          const kept = rememberedRequest.decide({ type: 'RememberAnswer', newId: state.newId, status: 201, answer: `${index}` }, state);
          if (!(kept instanceof Refusal)) events.push(...kept);
        }
      }),
    ));
});
