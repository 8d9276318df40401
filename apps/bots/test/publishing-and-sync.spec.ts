import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commitsOf, EventStore } from '@parlance/event-store';
import { knowledgeStream, knowledgeSync } from '../src/domain/knowledge/knowledge-sync.ts';
import type { SyncEvent } from '../src/domain/knowledge/sync-events.ts';
import { BotsUnderTest } from './bots-under-test.ts';
import { KnowledgeUnderTest } from './knowledge-under-test.ts';

const ROUNDS = 200;
const BOTS = 20;

/**
 * A reservation for a publication and a request to read the sources again arrive at the same time. The stream of the knowledge decides:
 * either the reservation is confirmed while the knowledge is complete, and the run comes later, or the reservation is refused.
 */
describe('publishing a bot against reading its sources again', () => {
  let bots: BotsUnderTest;
  let knowledge: KnowledgeUnderTest;
  beforeAll(async () => {
    bots = await BotsUnderTest.start();
    knowledge = new KnowledgeUnderTest(bots);
  });
  afterAll(() => bots.stop());

  const reservation = async (id: string, step: string, number: number) => {
    const { status, body } = await bots.ask('POST', `/internal/bots/${id}/reservation${step}`, bots.onBehalfOf('ann'), { number });
    return status === 204 ? 'done' : (body.code as string);
  };
  const readAgain = async (id: string) => (await bots.ask('POST', `/bot/${id}/knowledge/sync`, bots.creator('ann'))).status;
  const eventsOf = async (id: string): Promise<readonly SyncEvent[]> => {
    const events: SyncEvent[] = [];
    for await (const commit of commitsOf(bots.app.get(EventStore), knowledgeStream(id)))
      for (const { event } of commit.events) events.push(event as SyncEvent);
    return events;
  };
  /** The state of the knowledge in which the reservation with this number was confirmed; null if it was not. */
  const stateWhenConfirmed = (events: readonly SyncEvent[], number: number) => {
    const place = events.findIndex((event) => event.type === 'SyncConfirmedForPublication' && event.number === number);
    return place < 0 ? null : events.slice(0, place).reduce(knowledgeSync.evolve, knowledgeSync.initialState);
  };

  it(`has one consistent outcome in each of ${ROUNDS} rounds`, async () => {
    const ids = await Promise.all(Array.from({ length: BOTS }, (_, index) => knowledge.botWith('ann', { 'a.txt': `Guide ${index}.` })));
    await Promise.all(ids.map((id) => bots.share('ann', id, 'all')));
    const outcomes: string[] = [];
    const round = async (id: string, number: number, isReservationFirst: boolean) => {
      const reserve = () => reservation(id, '', number);
      const [reserved, status] = isReservationFirst
        ? await Promise.all([reserve(), readAgain(id)])
        : (await Promise.all([readAgain(id), reserve()])).toReversed();
      expect(status).toBe(202);
      const confirmed = stateWhenConfirmed(await eventsOf(id), number);
      if (reserved === 'done') expect(confirmed).toMatchObject({ run: null, requested: null });
      else expect([reserved, confirmed]).toEqual(['sync_not_succeeded', null]);
      outcomes.push(reserved as string);
      if (reserved === 'done') expect(await reservation(id, '/complete', number)).toBe('done');
      // The run is neither lost nor delayed by the publication.
      expect((await knowledge.settled('ann', id)).sync_status).toBe('SUCCEEDED');
      expect(await reservation(id, '/release', number)).toBe('done');
    };
    for (let number = 1; number <= ROUNDS / BOTS; number++)
      await Promise.all(ids.map((id, index) => round(id, number, (number + index) % 2 === 0)));
    expect(outcomes).toHaveLength(ROUNDS);
  });
});
