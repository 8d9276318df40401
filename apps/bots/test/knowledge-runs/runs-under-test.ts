import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { BotsUnderTest } from '../bots-under-test.ts';
import { KnowledgeUnderTest } from '../knowledge-under-test.ts';

export type RunsUnderTest = Awaited<ReturnType<typeof runsUnderTest>>;

/** The service of bots, which may read web pages of this machine, and a user with bots. */
export async function runsUnderTest() {
  const ann = newId();
  const bots = await BotsUnderTest.start({ PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' });
  const knowledge = new KnowledgeUnderTest(bots);

  /** Reads the sources again without a change of the bot. */
  async function readAgain(id: string): Promise<void> {
    const { execution_id: before } = (await knowledge.run(ann, id)).body;
    await bots.ask('POST', `/bot/${id}/knowledge/sync`, bots.service.as(ann));
    await waitFor(async () => (await knowledge.settled(ann, id)).execution_id !== before, { what: 'the requested run' });
  }
  return { ann, bots, knowledge, readAgain };
}
