import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { type Place, ToolWorld } from './tool-world.ts';

const ROUNDS = 200;
const DAY_MILLIS = 86_400_000;

/** In each round a reply waits for the approval of one call, and several requests about it arrive at once. */
describe('the decision about a call', () => {
  const world = new ToolWorld();
  const { model, tools } = world;
  const callsOf = ({ conversation_id }: Place) => tools.writing.calls.filter(({ context }) => context.conversationId === conversation_id);
  const awaitApproval = async (question: string) => {
    const place = await world.ask(question);
    (await model.call(question)).use('writing', { question }).await();
    const [pending] = await world.awaiting(place);
    return { place, callId: pending!.call_id };
  };
  const remove = ({ conversation_id }: Place) =>
    fetch(`${world.address}/conversation/${conversation_id}`, { method: 'DELETE', headers: world.service.as('ann') });
  const cancel = (place: Place) => world.post(`${world.pathOf(place)}/cancel`, {});
  /** Ends the reply, whatever was decided. */
  const ended = async (question: string, place: Place) => {
    const isOver = async () => {
      for (const call of callsOf(place)) call.answer({ text: 'sent', isError: false });
      model.made(question, 1)?.end();
      return [200, 404].includes((await world.get(world.pathOf(place))).status);
    };
    await waitFor(isOver, { what: 'the end of the reply' });
  };

  beforeAll(async () => {
    await world.open();
    world.naming('writes');
  });
  afterAll(async () => {
    await world.service.stop();
    jest.restoreAllMocks();
  });

  it('that is sent several times makes the call once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { place, callId } = await awaitApproval(`Twice ${round}?`);
      const answers = await Promise.all([1, 2, 3, 4].map(() => world.decide(place, callId, true)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      await ended(`Twice ${round}?`, place);
      expect(callsOf(place)).toHaveLength(1);
    }
  });

  it('that is sent both for and against is the one that was answered first', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { place, callId } = await awaitApproval(`Both ${round}?`);
      const both = [true, false].toSorted(() => (round % 2 === 0 ? 1 : -1));
      const answers = await Promise.all(both.map((approve) => world.decide(place, callId, approve)));
      await ended(`Both ${round}?`, place);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect(callsOf(place)).toHaveLength(both[answers.findIndex(({ status }) => status === 200)] ? 1 : 0);
    }
  });

  /** The leap of a day also ends the worker's lease and the reply's time. A call that a lost worker had begun is not made again. */
  it('that races with its expiry makes the call only if it was accepted, and then unless its worker is lost', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { place, callId } = await awaitApproval(`In time ${round}?`);
      const deciding = world.decide(place, callId, true);
      for (let turn = 0; turn < round % 20; turn++) await new Promise(setImmediate);
      world.service.later(DAY_MILLIS);
      const { status } = await deciding;
      await ended(`In time ${round}?`, place);
      expect([200, 409]).toContain(status);
      const made = callsOf(place).length;
      expect(made).toBeLessThanOrEqual(status === 200 ? 1 : 0);
      if (status === 409 || made === 1) continue;
      const [{ calls } = { calls: [] }] = await world.roundsOf(place);
      const { error } = (await world.get(world.pathOf(place))).body;
      expect([calls[0]?.approval, calls[0]?.is_begun || error?.code === 'reply_timeout']).toEqual(['approved', true]);
    }
  });

  it.each([
    ['a cancellation', cancel],
    ['the deletion of the conversation', remove],
  ])('that races with %s makes the call at most once, and only with an accepted decision', async (what, end) => {
    for (let round = 0; round < ROUNDS; round++) {
      const question = `Against ${what} ${round}?`;
      const { place, callId } = await awaitApproval(question);
      const works = [() => world.decide(place, callId, true), () => end(place)];
      const [first, second] = await Promise.all((round % 2 === 0 ? works : works.toReversed()).map((work) => work()));
      const decision = round % 2 === 0 ? first! : second!;
      await ended(question, place);
      expect(callsOf(place).length).toBeLessThanOrEqual(decision.status === 200 ? 1 : 0);
    }
  });
});
